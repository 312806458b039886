/* reckon run: count one command. */
#include "modes.h"
int run_mode(int argc, char **argv) { (void)argc; (void)argv; return 125; }
int compare_mode(int argc, char **argv) { (void)argc; (void)argv; return 125; }
int ls_mode(int argc, char **argv) { (void)argc; (void)argv; return 125; }
