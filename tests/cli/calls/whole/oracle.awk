# Calls by name of `strace -f -o` output: each call once, an unfinished line and its resumed one being one call.
{
    line = substr($0, index($0, " ") + 1)
    sub(/^ +/, "", line)
}
line ~ /^(\+\+\+|---|<\.\.\.|strace:)/ { next }
{
    sub(/\(.*/, "", line)
    calls[line]++
}
END { for (name in calls) print name, calls[name] }
