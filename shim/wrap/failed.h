/* How a function of libc says that it failed: the kinds in the last column of calls.def. For each kind
 *
 *   FAILED_kind    whether `result` is an error
 *   ERRNO_kind     which error it is, 0 where that is not known
 *   MISSING_kind   what to return where this libc has no such function: the error ENOSYS
 *
 * and for the kinds that errno alone can tell from a good result, BEFORE_ and AFTER_: during the call errno has a value
 * that no function gives it, and it gets its old value back unless the function set it. 0 would not do: some functions
 * (fts_read at its end, getpwnam) set errno to 0. */
#ifndef WRAP_FAILED_H
#define WRAP_FAILED_H

#define FAILED_minus result == -1                       /* -1 */
#define FAILED_null result == NULL                      /* NULL */
#define FAILED_number result != 0                       /* an error number is returned */
#define FAILED_code result != 0                         /* a number of the function's own is returned */
#define FAILED_host result == NULL                      /* NULL, and h_errno says why */
#define FAILED_map result == (void *)-1                 /* MAP_FAILED */
#define FAILED_handler result == SIG_ERR                /* SIG_ERR */
#define FAILED_none false                               /* it cannot fail */
#define FAILED_entry result == NULL && errno > 0        /* NULL and errno set; NULL alone is the end */
#define FAILED_doubt result == -1 && errno > 0          /* -1 and errno set; -1 alone is a value */
#define FAILED_items(count, stream) result < count && ferror_unlocked(stream)  /* fewer items, not at the end */
#define FAILED_line(stream) result == NULL && FAILED_stream(stream)            /* NULL, not at the end */
#define FAILED_length(stream) result == -1 && FAILED_stream(stream)            /* -1, not at the end */
#define FAILED_stream(stream) (ferror_unlocked(stream) || !feof_unlocked(stream))

#define ERRNO_minus errno
#define ERRNO_null errno
#define ERRNO_number (int)(uintptr_t)result
#define ERRNO_code 0
#define ERRNO_host 0
#define ERRNO_map errno
#define ERRNO_handler errno
#define ERRNO_none 0
#define ERRNO_entry errno
#define ERRNO_doubt errno
#define ERRNO_items(count, stream) errno
#define ERRNO_line(stream) errno
#define ERRNO_length(stream) errno

#define MISSING_minus (errno = ENOSYS, -1)
#define MISSING_null (errno = ENOSYS, NULL)
#define MISSING_number ENOSYS
#define MISSING_code MISSING_minus
#define MISSING_host MISSING_null
#define MISSING_map (errno = ENOSYS, (void *)-1)
#define MISSING_handler (errno = ENOSYS, SIG_ERR)
#define MISSING_none 0
#define MISSING_entry MISSING_null
#define MISSING_doubt MISSING_minus
#define MISSING_items(count, stream) (errno = ENOSYS, 0)
#define MISSING_line(stream) MISSING_null
#define MISSING_length(stream) MISSING_minus

#define UNTOUCHED (-1)
#define BEFORE_entry int before = errno; errno = UNTOUCHED
#define BEFORE_doubt BEFORE_entry
#define BEFORE_minus
#define BEFORE_null
#define BEFORE_number
#define BEFORE_code
#define BEFORE_host
#define BEFORE_map
#define BEFORE_handler
#define BEFORE_none
#define BEFORE_items(count, stream)
#define BEFORE_line(stream)
#define BEFORE_length(stream)

#define AFTER_entry if (errno == UNTOUCHED) errno = before
#define AFTER_doubt AFTER_entry
#define AFTER_minus
#define AFTER_null
#define AFTER_number
#define AFTER_code
#define AFTER_host
#define AFTER_map
#define AFTER_handler
#define AFTER_none
#define AFTER_items(count, stream)
#define AFTER_line(stream)
#define AFTER_length(stream)

#endif
