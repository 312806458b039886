# Counts of `strace -f -o` output as the library sees them: from the end of its constructor (close(-59)) in each
# program, each call once. Prints NAME CALLS ERRORS.
function name_of(text) { sub(/\(.*/, "", text); return text }
{
    pid = $1
    line = substr($0, index($0, " ") + 1)
    sub(/^ +/, "", line)
}
line ~ /^(\+\+\+|---|strace:)/ { next }
line ~ /^<\.\.\. [a-z0-9_]+ resumed>/ {
    name = line
    sub(/^<\.\.\. /, "", name)
    sub(/ resumed>.*/, "", name)
    if (counted_call[pid] && line ~ / = -1 E/) errors[name]++
    if (name ~ /^execve/ && line ~ / = 0$/) silent[pid] = 1
    next
}
line ~ /^close\(-59/ { silent[pid] = counted_call[pid] = 0; next }
{
    if (!started) { silent[pid] = 1; started = 1 }
    name = name_of(line)
    counted_call[pid] = !silent[pid]
    if (!silent[pid]) {
        calls[name]++
        if (line ~ / = -1 E/) errors[name]++
    }
    if (name ~ /^execve/ && line ~ / = 0$/) silent[pid] = 1
}
END { for (name in calls) print name, calls[name], errors[name] + 0 }
