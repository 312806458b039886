/* Error messages, in one place: `reckon: what: path: strerror`; and the statuses that we exit with after them. */
#ifndef COMMON_ERRORS_H
#define COMMON_ERRORS_H

#include "exits.h"

/* Write "reckon: " and the message, with a newline, to standard error. */
void errors_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same, followed by ": " and strerror(number). */
void errors_say_errno(int number, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
