/* Exit statuses as env(1) and timeout(1) use them; USAGE is for bad input to the numeric modes. */
#ifndef COMMON_EXITS_H
#define COMMON_EXITS_H

enum exit_status {
    EXIT_USAGE = 2,             /* the input of gauss or rump cannot be used */
    EXIT_GREW = 3,              /* a limit of --fail-over was passed */
    EXIT_OURS = 125,            /* reckon itself failed */
    EXIT_NOT_EXECUTABLE = 126,  /* the command was found but cannot be run */
    EXIT_NOT_FOUND = 127,       /* no such command */
};

#endif
