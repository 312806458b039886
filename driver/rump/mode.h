/* reckon rump: evaluate Rump's expression, or another one, and say how good each result is. */
#ifndef RUMP_MODE_H
#define RUMP_MODE_H

/* argv[0] is "reckon rump". Returns the exit status; bad input is EXIT_USAGE, with nothing on standard output. */
int rump_mode(int argc, char **argv);

#endif
