/* Run another program to its end. */
#include "child.h"

#include "errors.h"
#include "hold.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* In the child: only calls that are safe after fork. */
static void become(char *const argv[], const int *descriptor, unsigned seconds, size_t bytes)
{
    for (int i = 0; i < 3; i++)
        if (descriptor[i] >= 0 && dup2(descriptor[i], i) < 0)
            _exit(EXIT_OURS);
    signal(SIGALRM, SIG_DFL);
    hold_nothing();
    alarm(seconds);  /* this and the limit survive exec */
    if (bytes)
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ bytes, bytes });
    execvp(argv[0], argv);
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

int child_run(char *const argv[], FILE *input, FILE *output, FILE *errors, unsigned seconds,
              size_t bytes)
{
    FILE *streams[] = { input, output, errors };
    int descriptor[3], status;
    for (int i = 0; i < 3; i++)
        descriptor[i] = streams[i] ? fileno(streams[i]) : -1;
    if (input) {
        fflush(input);
        lseek(descriptor[0], 0, SEEK_SET);
    }
    if (output)
        fflush(output);
    pid_t child = fork();
    if (child == 0)
        become(argv, descriptor, seconds, bytes);
    if (child < 0) {
        errors_say_errno(errno, "fork: %s", argv[0]);
        return EXIT_OURS;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            errors_say_errno(errno, "wait: %s", argv[0]);
            return EXIT_OURS;
        }
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
