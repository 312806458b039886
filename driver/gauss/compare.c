#include "mode.h"
int gauss_compare(int argc, char **argv){(void)argc;(void)argv;return 125;}
int gauss_trial(int argc, char **argv){(void)argc;(void)argv;return 125;}
