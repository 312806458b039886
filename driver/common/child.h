/* Run another program to its end. */
#ifndef COMMON_CHILD_H
#define COMMON_CHILD_H

#include <stdio.h>

/* Run argv (found along PATH) with standard input read from the start of `input`, standard output written to `output`
 * and standard error to `errors`; NULL leaves that stream as it is. It is ended after `seconds`, and when it writes a
 * file of more than `bytes`; 0: no limit. Returns its exit status, 128 + the signal that ended it, EXIT_NOT_FOUND for
 * no such program, or EXIT_OURS after saying why. */
int child_run(char *const argv[], FILE *input, FILE *output, FILE *errors, unsigned seconds,
              size_t bytes);

#endif
