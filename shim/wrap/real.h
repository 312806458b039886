/* The next definition of a symbol: what would have been called without this library. Nothing here takes a lock or
 * allocates; all of it may be called at any time, in signal handlers too. NULL: there is none. */
#ifndef WRAP_REAL_H
#define WRAP_REAL_H

#include "table/counters.h"

void *real_next(enum library_call call);
void *real_symbol(const char *name);     /* the same for any symbol behind us */
void real_begin(const char *preload);    /* the value of LD_PRELOAD, or NULL */
void *real_foreign(enum library_call call);  /* the next definition where it is not libc's, nor in place of libc's */
void *real_vdso(const char *name);       /* a function of the vDSO */
void *real_version(_Atomic(void *) *next, const char *name, const char *version);  /* of a version, kept in *next */
const char *real_own_path(void);         /* the path that the loader has for this library */
bool real_second_copy(void);             /* another libcount.so stands before this one */

/* Calls of libc's own functions by the library: the next definition, uncounted. */
#define REAL(name) ((__typeof__(&name))real_next(CALL_##name))

#endif
