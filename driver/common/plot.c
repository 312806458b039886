/* Pictures: gnuplot draws them. */
#include "plot.h"

#include "child.h"
#include "errors.h"
#include "output.h"

#include <errno.h>
#include <string.h>

/* The terminal for a suffix, NULL for none of ours. */
static const char *terminal_of(const char *path)
{
    static const char *const terminals[][2] = {
        { ".svg", "svg size 900,540 dynamic background '#ffffff' font 'sans-serif,14'" },
        { ".png", "pngcairo size 900,540 font 'sans-serif,11'" },
        { ".pdf", "pdfcairo size 18cm,10.8cm font 'sans-serif,10'" },
    };
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; suffix && i < sizeof terminals / sizeof *terminals; i++)
        if (!strcmp(suffix, terminals[i][0]))
            return terminals[i][1];
    return NULL;
}

bool plot_suffix(const char *path)
{
    if (!terminal_of(path))
        errors_say("plot: %s: the name must end in .svg, .png or .pdf", path);
    return terminal_of(path) != NULL;
}

int plot_write(const char *path, const char *script, const char *data)
{
    struct output output;
    FILE *commands = tmpfile();
    if (!commands) {
        errors_say_errno(errno, "plot: temporary file");
        return -1;
    }
    fprintf(commands, "set terminal %s\n$data << END_OF_DATA\n%sEND_OF_DATA\n%s\n", terminal_of(path), data, script);
    if (fflush(commands) || ferror(commands) || output_open(&output, path, OUTPUT_TABLE)) {
        fclose(commands);
        return -1;
    }
    int status = child_run((char *[]){ "gnuplot", "-", NULL }, commands, output.stream, NULL, 0, 0);
    fclose(commands);
    if (status == 0)
        return output_close(&output);
    output_abandon(&output);
    if (status == EXIT_NOT_FOUND)
        errors_say("plot: gnuplot is not installed (Debian package gnuplot-nox)");
    else
        errors_say("plot: %s: gnuplot failed with status %d", path, status);
    return -1;
}
