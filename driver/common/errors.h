/* Error messages and exit statuses, in one place: `reckon: what: path: strerror`. */
#ifndef COMMON_ERRORS_H
#define COMMON_ERRORS_H

#include <stddef.h>

/* Exit statuses as env(1) and timeout(1) use them; USAGE is for bad input to the numeric modes. */
enum exit_status {
    EXIT_USAGE = 2,             /* the input of gauss or rump cannot be used */
    EXIT_OURS = 125,            /* reckon itself failed */
    EXIT_NOT_EXECUTABLE = 126,  /* the command was found but cannot be run */
    EXIT_NOT_FOUND = 127,       /* no such command */
};

/* Write "reckon: " and the message, with a newline, to standard error. */
void errors_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, followed by ": " and strerror(number). */
void errors_say_errno(int number, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* calloc, realloc and strdup that never return NULL: without memory the driver says so and ends with EXIT_OURS. */
void *errors_calloc(size_t count, size_t size);
void *errors_realloc(void *old, size_t count, size_t size);
char *errors_strdup(const char *text);
char *errors_format(const char *format, ...) __attribute__((format(printf, 1, 2)));  /* a new string */

#endif
