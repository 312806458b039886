/* The report that the root of the bare library prints when it ends. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>

extern bool report_root;                 /* this process prints (a child of vfork shares the flag with its parent) */

void report_begin(int argc, char **argv, const char *table_name);
void report_print(int status);           /* once, and only in the root; RENDER_SIGNAL + N for a signal, -1 for what is not known */
void report_quick(int status);           /* exit() or quick_exit() is running */
void report_seal(void);                  /* a seccomp filter is coming: open now what is needed later */
void report_keep(void);              /* open now what is needed later: the root directory changes, or a filter comes */

#endif
