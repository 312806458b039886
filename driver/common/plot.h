/* Pictures: gnuplot draws them. */
#ifndef COMMON_PLOT_H
#define COMMON_PLOT_H

#include <stdbool.h>
#include <stddef.h>

/* True where the name ends in .svg, .png or .pdf; otherwise says so. */
bool plot_suffix(const char *path);

/* Whether plot_write(path) is likely to succeed: the suffix, the folder, and gnuplot. For use before a long run.
 * Returns 0, or -1 after saying what is wrong. */
int plot_check(const char *path);

/* A text as gnuplot's scripts quote it, in valid UTF-8 without control characters, cut to `width` characters. A new
 * string. */
char *plot_quote(const char *text, size_t width);

/* The styles 1, 2 ... of a script: colours that differ in grey, too, and with them dashes and marks. */
extern const char plot_styles[];
enum { PLOT_STYLES = 6 };

/* Draw `script`, gnuplot's commands without terminal and output, to a file of the kind that the suffix says. `data` is
 * known to the script as $data. The file appears whole or not at all. Returns 0, or -1 after saying what is wrong. */
int plot_write(const char *path, const char *script, const char *data);

/* The same, so many times as high. */
int plot_write_high(const char *path, double height, const char *script, const char *data);

#endif
