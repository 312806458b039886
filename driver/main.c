/* reckon: one program, several modes. A mode is a line of the table and a function in its own wing. */
#include "calls/modes.h"
#include "common/errors.h"
#include "common/memory.h"
#include "gauss/mode.h"
#include "merge/mode.h"
#include "rump/mode.h"

#include <argp.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

/* Every mode has --version, too. */
const char *argp_program_version = "reckon (libcount) " VERSION;

static const struct mode {
    const char *name, *summary;
    int (*function)(int argc, char **argv);  /* argv[0] is "reckon NAME"; returns the exit status */
} modes[] = {
    { "run", "count the calls of a command and of its children", run_mode },
    { "compare", "count several commands and set them side by side", compare_mode },
    { "ls", "ls -l, ls -1 and ls side by side: calls per file and times", ls_mode },
    { "show", "what a command that runs has counted so far", show_mode },
    { "top", "the same as calls a second, again and again", top_mode },
    { "gauss", "the Gaussian workload, in process against over RPC", gauss_mode },
    { "merge", "add up the JSON reports of many processes and hosts", merge_mode },
    { "rump", "Rump's expression: how good each result is, and the right one", rump_mode },
};

static int help(FILE *stream)
{
    fputs("Usage: reckon MODE [OPTION...] [ARGUMENT...]\n"
          "Count what a command asks of the kernel and of libc, without ptrace or root.\n\n", stream);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        fprintf(stream, "  reckon %-8s %s\n", modes[i].name, modes[i].summary);
    fputs("\n`reckon MODE --help` tells a mode's options.\n\n"
          "Examples:\n"
          "  reckon ls\n"
          "  reckon run -- make -j2\n"
          "  reckon compare 'ls -l' 'ls -1'\n", stream);
    return 0;
}

int main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C");
    if (argc < 2) {
        help(stderr);
        return EXIT_OURS;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return help(stdout);
    if (!strcmp(argv[1], "--version"))
        return puts(argp_program_version) < 0;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (!strcmp(argv[1], modes[i].name)) {
            argv[1] = memory_format("reckon %s", modes[i].name);
            return modes[i].function(argc - 1, argv + 1);
        }
    }
    errors_say("%s: no such mode; try `reckon --help`", argv[1]);
    return EXIT_OURS;
}
