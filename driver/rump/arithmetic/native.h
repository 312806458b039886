/* Arithmetics: the processor's and the compiler's own formats. Pure. */
#ifndef RUMP_ARITHMETIC_NATIVE_H
#define RUMP_ARITHMETIC_NATIVE_H

#include "operations.h"

extern const struct operations binary32_operations, binary64_operations, extended_operations, binary128_operations;

#endif
