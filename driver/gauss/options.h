/* What the command lines of reckon gauss have in common. Values that cannot be used end the program with EXIT_USAGE. */
#ifndef GAUSS_OPTIONS_H
#define GAUSS_OPTIONS_H

#include "common/output.h"
#include "workload/workload.h"

#include <argp.h>

/* Keys of options without a letter; each table takes its own from here, so that they never collide. */
enum {
    OPTION_MEAN = 256, OPTION_SD, OPTION_WIDTH, OPTION_SEED, OPTION_GENERATOR, OPTION_PLOT, OPTION_STREAM,
    OPTION_BIND, OPTION_PORT, OPTION_TOKEN, OPTION_ONCE, OPTION_LIMIT, OPTION_TIMEOUT, OPTION_ROUNDS, OPTION_SECONDS,
    OPTION_MARGIN, OPTION_SELF_TEST, OPTION_PERL, OPTION_PERL_A, OPTION_PERL_B, OPTION_COUNT_CALLS, OPTION_RECKON_B,
};

/* An argp child for --count, --mean, --sd, --width, --seed, --generator, --threads; its input is a struct workload. */
extern const struct argp options_workload;

/* An argp child for these and for --format, --output, --plot; its input is: */
struct options_common {
    struct workload workload;
    enum output_format format;
    const char *output, *plot;  /* NULL where not asked for */
};
extern const struct argp options_common;

/* Whole numbers may be written 20000000 or 2e7, reals as strtod reads them. `what` is the name for the message. */
uint64_t options_whole(const char *what, const char *text, uint64_t least, uint64_t most);
double options_real(const char *what, const char *text);

/* "1%" or "0.01". */
double options_fraction(const char *what, const char *text);

/* Say so, and return -1, where no file can be made at this path: before long work, which opens it only at its end, so
 * that an interrupted run leaves nothing behind. */
int options_check_output(const char *path);

/* End with EXIT_USAGE and why, where the workload has a fault. */
void options_check(const struct workload *workload);

#endif
