/* reckon run: count one command and its children. */
#include "modes.h"

#include "calls/measure/interrupt.h"
#include "calls/report/latency.h"
#include "calls/report/report.h"
#include "common/errors.h"
#include "options.h"

#include <sys/wait.h>

static const char documentation[] =
    "Count the library calls and system calls of COMMAND and of its children.\v"
    "COMMAND has our standard input, output and error. The report comes when it ends, on standard error, or "
    "where -o says; processes that then still run are named in it, and not waited for.\n\n"
    "The exit status is COMMAND's; a signal that kills COMMAND kills reckon too. 125: reckon failed, "
    "126: COMMAND cannot be executed, 127: there is no such COMMAND.\n\n"
    "Examples:\n"
    "  reckon run ls -l\n"
    "  reckon run -o calls.json --format=json --plot=calls.svg -- make -j2\n"
    "  reckon run --family=lstat,open --sort=errors sh -c 'ls | wc -l'";

static int report(const struct calls_options *options, struct measurement *result)
{
    struct output output;
    calls_options_apply(options, result);
    int failure = options->common.plot ? latency_plot(options->common.plot, result, 1) : 0;
    if (output_open_beside(&output, options->common.output, options->common.format))
        return -1;
    report_run(&output, result);
    return output_close(&output) ? -1 : failure;
}

int run_mode(int argc, char **argv)
{
    struct calls_options options = { 0 };
    struct measurement result;
    calls_options_parse(&options, argc, argv, ARGP_IN_ORDER, "[--] COMMAND [ARG...]", documentation);
    if (options_check_files(&options.common))
        return EXIT_OURS;
    interrupt_begin();
    int failure = measure(&(struct launch){ .argv = options.arguments }, calls_options_flags(&options), &result);
    interrupt_end();
    if (failure) {
        measure_free(&result);
        return failure;
    }
    if (options.common.output)
        measure_warn(&result);
    int status = result.status;
    failure = report(&options, &result);
    measure_free(&result);
    if (failure)
        return EXIT_OURS;
    if (WIFSIGNALED(status))
        interrupt_die(WTERMSIG(status));
    return launch_exit_status(status);
}
