/* Rump's expression as data: Loh and Walster's form in several orders, Rump's original, and Pell's equation. */
#include "orders.h"

#include <string.h>

#define PRODUCTS "a2 = a*a; b2 = b*b; b4 = b2*b2; b6 = b4*b2; b8 = b6*b2; "
#define TERMS "t1 = (333.75-a2)*b6; t2 = a2*(11*a2*b2-121*b4-2); t3 = 5.5*b8; t4 = a/(2*b); "

const struct order orders[] = {
    { "article", "b8 = b6*b2, left to right, as the article's programs", PRODUCTS TERMS "t1+t2+t3+t4" },
    { "b44", "the same with b8 = b4*b4",
      "a2 = a*a; b2 = b*b; b4 = b2*b2; b6 = b4*b2; b8 = b4*b4; " TERMS "t1+t2+t3+t4" },
    { "pow", "the same with a power function for each power",
      "a2 = a^2; b2 = b^2; b4 = b^4; b6 = b^6; b8 = b^8; " TERMS "t1+t2+t3+t4" },
    { "right", "the four terms added from the right", PRODUCTS TERMS "t1+(t2+(t3+t4))" },
    { "sum", "the four terms added by one correctly rounded sum", PRODUCTS TERMS "sum(t1, t2, t3, t4)" },
    { "horner", "Horner's scheme in z = b*b",
      "A = a*a; z = b*b; t4 = a/(2*b); p = (((5.5*z+(333.75-A))*z-121*A)*z+11*A*A)*z-2*A; p+t4" },
    { "original", "Rump's own form of 1988",
      PRODUCTS "t1 = 333.75*b6; t2 = a2*(11*a2*b2-b6-121*b4-2); t3 = 5.5*b8; t4 = a/(2*b); t1+t2+t3+t4" },
    { "fma", "fused multiply-adds, as gcc -O2 -mfma makes them of the article's",
      PRODUCTS "t4 = a/(2*b); t2 = a2*(fma(11*a2, b2, -(121*b4))-2); fma(5.5, b8, fma(333.75-a2, b6, t2))+t4" },
    { NULL, NULL, NULL },
};

const struct order *orders_find(const char *name)
{
    const struct order *order = orders;
    while (order->name && strcmp(order->name, name))
        order++;
    return order->name ? order : NULL;
}

void orders_pell(unsigned long k, mpz_t a, mpz_t b)
{
    mpz_t c, next;
    mpz_inits(c, next, NULL);
    mpz_set_ui(a, 1);
    while (k--) {  /* (a, c) -> (197a + 924c, 42a + 197c), from (1, 0) */
        mpz_mul_ui(next, a, 197);
        mpz_addmul_ui(next, c, 924);
        mpz_mul_ui(c, c, 197);
        mpz_addmul_ui(c, a, 42);
        mpz_swap(a, next);
    }
    mpz_mul_ui(b, c, 2);
    mpz_clears(c, next, NULL);
}
