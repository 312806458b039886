/* Arithmetics: enclosures, lower <= exact <= upper. Pure. */
#ifndef RUMP_ENCLOSURE_H
#define RUMP_ENCLOSURE_H

#include "operations.h"

extern const struct operations enclosure_operations;

#endif
