/* Hold all signals back for a short while, in which something must not be left half done. */
#include "hold.h"

#include <stddef.h>

void hold_begin(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, before);
}

void hold_end(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

bool hold_pending(void)
{
    static const int fatal[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };
    sigset_t waiting;
    sigpending(&waiting);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (sigismember(&waiting, fatal[i]))
            return true;
    return false;
}

void hold_nothing(void)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
