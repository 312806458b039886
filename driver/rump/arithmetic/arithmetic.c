/* The table of formats, and arithmetics made from it. */
#include "arithmetic.h"

#include "enclosure.h"
#include "native.h"
#include "rational.h"
#include "real.h"

#if defined __x86_64__ && defined __SIZEOF_FLOAT128__
#define X86_ONLY(operations) &operations
#else
#define X86_ONLY(operations) NULL
#endif

const struct format arithmetic_formats[] = {
    { "binary16", 11, -23, 16, NULL },
    { "binary32", 24, -148, 128, &binary32_operations },
    { "binary64", 53, -1073, 1024, &binary64_operations },
    { "x87 extended", 64, -16444, 16384, X86_ONLY(extended_operations) },
    { "binary128", 113, -16493, 16384, X86_ONLY(binary128_operations) },
    { NULL, 0, 0, 0, NULL },
};

struct arithmetic arithmetic_emulated(struct format format, mpfr_rnd_t rounding)
{
    return (struct arithmetic){ &real_operations, format, rounding };
}

struct arithmetic arithmetic_of(struct format format, mpfr_rnd_t rounding)
{
    struct arithmetic arithmetic = arithmetic_emulated(format, rounding);
    if (format.native && rounding != MPFR_RNDA)  /* no processor rounds away from zero */
        arithmetic.operations = format.native;
    return arithmetic;
}

struct arithmetic arithmetic_real(mpfr_prec_t precision, mpfr_rnd_t rounding)
{
    struct format whole = { "MPFR", precision, mpfr_get_emin(), mpfr_get_emax(), NULL };
    return arithmetic_emulated(whole, rounding);
}

struct arithmetic arithmetic_enclosure(mpfr_prec_t precision)
{
    struct arithmetic arithmetic = arithmetic_real(precision, MPFR_RNDD);
    arithmetic.operations = &enclosure_operations;
    return arithmetic;
}

struct arithmetic arithmetic_rational(void)
{
    struct arithmetic arithmetic = arithmetic_real(MPFR_PREC_MIN, MPFR_RNDN);
    arithmetic.operations = &rational_operations;
    return arithmetic;
}
