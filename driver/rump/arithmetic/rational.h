/* Arithmetics: exact rationals. Pure. */
#ifndef RUMP_ARITHMETIC_RATIONAL_H
#define RUMP_ARITHMETIC_RATIONAL_H

#include "operations.h"

extern const struct operations rational_operations;

#endif
