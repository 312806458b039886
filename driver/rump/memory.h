/* A cap on the memory of GMP and MPFR, which abort without one. */
#ifndef RUMP_MEMORY_H
#define RUMP_MEMORY_H

#include <stddef.h>

/* From now on, whatever would take GMP and MPFR above `bytes` ends the program with a message and EXIT_USAGE. */
void memory_limit(size_t bytes);

/* Half of the machine's memory. */
size_t memory_half(void);

#endif
