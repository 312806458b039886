/* Programs started, read from and ended. */
#include "process.h"

#include "common/errors.h"
#include "common/timing.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void execute(char *const argv[], int output)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    execvp(argv[0], argv);
    errors_say_errno(errno, "%s", argv[0]);
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

int process_start(struct process *process, char *const argv[])
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) || (process->pid = fork()) < 0) {
        errors_say_errno(errno, "%s", argv[0]);
        return -1;
    }
    if (process->pid == 0)
        execute(argv, ends[1]);
    close(ends[1]);
    process->output = ends[0];
    return 0;
}

char *process_line(struct process *process, double deadline)
{
    char *line = NULL, character;
    size_t size;
    FILE *stream = open_memstream(&line, &size);
    struct pollfd readable = { .fd = process->output, .events = POLLIN };
    bool whole = false;
    while (stream && !whole) {
        double left = deadline - timing_wall();
        int count = poll(&readable, 1, left > 1e6 ? -1 : left > 0 ? (int)(left * 1000) + 1 : 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0 || read(process->output, &character, 1) != 1)
            break;
        whole = character == '\n';
        fputc(whole ? '\0' : character, stream);
    }
    if (stream)
        fclose(stream);
    if (!whole) {
        free(line);
        return NULL;
    }
    return line;
}

int process_end(struct process *process, int signal)
{
    int status = 0;
    if (signal)
        kill(process->pid, signal);
    close(process->output);
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
