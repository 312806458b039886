/* Runs a command under the library, with a counter table made as the driver makes it, and tells what was counted. */
#ifndef TESTS_COUNTED_H
#define TESTS_COUNTED_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "shim/table/counters.h"

/* How to run it. All zero: under build/libcount.so, library calls only, in an environment like ours. */
struct counted_setup {
    uint32_t flags;                  /* of the table: enum counters_flags; 0: COUNTERS_CALLS. COUNTERS_DRIVER is added */
    bool native;                     /* without the library */
    bool bare;                       /* without a table of ours: the library makes its own and prints its report */
    const char *library;             /* instead of build/libcount.so */
    const char *first, *last;        /* other entries of LD_PRELOAD, before and behind the library */
    const char *const *environment;  /* "NAME=value" to set, "NAME" to remove; NULL ends */
    void (*prepare)(void);           /* called in the child before it executes the command */
    const char *folder;              /* its working directory */
    bool merged;                     /* standard error goes to standard output */
};

/* What came of it. */
struct counted {
    struct counters_table *table;    /* NULL with `native` and `bare` */
    int process;                     /* id of the process that ran it */
    int status;                      /* as of waitpid() */
    char *output, *errors;           /* standard output and standard error, with a NUL behind */
    size_t output_size, errors_size;
};

#if __GNUC__ < 11 && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"  /* not those that a name was given for, later */
#endif
#define SETUP(...) (&(const struct counted_setup){ __VA_ARGS__ })
#define ENVIRONMENT(...) (const char *const[]){ __VA_ARGS__, NULL }
#define RUN(setup, ...) counted_run(setup, (const char *const[]){ __VA_ARGS__, NULL })

/* Run a command found by PATH to its end, at most 10 minutes. The test fails where it cannot be started. */
struct counted counted_run(const struct counted_setup *setup, const char *const *command);
void counted_free(struct counted *run);

struct counted_sum {
    uint64_t calls, errors;
};

/* Calls and errors of the row of a library function. */
struct counted_sum counted_row(const struct counted *run, const char *name);
uint64_t counted_total(const struct counted *run);  /* calls of all library functions */
const char *counted_note(const struct counted *run, size_t n);  /* the n-th note of what was not counted, or NULL */

/* The test fails, with what the command wrote to standard error, unless ... */
#define assert_calls(run, name, wanted) counted_assert_calls(run, name, wanted, __FILE__, __LINE__)
#define assert_errors(run, name, wanted) counted_assert_errors(run, name, wanted, __FILE__, __LINE__)
#define assert_exit(run, wanted) counted_assert_exit(run, wanted, __FILE__, __LINE__)      /* it exited with this */
#define assert_signal(run, wanted) counted_assert_signal(run, wanted, __FILE__, __LINE__)  /* this signal killed it */
void counted_assert_calls(const struct counted *run, const char *name, uint64_t wanted, const char *file, int line);
void counted_assert_errors(const struct counted *run, const char *name, uint64_t wanted, const char *file, int line);
void counted_assert_exit(const struct counted *run, int wanted, const char *file, int line);
void counted_assert_signal(const struct counted *run, int wanted, const char *file, int line);

/* The same command with these settings and without the library: same status, standard output and standard error. */
#define assert_same_as_native(setup, ...) \
    counted_assert_native(setup, (const char *const[]){ __VA_ARGS__, NULL }, __FILE__, __LINE__)
void counted_assert_native(const struct counted_setup *setup, const char *const *command, const char *file, int line);

/* Absolute paths, never freed. */
const char *counted_built(const char *name);   /* build/NAME */
const char *counted_source(const char *name);  /* NAME in the source tree */
#define FIXTURE(name) counted_built("tests/fixture/" name)
#define LIBRARY counted_built("libcount.so")

/* build/NAME made of tests/fixture/SOURCE.c: with CC, the variable's own or cc, or with another compiler that `flags`
 * begins with ("musl-gcc -static"). NULL where it cannot be made. */
const char *counted_compiled(const char *name, const char *source, const char *flags);

/* A fresh directory below TMPDIR; counted_remove() removes it with all that is in it. */
char *counted_folder(void);
void counted_remove(char *folder);
char *counted_read(const char *path);          /* a whole file, to be freed; NULL where there is none */
char *counted_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
