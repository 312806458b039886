/* Start a command exactly as a shell would start it, and wait for it. */
#include "launch.h"

#include "calls/words.h"
#include "calls/whole/filter.h"
#include "calls/whole/supervisor.h"
#include "common/errors.h"
#include "common/hold.h"
#include "common/memory.h"
#include "common/timing.h"
#include "interrupt.h"
#include "shim/table/program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int exit_status_of(int number)
{
    return number == ENOENT || number == ENOTDIR ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
}

/* Whether only a shell knows such a command: a pipe or another operator in one argument, a variable, a builtin. */
static bool is_shell_text(const char *text)
{
    static const char *const builtins[] = { ".", ":", "alias", "cd", "eval", "exec", "export", "read", "set", "shift",
                                            "source", "trap", "type", "ulimit", "umask", "unset", "wait" };
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (!strcmp(text, builtins[i]))
            return true;
    return strpbrk(text, " \t\n|;&<>(){}`$") || strchr(text, '=');
}

/* The command as an argument of sh -c: one text stays as it is, several words are one of the shell's commands. */
static void suggest_shell(char *const *words)
{
    char *text = words[1] ? words_text(words) : memory_strdup(words[0]);
    char *shell[] = { "sh", "-c", text, NULL }, *shown = words_text(shell);
    errors_say("a shell would run this as: %s", shown);
    free(shown);
    free(text);
}

int launch_find(const struct launch *launch, char **path)
{
    char found[PATH_MAX];
    int number = program_find(launch->argv[0], getenv("PATH"), found, sizeof found);
    if (number) {
        errors_say_errno(number, "command: %s", launch->argv[0]);
        if (number == ENOENT && is_shell_text(launch->argv[0]))
            suggest_shell(launch->argv);
        return exit_status_of(number);
    }
    *path = launch->directory && *found != '/' ? realpath(found, NULL) : memory_strdup(found);
    if (*path)
        return 0;
    errors_say_errno(errno, "command: %s", found);
    return EXIT_NOT_FOUND;
}

/* What the child needs, made before it exists. */
struct plan {
    const struct launch *launch;
    const char *path;
    char **shell;        /* a text without #! is run by /bin/sh, as execvp does; NULL for other files */
    char **environment;
    sigset_t mask;
    bool refused;        /* the supervisor could not be installed */
};

static char **shell_arguments(const struct launch *launch, const char *path)
{
    size_t count = 0;
    if (!program_is_text(path))
        return NULL;
    while (launch->argv[count])
        count++;
    char **arguments = memory_calloc(count + 2, sizeof *arguments);
    arguments[0] = (char *)"/bin/sh";
    arguments[1] = (char *)path;
    memcpy(arguments + 2, launch->argv + 1, count * sizeof *arguments);
    return arguments;
}

/* In the child, which after vfork shares our memory but not our descriptors: returns an errno if it cannot start. */
static int become(struct plan *plan)
{
    if (plan->launch->directory && chdir(plan->launch->directory))
        return errno;
    if (plan->launch->quiet) {
        int null = open("/dev/null", O_RDWR);
        if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0)
            return errno;
        if (null > STDERR_FILENO)
            close(null);
    }
    interrupt_restore_in_child();
    hold_end(&plan->mask);
    int number = plan->launch->supervisor ? supervisor_install(plan->launch->supervisor) : 0;
    plan->refused = number;
    if (number)
        return number;
    execve(plan->path, plan->launch->argv, plan->environment);
    if (errno == ENOEXEC && plan->shell)
        execve(plan->shell[0], plan->shell, plan->environment);
    return errno;
}

/* All signals are held back until the child has its own dispositions, and until we know whom to pass them on to. */
static pid_t start(struct plan *plan, int *failure)
{
    volatile int number = 0;
    hold_begin(&plan->mask);
    pid_t child = vfork();
    if (child == 0) {
        number = become(plan);
        _exit(EXIT_NOT_FOUND);
    }
    if (child < 0)
        number = errno;
    interrupt_set_child(child > 0 ? child : 0);
    hold_end(&plan->mask);
    *failure = number;
    return child;
}

/* First wait without reaping: until then the process id stays the child's, and a signal can be passed on to it. */
static void wait_for(pid_t child, struct launch_end *end)
{
    siginfo_t information;
    while (waitid(P_PID, (id_t)child, &information, WEXITED | WNOWAIT) && errno == EINTR)
        continue;
    interrupt_set_child(0);
    while (wait4(child, &end->status, 0, &end->usage) < 0 && errno == EINTR)
        continue;
}

int launch_run(const struct launch *launch, const char *path, char **environment, struct launch_end *end)
{
    int failure = 0;
    struct plan plan = { launch, path, shell_arguments(launch, path), environment, { { 0 } }, false };
    double begin = timing_wall();
    pid_t child = start(&plan, &failure);
    if (child > 0)
        wait_for(child, end);
    end->real_s = timing_wall() - begin;
    free(plan.shell);
    if (!failure)
        return 0;
    if (plan.refused && launch->tentative)
        return EXIT_OURS;
    if (plan.refused) {
        errors_say("whole run: %s (%s); without --whole the command can still be counted",
                   filter_obstacle(failure), strerror(failure));
        return EXIT_OURS;
    }
    errors_say_errno(failure, "command: %s", launch->argv[0]);
    return child < 0 ? EXIT_OURS : exit_status_of(failure);
}

int launch_exit_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
