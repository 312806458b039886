#!/bin/sh
# Programs that bring a machine of their own do what they do uncounted: valgrind's tools, and the sanitizers, which claim
# parts of the address space.
. "$TOP/tests/cli/helpers"

cat >threads.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *argument)
{
    for (int i = 0; i < 23; i++) {
        close(dup(1));
        pthread_mutex_lock(&lock);
        sum += getppid() > 0;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}
int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    printf("%d\n", sum);
    return 7;
}
END
${CC:-cc} -g threads.c -o threads -pthread || bad "threads.c: not compiled"

# counted HOW COMMAND...: its output and status are 69 and 7.
counted() {
    how=$1
    shift
    # shellcheck disable=SC2086 # options
    try 7 "$RECKON" run $how -o report -- "$@"
    same "output of $* with $how" 69 "$(cat out)"
    same "errors of $* with $how" '' "$(cat err)"
}

for tool in memcheck helgrind drd none; do
    for level in calls syscalls both; do
        counted "--level=$level" valgrind --tool="$tool" -q --error-exitcode=9 --log-file=log ./threads
        silent log
    done
done
says report 'emulated'

for sanitizer in thread address; do
    ${CC:-cc} -g -fsanitize=$sanitizer threads.c -o "$sanitizer" -pthread || { bad "$sanitizer: not compiled"; continue; }
    for how in --level=both --level=calls --whole '--whole --level=both'; do
        counted "$how" "./$sanitizer"
    done
done
finish
