/* The options that the parts of reckon gauss share. */
#include "options.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/plot.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void refuse(const char *what, const char *text, const char *wanted)
{
    errors_say("gauss: %s: '%s' is not %s", what, text, wanted);
    exit(EXIT_USAGE);
}

double options_real(const char *what, const char *text)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end || isspace((unsigned char)*text))
        refuse(what, text, "a number");
    if (!isfinite(value) || (errno == ERANGE && fabs(value) < 1))
        refuse(what, text, "a number that a double can hold");
    return value;
}

uint64_t options_whole(const char *what, const char *text, uint64_t least, uint64_t most)
{
    char *end, *range = memory_format("a whole number from %" PRIu64 " to %" PRIu64, least, most);
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    bool plain = isdigit((unsigned char)*text) && !*end && !errno;
    if (!plain) {
        double real = strtod(text, &end);
        if (!isdigit((unsigned char)*text) || *end || !(real >= 0 && real < 0x1p63) || real != floor(real) ||
            strpbrk(text, "xX"))
            refuse(what, text, range);
        value = (uint64_t)real;
    }
    if (value < least || value > most)
        refuse(what, text, range);
    free(range);
    return value;
}

double options_fraction(const char *what, const char *text)
{
    char *number = memory_strdup(text), *percent = strchr(number, '%');
    if (percent && percent[1] == '\0')
        *percent = '\0';
    double value = options_real(what, number) / (percent ? 100 : 1);
    free(number);
    if (!(value > 0 && value < 1))
        refuse(what, text, "between 0 and 1 (or 0% and 100%)");
    return value;
}

int options_check_output(const char *path)
{
    if (!path || !strcmp(path, "-") || access(path, W_OK) == 0)
        return 0;
    int number = errno;
    if (number == ENOENT) {
        char *copy = memory_strdup(path);
        number = access(dirname(copy), W_OK | X_OK) ? errno : 0;
        free(copy);
    }
    if (number)
        errors_say_errno(number, "output: %s", path);
    return number ? -1 : 0;
}

void options_check(const struct workload *workload)
{
    char *fault = workload_fault(workload);
    if (!fault)
        return;
    errors_say("gauss: %s", fault);
    free(fault);
    exit(EXIT_USAGE);
}

static const struct argp_option workload_options[] = {
    { "count", 'n', "N", 0, "Variates to draw (20000000)", 1 },
    { "mean", OPTION_MEAN, "X", 0, "Mean of the distribution (6)", 1 },
    { "sd", OPTION_SD, "X", 0, "Its standard deviation (1)", 1 },
    { "width", OPTION_WIDTH, "X", 0, "Width of a bin in standard deviations (1)", 1 },
    { "seed", OPTION_SEED, "N", 0, "0 to 4294967295 (1)", 1 },
    { "generator", OPTION_GENERATOR, "perl|fast", 0, "The article's numbers, bit for bit, or vectors (perl)", 1 },
    { "threads", 't', "N", 0, "Threads; the histogram stays the same (1)", 1 },
    { 0 },
};

static error_t parse_workload(int key, char *text, struct argp_state *state)
{
    struct workload *workload = state->input;
    switch (key) {
    case 'n': workload->count = options_whole("--count", text, 1, WORKLOAD_COUNT_MAX); break;
    case OPTION_MEAN: workload->mean = options_real("--mean", text); break;
    case OPTION_SD: workload->sd = options_real("--sd", text); break;
    case OPTION_WIDTH: workload->width = options_real("--width", text); break;
    case OPTION_SEED: workload->seed = options_whole("--seed", text, 0, WORKLOAD_SEED_MAX); break;
    case 't': workload->threads = (unsigned)options_whole("--threads", text, 1, WORKLOAD_THREADS_MAX); break;
    case OPTION_GENERATOR:
        if (!workload_generator_parse(text, &workload->generator))
            refuse("--generator", text, "perl or fast");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp options_workload = { workload_options, parse_workload, NULL, NULL, NULL, NULL, NULL };

static const struct argp_option common_options[] = {
    { "format", 'f', "table|json|csv", 0, "How to write the report (table)", 5 },
    { "output", 'o', "FILE", 0, "Write to FILE, which appears whole or not at all", 5 },
    { "plot", OPTION_PLOT, "FILE", 0, "Draw a picture, too: .svg, .png or .pdf", 5 },
    { 0 },
};

static error_t parse_common(int key, char *text, struct argp_state *state)
{
    struct options_common *common = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &common->workload; break;
    case 'f':
        if (!output_format_parse(text, &common->format))
            refuse("--format", text, "table, json or csv");
        break;
    case 'o': common->output = text; break;
    case OPTION_PLOT:
        if (!plot_suffix(text))
            exit(EXIT_USAGE);
        common->plot = text;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp_child common_children[] = {
    { &options_workload, 0, NULL, 0 }, { &options_color_argp, 0, NULL, 0 }, { 0 },
};
const struct argp options_common = { common_options, parse_common, NULL, NULL, common_children, NULL, NULL };
