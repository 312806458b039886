/* What the command lines of reckon gauss have in common. Values that cannot be used end the program with EXIT_USAGE. */
#ifndef GAUSS_OPTIONS_H
#define GAUSS_OPTIONS_H

#include "common/options.h"
#include "workload/workload.h"

/* Keys of options without a letter; each table takes its own from here, so that they never collide. */
enum {
    OPTION_MEAN = 256, OPTION_SD, OPTION_WIDTH, OPTION_SEED, OPTION_GENERATOR, OPTION_STREAM,
    OPTION_BIND, OPTION_PORT, OPTION_TOKEN, OPTION_ONCE, OPTION_LIMIT, OPTION_TIMEOUT, OPTION_ROUNDS, OPTION_SECONDS,
    OPTION_MARGIN, OPTION_SELF_TEST, OPTION_PERL, OPTION_PERL_A, OPTION_PERL_B, OPTION_COUNT_CALLS, OPTION_RECKON_B,
};

/* An argp child for --count, --mean, --sd, --width, --seed, --generator, --threads; its input is a struct workload. */
extern const struct argp options_workload;

/* An argp child for these and for --format, --output, --plot; its input is: */
struct options_common {
    struct workload workload;
    struct options report;
};
extern const struct argp options_common;

/* End with EXIT_USAGE and why, where the workload has a fault. */
void options_check(const struct workload *workload);

#endif
