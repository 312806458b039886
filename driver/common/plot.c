/* Pictures: gnuplot draws them. */
#include "plot.h"

#include "child.h"
#include "errors.h"
#include "hold.h"
#include "memory.h"
#include "output.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS_AT_MOST = 60 };

/* What to make for each suffix: the terminal, its width and height in `unit`, and how to go on. */
static const struct kind {
    const char *suffix, *terminal, *unit, *options;
    double width, height;
} kinds[] = {
    { ".svg", "svg", "", "dynamic background '#ffffff' font 'sans-serif,14'", 900, 540 },
    { ".png", "pngcairo", "", "font 'sans-serif,11'", 900, 540 },
    { ".pdf", "pdfcairo", "cm", "font 'sans-serif,10'", 18, 10.8 },
};

const char plot_styles[] =
    "set style line 1 lw 2 dt 1 pt 7 ps 0.8 lc rgb '#000000'\n"
    "set style line 2 lw 2 dt 2 pt 4 ps 1.3 lc rgb '#0072b2'\n"
    "set style line 3 lw 2 dt 3 pt 8 ps 1.3 lc rgb '#d55e00'\n"
    "set style line 4 lw 2 dt 4 pt 2 ps 1.0 lc rgb '#56b4e9'\n"
    "set style line 5 lw 2 dt 5 pt 12 ps 1.4 lc rgb '#7a3b69'\n"
    "set style line 6 lw 2 dt (2,4,8,4) pt 1 ps 1.0 lc rgb '#e69f00'\n";

/* NULL for none of ours. */
static const struct kind *kind_of(const char *path)
{
    const char *suffix = strrchr(path, '.');
    for (size_t i = 0; suffix && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(suffix, kinds[i].suffix))
            return &kinds[i];
    return NULL;
}

bool plot_suffix(const char *path)
{
    if (!kind_of(path))
        errors_say("plot: %s: the name must end in .svg, .png or .pdf", path);
    return kind_of(path) != NULL;
}

static void say_failure(const char *path, int status)
{
    if (status == EXIT_NOT_FOUND)
        errors_say("plot: gnuplot is not installed (Debian package gnuplot-nox)");
    else if (!hold_pending())  /* else we are being ended, and gnuplot was with us */
        errors_say("plot: %s: gnuplot failed with status %d", path, status);
}

int plot_check(const char *path)
{
    if (!plot_suffix(path) || output_check(path))
        return -1;
    FILE *nowhere = fopen("/dev/null", "r+e");
    int status = child_run((char *[]){ "gnuplot", "--version", NULL }, NULL, nowhere, NULL, SECONDS_AT_MOST, 0);
    if (nowhere)
        fclose(nowhere);
    if (status)
        say_failure(path, status);
    return status ? -1 : 0;
}

/* In double quotes gnuplot knows escapes, variables and even commands: what is not harmless is written in octal. */
char *plot_quote(const char *text, size_t width)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -+=_.,:/";
    char *valid = text_utf8(text), *quoted = memory_calloc(4 * strlen(valid) + 6, 1), *end = quoted;
    size_t count = 0;
    *end++ = '"';
    for (const char *at = valid; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        count += (byte & 0xc0) != 0x80;
        if (count > width) {
            end = stpcpy(end, "…");
            break;
        }
        if (byte < ' ' || byte == 0x7f)
            *end++ = ' ';
        else if (byte >= 0x80 || strchr(harmless, byte))
            *end++ = *at;
        else
            end += sprintf(end, "\\%03o", (unsigned)byte);
    }
    *end = '"';
    free(valid);
    return quoted;
}

int plot_write_high(const char *path, double height, const char *script, const char *data)
{
    const struct kind *kind = kind_of(path);
    struct output output;
    FILE *commands = tmpfile();
    if (!commands) {
        errors_say_errno(errno, "plot: temporary file");
        return -1;
    }
    fprintf(commands, "set terminal %s size %g%s,%g%s %s\nset encoding utf8\n$data << END_OF_DATA\n%sEND_OF_DATA\n%s\n",
            kind->terminal, kind->width, kind->unit, height * kind->height, kind->unit, kind->options, data, script);
    if (fflush(commands) || ferror(commands) || output_open(&output, path, OUTPUT_TABLE)) {
        fclose(commands);
        return -1;
    }
    char *arguments[] = { "gnuplot", "-", NULL };
    int status = child_run(arguments, commands, output.stream, NULL, SECONDS_AT_MOST, 0);
    fclose(commands);
    if (status == 0)
        return output_close(&output);
    say_failure(path, status);
    output_abandon(&output);
    return -1;
}

int plot_write(const char *path, const char *script, const char *data)
{
    return plot_write_high(path, 1, script, data);
}
