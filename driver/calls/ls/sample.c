/* The directory that ls lists. */
#include "sample.h"

#include "calls/measure/interrupt.h"
#include "common/errors.h"
#include "common/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int make_files(int directory, size_t files, size_t *made, struct progress *progress)
{
    char name[32];
    for (*made = 0; *made < files;) {
        snprintf(name, sizeof name, "sample.%zu", *made + 1);
        int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (file < 0)
            return errno;
        close(file);
        ++*made;
        progress_show(progress, (double)*made / (double)files, "making sample files");
        if (interrupt_noted())
            return EINTR;
    }
    return 0;
}

int sample_create(struct sample *sample, size_t files, struct progress *progress)
{
    const char *place = getenv("TMPDIR");
    sample->files = 0;
    sample->path = memory_format("%s/reckon-ls.XXXXXX", place && *place ? place : "/tmp");
    if (!mkdtemp(sample->path)) {
        errors_say_errno(errno, "sample directory: %s", sample->path);
        free(sample->path);
        *sample = (struct sample){ 0 };
        return -1;
    }
    int directory = open(sample->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int failure = directory < 0 ? errno : make_files(directory, files, &sample->files, progress);
    progress_end(progress);
    if (directory >= 0)
        close(directory);
    if (!failure)
        return 0;
    if (failure != EINTR || !interrupt_noted())
        errors_say_errno(failure, "sample directory: %s/sample.%zu", sample->path, sample->files + 1);
    sample_remove(sample);
    return -1;
}

void sample_remove(struct sample *sample)
{
    char name[32];
    if (!sample->path)
        return;
    struct progress progress = progress_start();
    int directory = open(sample->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; directory >= 0 && i < sample->files; i++) {
        snprintf(name, sizeof name, "sample.%zu", i + 1);
        unlinkat(directory, name, 0);
        progress_show(&progress, (double)i / (double)sample->files, "removing sample files");
    }
    progress_end(&progress);
    if (directory >= 0)
        close(directory);
    if (rmdir(sample->path))
        errors_say_errno(errno, "sample directory: %s", sample->path);
    free(sample->path);
    *sample = (struct sample){ 0 };
}

int sample_count(const char *directory, size_t *files)
{
    struct dirent *entry;
    DIR *stream = opendir(directory);
    *files = 0;
    if (!stream) {
        errors_say_errno(errno, "directory: %s", directory);
        return -1;
    }
    errno = 0;
    for (; (entry = readdir(stream)); errno = 0)
        *files += entry->d_name[0] != '.';
    int failure = errno;
    closedir(stream);
    if (failure)
        errors_say_errno(failure, "directory: %s", directory);
    return failure ? -1 : 0;
}
