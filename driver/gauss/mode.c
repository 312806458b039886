/* reckon gauss: the table of its parts. */
#include "mode.h"

#include "common/errors.h"
#include "common/memory.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

static const struct part {
    const char *name, *summary;  /* without a summary it isn't shown */
    int (*function)(int argc, char **argv);
} parts[] = {
    { "local", "compute it in this process (the article's program A)", gauss_local },
    { "serve", "compute it for callers, as an RPC server (B)", gauss_serve },
    { "call", "have a server compute it (C)", gauss_call },
    { "compare", "time A against B with C, and say whether they differ", gauss_compare },
    { "--article", "answer the article's question, why A is slower", gauss_article },
    { "trial", NULL, gauss_trial },
};

static void help(FILE *stream)
{
    fputs("Usage: reckon gauss PART [OPTION...] [ARGUMENT...]\n"
          "Draw normal variates, count them in bins, and time it.\n\n", stream);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].summary)
            fprintf(stream, "  reckon gauss %-9s  %s\n", parts[i].name, parts[i].summary);
    fputs("\n`reckon gauss PART --help` tells a part's options.\n\n"
          "Examples:\n"
          "  reckon gauss local --generator=fast --count=1000000000 --threads=2\n"
          "  reckon gauss compare\n"
          "  reckon gauss --article\n", stream);
}

int gauss_mode(int argc, char **argv)
{
    argp_err_exit_status = EXIT_USAGE;
    if (argc < 2) {
        help(stderr);
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?") || !strcmp(argv[1], "-h")) {
        help(stdout);
        return 0;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
        return puts(argp_program_version) < 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!strcmp(argv[1], parts[i].name)) {
            argv[1] = memory_format("reckon gauss %s", parts[i].name);
            return parts[i].function(argc - 1, argv + 1);
        }
    }
    errors_say("gauss: %s: must be local, serve, call, compare or --article", argv[1]);
    return EXIT_USAGE;
}
