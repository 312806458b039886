/* Signals that reach the driver while a command runs. */
#include "interrupt.h"

#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>

/* SIGPIPE: a message of ours that nobody reads any more. SIGCHLD is here because a parent that ignores it would lose
 * the command's exit status. */
static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD };
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static struct sigaction before[NUMBERS];
static volatile sig_atomic_t noted;
static volatile sig_atomic_t child_process;

/* A signal of the terminal (si_code above 0) goes to the whole foreground group: only others are passed on. */
static void note(int number, siginfo_t *information, void *context)
{
    (void)context;
    noted = number;
    if ((number == SIGTERM || number == SIGHUP) && information->si_code <= 0 && child_process > 0)
        kill((pid_t)child_process, number);
}

void interrupt_begin(void)
{
    for (int i = 0; i < NUMBERS; i++) {
        struct sigaction action = { .sa_sigaction = note, .sa_flags = SA_SIGINFO };
        sigaction(numbers[i], NULL, &before[i]);
        if (numbers[i] == SIGCHLD)
            action = (struct sigaction){ .sa_handler = SIG_DFL };
        else if (before[i].sa_handler == SIG_IGN)
            continue;
        sigaction(numbers[i], &action, NULL);
    }
}

void interrupt_end(void)
{
    for (int i = 0; i < NUMBERS; i++)
        sigaction(numbers[i], &before[i], NULL);
}

void interrupt_restore_in_child(void)
{
    interrupt_end();
}

void interrupt_set_child(pid_t child)
{
    child_process = child;
}

int interrupt_noted(void)
{
    return noted;
}

void interrupt_die(int number)
{
    sigset_t set;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
    signal(number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}
