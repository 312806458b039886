/* The file that holds a table: made in /dev/shm (or $TMPDIR, or /tmp) as libcount.UID.PID.RANDOM by the process that
 * reads it in the end, found through LIBCOUNT_TABLE by those that are counted. Its random part keeps what is left of
 * an old run from counting into a new one that has got the same process id. */
#ifndef TABLE_FILE_H
#define TABLE_FILE_H

#include "counters.h"

enum { FILE_PATH = 256 };

struct file {
    struct counters_table *table;  /* mapped */
    size_t size;                   /* bytes mapped */
    int descriptor;                /* never 0 to 2, not inherited; -1: there is none */
    char path[FILE_PATH];          /* "": memory that only forked children share */
};

/* Make a table and remove what runs that were killed have left. `temporary` is the value of TMPDIR, or NULL. All of
 * its memory is reserved: a full file system cannot raise SIGBUS later. Returns 0 or -errno. */
long file_create(struct file *file, const char *temporary, uint32_t flags, int32_t root);
long file_create_private(struct file *file, uint32_t flags, int32_t root);

/* Map the table that another process has made; no descriptor is left open. */
enum file_answer {
    FILE_ATTACHED,
    FILE_GONE,                     /* there is none, or it cannot be opened */
    FILE_STRANGE,                  /* no table, a piece of one, or one of another version */
};
enum file_answer file_attach(struct file *file, const char *path);

/* Whether a process beside this one has the file of `descriptor`, which is open for writing, open or mapped. */
bool file_shared(int descriptor);

/* Copy what is used of a table to `copy`, of file->size bytes. False where it is no table any more. Unlike reading it where it is
 * mapped, this survives that somebody truncates the file. */
bool file_read(const struct file *file, struct counters_table *copy);

/* Give memory to what is mapped there, and have it in this process, in one go. False: there is none, or the kernel is
 * older than 5.14. */
bool file_populate(void *memory, size_t size);

/* Remove the file of that path; `folder` is -1, or a descriptor of its folder where the path leads nowhere now. */
void file_remove(const char *path, int folder);
int file_folder(const char *path);   /* such a descriptor */
void file_close(struct file *file);  /* unmap it, close it and remove it */

/* Whether `library` is a link that a launcher made for the run of the table `path`: LD_PRELOAD cannot name a library
 * whose path holds a space or a colon. The link is libcount.UID.PID[.RANDOM].so. */
bool file_links(const char *path, const char *library);

#endif
