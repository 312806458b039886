#!/bin/sh
# reckon run --whole, killed by SIGKILL at any moment: what it has supervised goes on as if it had never been there.
. "$TOP/tests/cli/helpers"
cat >calls.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A daemon of the program, of a session of its own, makes calls and tells how that went. */
int main(int argc, char **argv)
{
    if (fork() == 0) {
        setsid();
        FILE *told = fopen(argv[1], "w");
        setvbuf(told, NULL, _IONBF, 0);
        fprintf(told, "%d\n", getpid());
        for (int i = 0; i < atoi(argv[2]); i++) {
            if (syscall(SYS_getppid) < 0) {
                fprintf(told, "%s\n", strerror(errno));
                _exit(1);
            }
        }
        _exit(fprintf(told, "end\n") != 4);
    }
    wait(NULL);
    FILE *told = fopen(argv[1], "a");
    return argc < 3 || fprintf(told, "parent\n") != 7;
}
C
cc -O1 -o calls calls.c || exit 1

# While calls are made: one of them waits for the supervisor then.
for delay in 0 0.001 0.002 0.003 0.005 0.007 0.01 0.02 0.03 0.05; do
    rm -f told
    "$RECKON" run --whole -o report ./calls told 3000 2>/dev/null &
    reckon=$!
    wait_until [ -s told ]
    sleep $delay
    kill -9 $reckon
    wait $reckon 2>/dev/null
    wait_until grep -q parent told || break
    same "what the program tells after $delay s" "end parent" "$(sed 1d told | tr '\n' ' ' | sed 's/ $//')"
done

# While it begins: it runs as a whole, or not at all, and nobody is left hanging.
for delay in 0.001 0.002 0.003 0.004 0.005 0.006 0.007 0.008 0.01 0.02; do
    rm -f told
    setsid sh -c 'echo $$ >group; exec "$0" run --whole -o report ./calls told 1' "$RECKON" 2>/dev/null &
    reckon=$!
    sleep $delay
    kill -9 $reckon
    wait $reckon 2>/dev/null
    # shellcheck disable=SC2317  # by wait_until
    nobody() { ! pgrep -g "$(cat group)" >/dev/null; }
    if [ -s group ]; then wait_until nobody; fi
    [ ! -s told ] || wait_until grep -q parent told
done

# Who keeps the calls going has none of the command's files open, and ends with its last descendant.
rm -f told
"$RECKON" run --whole -o report ./calls told 200000 >out 2>&1 &
reckon=$!
wait_until [ -s told ]
keeper=$(pgrep -P $reckon -x keeper)
[ -n "$keeper" ] || bad "there is no keeper"
same "the keeper's files" "" "$(find /proc/"$keeper"/fd -lname '/*' -printf '%l ')"
kill -9 $reckon "$(sed -n 1p told)"
wait_until gone "$keeper"
finish
