/* How each system call is counted, and counting it. */
#ifndef DISPATCH_ROWS_H
#define DISPATCH_ROWS_H

#include <stdint.h>

/* How a system call has to be treated. */
enum treatment {
    TREAT_PLAIN,               /* counted in the stub itself */
    TREAT_FULL,                /* always through dispatch_enter and dispatch_leave */
    TREAT_BRACKETED,           /* it returns twice: its stub has the stack and registers as they were */
};
enum treatment rows_treatment(long number);
void rows_care_for_reads(void);  /* from now on a read goes through C */

void rows_begin(void);
long rows_row(int64_t number); /* its own, or one of those for numbers beyond the table; -1: none is left */
uint64_t rows_now(void);       /* CLOCK_MONOTONIC in nanoseconds where calls are timed, else 0 */
void rows_call(long number);
void rows_failed(long row, long result);  /* which is an error */
/* Its first argument tells what it may have waited for. */
void rows_result(long number, long first, long result, uint64_t start);

#endif
