/* Progress on standard error, for people only. */
#include "progress.h"

#include "common/timing.h"

#include <stdio.h>
#include <unistd.h>

#define QUIET_S 1.0
#define EVERY_S 0.2

struct progress progress_start(void)
{
    double now = timing_wall();
    return (struct progress){ isatty(STDERR_FILENO), now, now };
}

void progress_show(struct progress *progress, double done, const char *text)
{
    double now = timing_wall(), elapsed = now - progress->started;
    if (!progress->terminal || elapsed < QUIET_S || now - progress->shown < EVERY_S)
        return;
    progress->shown = now;
    if (text)
        fprintf(stderr, "\r\033[K%s", text);
    else
        fprintf(stderr, "\r\033[K%3.0f %%, about %.0f s left", done * 100, done > 0 ? elapsed / done - elapsed : 0);
}

void progress_end(struct progress *progress)
{
    if (progress->shown > progress->started)
        fprintf(stderr, "\r\033[K");
}
