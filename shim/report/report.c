/* The report of the bare library: what the root prints when it ends, to the standard error that it began with or to
 * LIBCOUNT_OUTPUT. Written with raw system calls from memory of its own: the program's streams and allocator may be
 * gone by then. */
#include "report/report.h"

#include "counters.h"
#include "filter/seal.h"
#include "objects.h"
#include "report/kept.h"
#include "report/render.h"
#include "settings.h"
#include "table/file.h"
#include "table/kernel.h"
#include "wrap/real.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

bool report_root;

static const char *table_name;
static struct text command;            /* the arguments one after the other, each with its final 0 */
static char rows_room[1 << 18];        /* what the report needs beside the command */
static struct text report = { rows_room, rows_room, rows_room + sizeof rows_room };
static int exit_status = -1;
static int descriptor = -1;            /* where it goes */
static bool printed, failed;
static bool sealed;                    /* behind the program's seccomp filter, where only writing is safe */

/* The first handler that is registered is the last that runs, behind all destructors: their calls are counted, and
 * the status is known. */
static void at_exit(int status, void *unused)
{
    (void)unused;
    exit_status = status & 0xff;
    if (!dispatch_armed)
        report_print(exit_status);
}

/* musl has no on_exit; its destructors run in the reverse order of constructors, ours last. Only exit() knows the status. */
static __attribute__((destructor)) void at_unload(void)
{
    if (objects_musl() && !dispatch_armed)
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
    kept_begin();
    void (*at_quick_exit)(void (*)(void *), void *) = real_symbol("__cxa_at_quick_exit");
    if (at_quick_exit)
        at_quick_exit(after_quick_exit, NULL);
    int (*at_end)(void (*)(int, void *), void *) = real_symbol("on_exit");
    if (at_end)  /* libc's: the program may have one of its own that is not ready yet */
        at_end(at_exit, NULL);
}

void report_quick(int status)
{
    exit_status = status & 0xff;
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

static void keep_output(void)
{
    if (settings.output && kept_output.number < 0)
        kept_output = kept_take(open_output());
}

void report_keep(void)
{
    if (!report_root)
        return;
    keep_output();
    if (table_name && kept_folder.number < 0)
        kept_folder = kept_take(file_folder(table_name));
}

static bool write_all(const struct text *text)
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
static bool write_quietly(const struct text *text)
{
    uint64_t held = UINT64_C(1) << (SIGPIPE - 1) | UINT64_C(1) << (SIGXFSZ - 1), before = 0;
    struct timespec now = { 0, 0 };
    kernel_call(SYS_rt_sigprocmask, SIG_BLOCK, &held, &before, 8);
    bool written = write_all(text);
    while (!written && kernel_call(SYS_rt_sigtimedwait, &held, NULL, &now, 8) > 0) {
    }
    kernel_call(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, 8);
    return written;
}

static void flush(struct text *text)
{
    if (!failed)
        failed = !(sealed ? write_all(text) : write_quietly(text));
    text->next = text->start;
}

static void make_room(struct text *text, size_t size)
{
    if ((size_t)(text->end - text->next) < size)
        flush(text);
}

void report_seal(void)
{
    if (report_root) {
        keep_output();
        sealed = true;
    }
}

static int destination(void)
{
    if (sealed)
        return settings.output ? kept_output.number : 2;
    if (!settings.output)
        return kept_standard_error();
    return kept_is(kept_output.number, &kept_output) ? kept_output.number : open_output();
}

void report_print(int status)
{
    if (printed || dispatch_mute || !report_root || !counters_table || kernel_call(SYS_getpid) != counters_table->root)
        return;
    printed = true;
    descriptor = destination();
    if (descriptor >= 0) {
        render(&report, status < 0 ? exit_status : status, &command, make_room);
        flush(&report);
    }
    if (sealed)
        return;
    if (settings.output && (descriptor < 0 || failed))
        text_warn(kept_standard_error(), "LIBCOUNT_OUTPUT=", settings.output,
                  descriptor < 0 ? ": cannot be opened; no report" : ": cannot be written; no full report");
    if (descriptor > 2)
        kernel_call(SYS_close, descriptor);
    int folder = kept_is(kept_folder.number, &kept_folder) ? kept_folder.number : -1;
    if (table_name && file_links(table_name, real_own_path()))
        file_remove(real_own_path(), folder);
    if (table_name)
        file_remove(table_name, folder);
}
