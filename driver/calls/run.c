/* reckon run: count one command and its children. */
#include "modes.h"

#include "common/errors.h"
#include "interrupt.h"
#include "options.h"
#include "report.h"

#include <sys/wait.h>

static const char documentation[] =
    "Count the library calls and system calls of COMMAND and of its children.\v"
    "COMMAND has our standard input, output and error. The report comes after its own output, on standard output; "
    "-o keeps the two apart. It comes when COMMAND ends: processes that then still run are named in it, "
    "and not waited for.\n\n"
    "The exit status is COMMAND's; a signal that kills COMMAND kills reckon too. 125: reckon failed, "
    "126: COMMAND cannot be executed, 127: there is no such COMMAND.\n\n"
    "Examples:\n"
    "  reckon run ls -l\n"
    "  reckon run -o calls.json --format=json -- make -j2\n"
    "  reckon run --family=lstat,open --sort=errors sh -c 'ls | wc -l'";

struct settings {
    struct calls_options common;
    char **command;
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct settings *settings = state->input;
    (void)argument;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = state->child_inputs[1] = &settings->common;
        return 0;
    case ARGP_KEY_ARGS:
        settings->command = state->argv + state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no command");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int report(const struct settings *settings, struct measurement *result)
{
    struct output output;
    if (output_open(&output, settings->common.output, settings->common.format))
        return -1;
    calls_options_apply(&settings->common, result);
    report_run(&output, result);
    return output_close(&output);
}

int run_mode(int argc, char **argv)
{
    static const struct argp_child children[] = { { &calls_output_argp, 0, NULL, 0 }, { &calls_rows_argp, 0, NULL, 0 },
                                                  { 0 } };
    static const struct argp argp = { NULL, parse, "[--] COMMAND [ARG...]", documentation, children, NULL, NULL };
    struct settings settings = { 0 };
    struct measurement result;
    argp_err_exit_status = EXIT_OURS;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &settings);
    if (output_check(settings.common.output))
        return EXIT_OURS;
    interrupt_begin();
    int failure = measure(&(struct launch){ .argv = settings.command }, calls_options_flags(&settings.common), &result);
    interrupt_end();
    if (failure) {
        measure_free(&result);
        return failure;
    }
    int status = result.status;
    failure = report(&settings, &result);
    measure_free(&result);
    if (failure)
        return EXIT_OURS;
    if (WIFSIGNALED(status))
        interrupt_die(WTERMSIG(status));
    return launch_exit_status(status);
}
