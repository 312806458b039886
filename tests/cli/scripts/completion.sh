#!/bin/sh
# Completion, by the shells themselves: a bash in a terminal gets TABs, fish is asked; zsh reads its file.
. "$TOP/tests/cli/helpers"
build=${RECKON%/*}
make -s -C "$TOP" B="$build" CC="${CC:-cc}" "$build/completion/reckon" "$build/completion/_reckon" \
    "$build/completion/reckon.fish" || bad "no completions"
mkdir -p share/bash-completion/completions bin work/folder
cp "$build/completion/reckon" share/bash-completion/completions/reckon
cp "$build/completion/reckon" share/bash-completion/completions/countcalls
ln -s "$RECKON" bin/reckon
ln -s "$COUNTCALLS" bin/countcalls
: >work/report.json
PATH=$PWD/bin:$PATH
export PATH

# completes TYPED EXPECTED...: what stands on the line, or is listed, after TYPED and two TABs.
cat >session.py <<'END'
import os, pty, select, signal, sys, time
typed, expected, framework = sys.argv[1], sys.argv[2:], "/usr/share/bash-completion/bash_completion"
environment = dict(os.environ, TERM="dumb", PS1="prompt> ", XDG_DATA_DIRS=os.getcwd() + "/share", INPUTRC="/dev/null")
child, terminal = pty.fork()
if child == 0:
    os.chdir("work")
    os.execvpe("bash", ["bash", "--norc", "--noprofile", "-i"], environment)
seen = b""
def wait(texts, start):
    global seen
    end = time.monotonic() + 15
    while not all(text in seen[start:] for text in texts) and time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            seen += os.read(terminal, 65536)
    return len(seen)
wait([b"prompt> "], 0)
if not os.path.exists(framework):
    framework = environment["XDG_DATA_DIRS"] + "/bash-completion/completions/reckon"
os.write(terminal, f"bind 'set bell-style none'; bind 'set page-completions off'; . {framework}; echo ready''now\n".encode())
at = wait([b"readynow\r\nprompt> "], 0)
os.write(terminal, typed.encode() + b"\t\t")
wait([text.encode() for text in expected], at)
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
print(seen[at:].decode(errors="replace").replace("\r", ""))
END
completes() {
    typed=$1
    shift
    try 0 python3 session.py "$typed" "$@"
    silent err
    for expected; do
        grep -qF -e "$expected" out || bad "'$typed' TAB TAB does not give '$expected' but: $(tr '\n' '|' <out)"
    done
}
completes 'reckon run --f' --family= --format=
completes 'reckon run --fo' 'reckon run --format='
completes 'reckon run --format=j' 'reckon run --format=json'
completes 'reckon run --family=get' getxattr getdents
completes 'reckon run -f c' 'reckon run -f csv'
completes 'reckon run --level=' both syscalls
completes 'reckon run --color=al' 'reckon run --color=always'
completes 'reckon run --color mkfif' 'reckon run --color mkfifo'
completes 'reckon ' compare merge rump
completes 'reckon me' 'reckon merge'
completes 'reckon merge --so' 'reckon merge --sort='
completes 'reckon merge re' 'reckon merge report.json'
completes 'reckon ls --directory=f' 'reckon ls --directory=folder'
completes 'reckon run --time -- seque' 'seque'
completes 'reckon run mkfif' 'reckon run mkfifo'
completes 'countcalls -l s' 'countcalls -l syscalls'
completes 'countcalls -f json mkfif' 'countcalls -f json mkfifo'

completes 'reckon run -f p' 'reckon run -f prometheus'

# A process that is counted is offered, and no other.
mkfifo stay
"$RECKON" run -o report sh -c ': >counted; read x' <stay &
exec 7>stay
wait_until test -e counted
pid=$(pgrep -P $! -x sh)
completes "reckon show ${pid%?}" "$pid"
completes "reckon top --once ${pid%?}" "$pid"
if command -v fish >/dev/null; then
    # shellcheck disable=SC2016 # of fish
    try 0 fish --no-config -c 'source $argv[1]; complete -C "reckon show "' "$build/completion/reckon.fish"
    says out "$pid"
    grep -qx $$ out && bad "fish offers this shell, which is not counted"
fi
bash -c '. "$0"; _reckon_counted' "$build/completion/reckon" >out
says out "$pid"
grep -qx $$ out && bad "a process is offered that is not counted"
exec 7>&-
wait

# Every option of the option tables is there, and nothing else is offered.
words() {
    bash -c '. "$0"; _reckon_table "$1"' "$build/completion/reckon" "$1" | tr ' ' '\n' | sed -n '/^--/s/=.*//p; t; /^--/p' | sort
}
for mode in $("$RECKON" --help | sed -n '/^Examples/q; s/^  reckon \([a-z]*\)  .*/\1/p'); do
    parts=$("$RECKON" "$mode" --help | sed -n "/^Examples/q; s/^  reckon $mode \([a-z]*\)  .*/\1/p")
    for part in ${parts:-''}; do
        same "options of $mode $part" \
            "$("$RECKON" "$mode" ${part:+"$part"} --help |
                sed -n '/^Examples/q; s/^  \(-., \|    \)\(--[a-z0-9-]*\).*/\2/p' | sort)" \
            "$(words "reckon $mode${part:+ $part}")"
    done
done

if command -v fish >/dev/null; then
    HOME=$PWD fish --no-config -c 'source $argv[1]; complete -C "reckon run --fo"
        complete -C "reckon merge --sort=n"' "$build/completion/reckon.fish" >out 2>err
    silent err
    says out --format
    says out --sort=name
fi
if command -v zsh >/dev/null; then try 0 zsh -n "$build/completion/_reckon"; fi
finish
