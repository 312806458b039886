/* The report of the bare library: what the root prints when it ends, to the standard error that it began with or to
 * LIBCOUNT_OUTPUT. Written with raw system calls from memory of its own: the program's streams and allocator may be
 * gone by then. */
#include "shim.h"

#include "table/file.h"
#include "table/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

bool report_root;

static const char *table_name;
static struct text command;            /* the arguments one after the other, each with its final 0 */
static char rows_room[1 << 18];        /* what the report needs beside the command */
static struct text report = { rows_room, rows_room, rows_room + sizeof rows_room };
static int exit_status = -1;
static bool printed, sealed;           /* sealed: behind the program's seccomp filter, where only writing is safe */

/* A descriptor for the report, and the file that it was: what got its number later is not it. */
struct kept {
    int number;
    struct stat status;
};
static struct kept standard = { .number = 2 }, kept_stderr = { .number = -1 }, kept_output = { .number = -1 },
                   kept_folder = { .number = -1 };  /* of the table */
static struct kept *const all_kept[] = { &kept_stderr, &kept_output, &kept_folder };
enum { ALL_KEPT = sizeof all_kept / sizeof *all_kept };

/* The first handler that is registered is the last that runs, behind all destructors: their calls are counted, and
 * the status is known. */
static void at_exit(int status, void *unused)
{
    (void)unused;
    exit_status = status & 0xff;
    if (!dispatch_armed)
        report_print(exit_status);
}

static void after_quick_exit(void *unused)
{
    (void)unused;
    report_print(exit_status);
}

/* A program may change its arguments, so they are copied: here, or elsewhere where they are long, with room for a
 * report in which each of their bytes is six. */
static void copy_command(int argc, char **argv)
{
    static char room[2048];
    size_t size = 0;
    for (int i = 0; i < argc; i++)
        size += text_length(argv[i]) + 1;
    command = (struct text){ room, room, room + sizeof room };
    if (size > sizeof room) {
        size_t all = size + 6 * size + sizeof rows_room;
        long memory = kernel_call(SYS_mmap, 0, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (kernel_failed(memory))
            return;
        char *next = (char *)memory + size;
        command = (struct text){ (char *)memory, (char *)memory, next };
        report = (struct text){ next, next, (char *)memory + all };
    }
    for (int i = 0; i < argc; i++) {
        text_put(&command, argv[i]);
        text_char(&command, 0);
    }
}

void report_begin(int argc, char **argv, const char *name)
{
    table_name = name;
    copy_command(argc, argv);
    kernel_call(SYS_fstat, 2, &standard.status);
    void (*at_quick_exit)(void (*)(void *), void *) = real_symbol("__cxa_at_quick_exit");
    if (at_quick_exit)
        at_quick_exit(after_quick_exit, NULL);
    on_exit(at_exit, NULL);
}

void report_quick(int status)
{
    exit_status = status & 0xff;
}

static bool is(int number, const struct kept *kept)
{
    struct stat status;
    return number >= 0 && !kernel_failed(kernel_call(SYS_fstat, number, &status)) && kept->status.st_mode &&
           status.st_dev == kept->status.st_dev && status.st_ino == kept->status.st_ino;
}

/* A number so high that no program counts on it, below the limit. */
static struct kept keep(int descriptor)
{
    struct kept kept = { .number = -1 };
    struct rlimit limit = { 1024, 1024 };
    kernel_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, &limit);
    rlim_t top = limit.rlim_cur < 1024 ? limit.rlim_cur : 1024;
    if (top >= 32 && !kernel_failed(kernel_call(SYS_fstat, descriptor, &kept.status)))
        kept.number = (int)kernel_call(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, top - 16);
    return kept;
}

static struct kept keep_and_close(int descriptor)
{
    struct kept kept = keep(descriptor);
    if (descriptor >= 0)
        kernel_call(SYS_close, descriptor);
    return kept;
}

void report_keep_stderr(unsigned first, unsigned last)
{
    if (first <= 2 && last >= 2 && is(2, &standard) && !is(kept_stderr.number, &standard))
        kept_stderr = keep(2);
}

unsigned report_kept(unsigned first, unsigned last)
{
    unsigned lowest = ~0u;
    for (int i = 0; i < ALL_KEPT; i++) {
        unsigned number = (unsigned)all_kept[i]->number;
        if (first <= number && number <= last && number < lowest && is(all_kept[i]->number, all_kept[i]))
            lowest = number;
    }
    return lowest;
}

void report_move(unsigned number)
{
    for (int i = 0; i < ALL_KEPT; i++)
        if (all_kept[i]->number == (int)number && is(all_kept[i]->number, all_kept[i]))
            *all_kept[i] = keep(all_kept[i]->number);
}

/* LIBCOUNT_OUTPUT, where %p is the process id, %h the name of the host and %% a percent sign. */
static int open_output(void)
{
    char path[PATH_MAX];
    struct text text = { path, path, path + sizeof path - 1 };
    struct utsname host = { .nodename = "localhost" };
    kernel_call(SYS_uname, &host);
    for (const char *c = settings.output; *c; c++) {
        if (c[0] == '%' && c[1] == 'p')
            text_number(&text, (uint64_t)kernel_call(SYS_getpid), 0), c++;
        else if (c[0] == '%' && c[1] == 'h')
            text_put(&text, host.nodename), c++;
        else if (c[0] == '%' && c[1] == '%')
            text_char(&text, '%'), c++;
        else
            text_char(&text, *c);
    }
    *text.next = 0;
    return (int)kernel_call(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

void report_keep_output(void)
{
    if (!settings.output || kept_output.number >= 0)
        return;
    kept_output = keep_and_close(open_output());
}

void report_keep_folder(void)
{
    if (table_name && kept_folder.number < 0)
        kept_folder = keep_and_close(file_folder(table_name));
}

static bool write_all(int descriptor, const struct text *text)
{
    int waits = 0;
    for (const char *at = text->start; at < text->next;) {
        long written = kernel_call(SYS_write, descriptor, at, text->next - at);
        struct pollfd ready = { .fd = descriptor, .events = POLLOUT };
        struct timespec second = { 1, 0 };
        if (written == -EINTR)
            continue;
        if (written == -EAGAIN && waits++ < 3 && kernel_call(SYS_ppoll, &ready, 1, &second, NULL, 8) >= 0)
            continue;
        if (kernel_failed(written) || !written)
            return false;
        at += written;
    }
    return true;
}

/* A pipe that nobody reads and a limit of file size raise signals, which would end a program that wrote nothing: they
 * are held back and taken away. */
static bool write_quietly(int descriptor, const struct text *text)
{
    uint64_t held = UINT64_C(1) << (SIGPIPE - 1) | UINT64_C(1) << (SIGXFSZ - 1), before = 0;
    struct timespec now = { 0, 0 };
    kernel_call(SYS_rt_sigprocmask, SIG_BLOCK, &held, &before, 8);
    bool written = write_all(descriptor, text);
    while (!written && kernel_call(SYS_rt_sigtimedwait, &held, NULL, &now, 8) > 0) {
    }
    kernel_call(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, 8);
    return written;
}

void report_seal(void)
{
    if (report_root) {
        report_keep_output();
        sealed = true;
    }
}

static int standard_error(void)
{
    return is(2, &standard) ? 2 : is(kept_stderr.number, &standard) ? kept_stderr.number : -1;
}

static int destination(void)
{
    if (sealed)
        return settings.output ? kept_output.number : 2;
    if (!settings.output)
        return standard_error();
    return is(kept_output.number, &kept_output) ? kept_output.number : open_output();
}

void report_print(int status)
{
    if (printed || dispatch_mute || !report_root || !counters_table || kernel_call(SYS_getpid) != counters_table->root)
        return;
    printed = true;
    int descriptor = destination();
    bool written = false;
    if (descriptor >= 0) {
        report_text(&report, status < 0 ? exit_status : status, &command);
        written = sealed ? write_all(descriptor, &report) : write_quietly(descriptor, &report);
    }
    if (sealed)
        return;
    if (settings.output && !written)
        text_warn(standard_error(), "LIBCOUNT_OUTPUT=", settings.output,
                  descriptor < 0 ? ": cannot be opened; no report" : ": cannot be written; no full report");
    if (descriptor > 2)
        kernel_call(SYS_close, descriptor);
    int folder = is(kept_folder.number, &kept_folder) ? kept_folder.number : -1;
    if (table_name && file_links(table_name, real_own_path()))
        file_remove(real_own_path(), folder);
    if (table_name)
        file_remove(table_name, folder);
}
