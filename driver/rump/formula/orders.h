/* Rump's expression: the orders in which it can be evaluated, and its family of inputs. Pure. */
#ifndef RUMP_FORMULA_ORDERS_H
#define RUMP_FORMULA_ORDERS_H

#include <gmp.h>

struct order {
    const char *name, *summary, *text;
};

/* The last one has no name; the first is the default. */
extern const struct order orders[];

const struct order *orders_find(const char *name);  /* NULL: no such order */

/* Solution k >= 1 of Pell's equation a^2 - 22 c^2 = 1 with b = 2c: there the polynomial part is exactly -2.
 * Rump's own point is k = 2. */
void orders_pell(unsigned long k, mpz_t a, mpz_t b);

#endif
