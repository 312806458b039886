/* The file systems that are mounted here, and which of them a path is on. */
#ifndef CALLS_MOUNTS_H
#define CALLS_MOUNTS_H

struct mount {
    unsigned long id;
    char *path, *type;
};

struct mounts;

struct mounts *mounts_read(void);
void mounts_free(struct mounts *mounts);

/* Of the path, or of the nearest folder above it that is there now: symbolic links count where they lead. */
const struct mount *mounts_find(const struct mounts *mounts, const char *path);

#endif
