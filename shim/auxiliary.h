/* The auxiliary vector. Not by getauxval(), which a program may have itself. */
#ifndef SHIM_AUXILIARY_H
#define SHIM_AUXILIARY_H

void auxiliary_begin(char *const *environment);      /* as the kernel has put it on the stack */
unsigned long auxiliary_value(unsigned long type);   /* 0: there is none */

#endif
