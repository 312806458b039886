/* Numbers as text: read exactly, written as decimals or in hexadecimal. Pure. */
#ifndef RUMP_FORMULA_NUMBER_H
#define RUMP_FORMULA_NUMBER_H

#include <gmp.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_MOST = 100000 };  /* digits of a number that is read, and its largest exponent */

/* Length of the unsigned decimal or hexadecimal number that `text` begins with; 0 if it begins with none. */
size_t number_scan(const char *text);

/* Read a whole text: [sign] and an integer, a decimal (1.5e-3), p/q, or a hexadecimal float (0x1.8p-3); exactly.
 * Returns NULL, or what is wrong. `value` is initialised by the caller. */
const char *number_read(const char *text, mpq_t value);

/* A decimal as mpfr_get_str gives it: the sign and the digits; the value is 0.DIGITS * 10^exponent. */
struct decimal {
    char *digits;
    long exponent;
};

/* Round to `count` significant digits, to nearest, ties to even. The caller frees .digits. */
struct decimal decimal_of_rational(const mpq_t value, size_t count);
struct decimal decimal_of_real(mpfr_srcptr value, size_t count, mpfr_rnd_t rounding);

/* The same of middle +- radius; false, and nothing in `decimal`, where that may round to different digits. */
bool decimal_of_ball(struct decimal *decimal, mpfr_srcptr middle, mpfr_srcptr radius, size_t count);

bool decimal_equal(struct decimal x, struct decimal y);

/* Positional where all digits before the point are known, otherwise with an exponent: a new string. */
char *decimal_text(struct decimal decimal);

/* The fewest digits that read back to the same value at the value's own precision: a new string. */
char *number_shortest(mpfr_srcptr value);

/* As printf's %a writes it, with the leading digit 1, whatever the precision: a new string. */
char *number_hexadecimal(mpfr_srcptr value);

#endif
