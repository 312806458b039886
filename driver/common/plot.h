/* Pictures: gnuplot draws them. */
#ifndef COMMON_PLOT_H
#define COMMON_PLOT_H

#include <stdbool.h>

/* True where the name ends in .svg, .png or .pdf; otherwise says so. */
bool plot_suffix(const char *path);

/* Draw `script`, gnuplot's commands without terminal and output, to a file of the kind that the suffix says. `data` is
 * known to the script as $data. The file appears whole or not at all. Returns 0, or -1 after saying what is wrong. */
int plot_write(const char *path, const char *script, const char *data);

#endif
