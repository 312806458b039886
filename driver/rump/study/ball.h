/* One evaluation in MPFR numbers, and a bound of its error: half as dear as an enclosure of so many bits. Pure. */
#ifndef RUMP_STUDY_BALL_H
#define RUMP_STUDY_BALL_H

#include "rump/formula/expression.h"

#include <mpfr.h>

/* The result in `middle`, with the precision that it has, and in `radius` the most that it is off. `bits` have the
 * enclosures that bound the error on the way. False where they found no bound. */
bool ball_evaluate(const struct expression *expression, mpfr_prec_t bits, mpfr_ptr middle, mpfr_ptr radius);

#endif
