# Counts of `strace -f -o` output as the library sees them: from the end of its constructor (close(-59)) in each
# program, each call once. Prints NAME CALLS ERRORS, and NAME:ERRNO CALLS 0 for each error.
#
# strace shows a call that a signal interrupts as "? ERESTART...", and says later what became of it: the handler's
# return is the error EINTR, or the call is shown again as it starts anew, which is still the same call.

# A call of this name is told: is it the one that was interrupted, starting anew?
function starts_anew(pid, name) {
    if (!(pid in interrupted) || interrupted[pid] != name) return 0
    delete interrupted[pid]
    return 1
}
function fail(name, errno) {
    errors[name]++
    named[name ":" errno]++
}
function result(pid, name, text) {
    if (text ~ /= \? ERESTART/) {
        interrupted[pid] = name
        interrupted_counted[pid] = counted_call[pid]
        return
    }
    if (name == "rt_sigreturn") {   # its "result" is that of the interrupted call
        if (pid in interrupted && text ~ /= -1 EINTR/) {
            if (interrupted_counted[pid]) fail(interrupted[pid], "EINTR")
            delete interrupted[pid]
        }
        return
    }
    if (counted_call[pid] && match(text, /= -1 E[A-Z0-9]+/)) fail(name, substr(text, RSTART + 5, RLENGTH - 5))
}
function ends_program(name, text) { return name ~ /^execve/ && text ~ /= 0$/ }
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
    result(pid, name, line)
    if (ends_program(name, line)) silent[pid] = 1
    next
}
line ~ /^close\(-59/ { silent[pid] = counted_call[pid] = 0; next }
{
    if (!started) { silent[pid] = 1; started = 1 }
    name = line
    sub(/\(.*/, "", name)
    if (name == "restart_syscall" && pid in interrupted) name = interrupted[pid]
    if (!starts_anew(pid, name)) {
        counted_call[pid] = !silent[pid]
        if (!silent[pid]) calls[name]++
    }
    result(pid, name, line)
    if (ends_program(name, line)) silent[pid] = 1
}
END {
    for (name in calls) print name, calls[name], errors[name] + 0
    for (name in named) print name, named[name], 0
}
