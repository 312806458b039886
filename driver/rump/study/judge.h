/* How good is a number? Correct digits, ulps and a verdict against a reference. Pure. */
#ifndef RUMP_STUDY_JUDGE_H
#define RUMP_STUDY_JUDGE_H

#include "rump/arithmetic/operations.h"

enum verdict {
    RIGHT, LAST_DIGIT, PARTLY, WRONG_SIGN, WRONG,
    UNDERFLOWED,              /* as near as can be, but the exact value is smaller than any of the format's numbers */
    OVERFLOWED, BY_ZERO, NOT_A_NUMBER,
};

struct judgement {
    long correct_digits;
    double ulps;           /* error in ulps of the format at the reference; NaN where that means nothing */
    enum verdict verdict;  /* a computed number is RIGHT when its error is below 1 ulp */
};

const char *judge_verdict(enum verdict verdict);

/* A value that is no finite number is OVERFLOWED: why it is none is not seen here. `reference` must have some 64 bits more than the format and at most a tiny error itself. No more than `digits` can be
 * correct. */
struct judgement judge(mpfr_srcptr value, const struct format *format, mpfr_srcptr reference, long digits);

/* A printed number against the exact value: RIGHT where it is that value, rounded or cut off at its last digit.
 * `digits` are those it shows; 0 for a fraction. Returns NULL, or what is wrong with the text. */
const char *judge_printed(const char *text, mpfr_srcptr reference, struct judgement *judgement, long *digits);

/* What a computed number is like: "right", "plausible" (it is the number `plausible`; NULL: there is none), "huge" (more
 * than a hundred times what could be expected), "zero", "other". */
const char *judge_class(mpfr_srcptr value, enum verdict verdict, mpfr_srcptr reference, mpfr_srcptr plausible);

#endif
