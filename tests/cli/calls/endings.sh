#!/bin/sh
# However it ends - nobody reads on, Ctrl-C at any moment - the status says so and no file is left.
. "$TOP/tests/cli/helpers"
mkdir tmp bin
TMPDIR=$PWD/tmp
export TMPDIR

# nothing_left WHEN
nothing_left() {
    same "left in TMPDIR $1" "" "$(ls -A tmp)"
    same "temporary files $1" "" "$(find . -maxdepth 1 -name '*.??????')"
}

# group COMMAND...: in the background, as the leader of a group of its own that gets SIGINT as on a terminal; returns
# when it has become reckon, since before that the shell has SIGINT ignored.
group() {
    env --default-signal=INT,QUIT,PIPE setsid "$@" >out 2>err &
    driver=$!
    wait_until runs $driver reckon
}

# ended STATUS WHEN: what the group's leader ended with.
ended() {
    wait $driver 2>/dev/null
    same "status $2" "$1" $?
    nothing_left "$2"
}

# Nobody reads: quietly, as other programs end then.
for arguments in 'ls --runs=1' 'ls --runs=1 --format=json' 'run -o - true' 'compare true' rump 'gauss local --count=1000'; do
    # shellcheck disable=SC2086 # several words
    unread env --default-signal=PIPE "$RECKON" $arguments 2>err
    same "status of $arguments without a reader" 141 $?
    silent err
    nothing_left "after $arguments without a reader"
done
same "first line" "20 files" "$("$RECKON" ls --runs=1 2>err | head -n 1)"
silent err
# Where SIGPIPE is ignored the write fails, which is no fault of ours either.
unread env --ignore-signal=PIPE "$RECKON" run -o - true 2>err
same "status with SIGPIPE ignored" 0 $?
silent err
unread env --default-signal=PIPE sh -c 'exec "$0" run true 2>&1' "$RECKON"
same "status of run without a reader of its report" 141 $?
# Nobody reads the messages, and there is a directory to remove.
unread env --default-signal=PIPE sh -c 'exec "$0" ls --variant=--nosuchoption 2>&1' "$RECKON"
same "status without a reader of messages" 141 $?
nothing_left "without a reader of messages"

# Ctrl-C at any moment: making files, counting, timing, removing.
for delay in 0 0.02 0.05 0.1 0.2 0.3 0.5 0.8; do
    group "$RECKON" ls --files=2000 --runs=1000 -o report
    sleep $delay
    kill -INT -$driver
    ended 130 "after SIGINT at $delay s of ls"
    [ ! -e report ] || bad "an interrupted ls has written its report"
    silent out
done
group "$RECKON" compare "sh -c 'echo x >started; exec sleep 1000'" true
wait_until [ -s started ]
kill -INT -$driver
ended 130 "after SIGINT in compare"
rm started
group "$RECKON" run sh -c 'echo x >started; exec sleep 1000'
wait_until [ -s started ]
kill -INT -$driver
ended 130 "after SIGINT in run"

# On a real terminal.
: >out
{ wait_until grep -q timing out; printf '\003'; wait_until [ -s status ]; } |
    { script -qec "'$RECKON' ls --files=2000 --runs=1000" /dev/null >out; echo $? >status; }
same "status after Ctrl-C" 130 "$(cat status)"
nothing_left "after Ctrl-C"

# While gnuplot draws, which is in our group on a terminal; alone, we wait for it.
cat >bin/gnuplot <<'END'
#!/bin/sh
[ "$1" = --version ] && exit
echo picture
echo >drawing
[ -z "$SLOWLY" ] || exec sleep 1000
read -r line <go
END
chmod +x bin/gnuplot
for arguments in 'ls --runs=1 --plot=a.svg' 'run --plot=a.svg ls' 'compare --plot=a.svg ls ls'; do
    rm -f drawing
    # shellcheck disable=SC2086 # several words
    group env SLOWLY=yes PATH="$PWD/bin:$PATH" "$RECKON" $arguments
    wait_until [ -e drawing ]
    kill -INT -$driver
    ended 130 "after SIGINT while gnuplot draws for $arguments"
    if grep reckon: err; then bad "a message after SIGINT while gnuplot draws for $arguments"; fi
    [ ! -e a.svg ] || bad "half a picture is left"
done
rm -f drawing
mkfifo go
group env PATH="$PWD/bin:$PATH" "$RECKON" run --plot=a.svg ls
wait_until [ -e drawing ]
kill -TERM $driver
echo >go
ended 143 "after SIGTERM while gnuplot draws"
same "the picture" picture "$(cat a.svg)"
same "left behind" "" "$(left_behind)"
finish
