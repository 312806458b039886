/* From text to a list of operations. Pure. */
#ifndef RUMP_FORMULA_PARSE_H
#define RUMP_FORMULA_PARSE_H

#include "expression.h"

/* Grammar: + - * / ^ or **, parentheses, decimal and hexadecimal constants, pi, e, variables, `name = ...;` (the right side
 * sees the name's old meaning, what follows the new one), the functions of functions.def, min(x, y), max(x, y),
 * sum(x, y, ...), rounded once, and fma(x, y, z) = x*y + z, rounded once. Minus signs are those of any keyboard. Powers
 * bind from the right and more than signs. Returns NULL, or what is wrong as a new string; then the expression is empty. */
char *parse_expression(struct expression *expression, const char *text);
/* The text with the signs of typesetters and other keyboards as '-', '*' and '/': a new string. */
char *parse_plain_signs(const char *text);

#endif
