/* Progress on standard error, for people only. */
#include "progress.h"

#include "memory.h"
#include "text.h"
#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define QUIET_S 1.0
#define EVERY_S 0.2

struct progress progress_start(void)
{
    double now = timing_wall();
    return (struct progress){ isatty(STDERR_FILENO), now, now };
}

bool progress_due(const struct progress *progress)
{
    double now = progress->terminal ? timing_wall() : 0;
    return progress->terminal && now - progress->started >= QUIET_S && now - progress->shown >= EVERY_S;
}

/* A line that the terminal would break could not be wiped. */
static size_t room(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79;
}

void progress_show(struct progress *progress, double done, const char *text)
{
    if (!progress_due(progress))
        return;
    double now = timing_wall(), elapsed = now - progress->started;
    char *share = isnan(done) ? memory_strdup("") : memory_format("%3.0f %%", done * 100);
    char *left = done > 0 ? memory_format(", about %.0f s left", elapsed / done - elapsed) : memory_strdup("");
    char *line = memory_format("%s%s%s%s", text ? text : "", text && *share ? ":" : "", share, left);
    char *shown = text_cut(line, room());
    fprintf(stderr, "\r\033[K%s", shown);
    progress->shown = now;
    free(shown);
    free(line);
    free(left);
    free(share);
}

void progress_end(struct progress *progress)
{
    if (progress->shown > progress->started)
        fprintf(stderr, "\r\033[K");
    progress->shown = progress->started;
}
