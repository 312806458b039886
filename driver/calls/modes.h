/* The modes that count calls. Each takes its own argv ("reckon run", ...) and returns the exit status. */
#ifndef CALLS_MODES_H
#define CALLS_MODES_H

int run_mode(int argc, char **argv);
int compare_mode(int argc, char **argv);
int show_mode(int argc, char **argv);
int top_mode(int argc, char **argv);
int ls_mode(int argc, char **argv);

#endif
