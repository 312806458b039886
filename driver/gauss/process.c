/* Programs started, read from and ended. */
#include "process.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/timing.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void execute(char *const argv[], int input, int output)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    execvp(argv[0], argv);
    errors_say_errno(errno, "%s", argv[0]);
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

/* A descriptor from which `input` can be read. */
static int open_input(const char *input)
{
    if (!input)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    FILE *file = tmpfile();
    if (!file)
        return -1;
    fputs(input, file);
    rewind(file);
    int descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
    fclose(file);
    return descriptor;
}

int process_start(struct process *process, char *const argv[], const char *input)
{
    int ends[2] = { -1, -1 }, descriptor = open_input(input);
    *process = (struct process){ .output = -1 };
    if (descriptor < 0 || pipe2(ends, O_CLOEXEC) || (process->pid = fork()) < 0) {
        errors_say_errno(errno, "%s", argv[0]);
        close(descriptor);
        return -1;
    }
    if (process->pid == 0)
        execute(argv, descriptor, ends[1]);
    close(descriptor);
    close(ends[1]);
    process->output = ends[0];
    fcntl(process->output, F_SETFL, O_NONBLOCK);
    return 0;
}

/* Read more; false at the end. */
static bool read_more(struct process *process)
{
    process->text = memory_realloc(process->text, process->length + 4096, 1);
    ssize_t count = read(process->output, process->text + process->length, 4096);
    if (count > 0)
        process->length += (size_t)count;
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

char *process_line(struct process *process, double deadline)
{
    for (;;) {
        char *newline = process->length ? memchr(process->text, '\n', process->length) : NULL;
        if (newline) {
            size_t length = (size_t)(newline - process->text);
            char *line = memory_format("%.*s", (int)length, process->text);
            process->length -= length + 1;
            memmove(process->text, newline + 1, process->length);
            return line;
        }
        double left = deadline - timing_wall();
        struct pollfd readable = { .fd = process->output, .events = POLLIN };
        if (left <= 0)
            return NULL;
        if (poll(&readable, 1, left < 1e6 ? (int)(left * 1000) + 1 : -1) > 0 && !read_more(process))
            return NULL;
    }
}

int process_end(struct process *process, int signal)
{
    int status = 0;
    if (signal)
        kill(process->pid, signal);
    close(process->output);
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    free(process->text);
    *process = (struct process){ .output = -1 };
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
