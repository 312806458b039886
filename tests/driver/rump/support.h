/* What the tests of rump share: the data files, and expressions at given inputs. */
#ifndef TESTS_RUMP_SUPPORT_H
#define TESTS_RUMP_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "rump/arithmetic/evaluate.h"
#include "rump/formula/number.h"
#include "rump/formula/orders.h"
#include "rump/formula/parse.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS = 9 };

/* Call `row` with the tab-separated fields of each line that is no comment; returns the number of lines. */
static inline int each_row(const char *name, void (*row)(char **fields, int count))
{
    const char *top = getenv("TOP");
    char path[4096], *line = NULL;
    size_t size = 0;
    int lines = 0;
    snprintf(path, sizeof path, "%s/tests/driver/rump/data/%s", top ? top : ".", name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s: cannot be read; run the test from the top of the tree, or set TOP", path);
    while (getline(&line, &size, file) > 0) {
        char *fields[FIELDS], *at = line;
        int count = 0;
        line[strcspn(line, "\n")] = '\0';
        if (*line == '#' || !*line)
            continue;
        while (at && count < FIELDS)
            fields[count++] = strsep(&at, "\t");
        row(fields, count);
        lines++;
    }
    free(line);
    fclose(file);
    return lines;
}

/* The value of a text; the test fails where it is none. */
static inline void read_number(mpq_t value, const char *text)
{
    const char *wrong = number_read(text, value);
    if (wrong)
        fail_msg("%s: %s", text, wrong);
}

static inline void parse(struct expression *expression, const char *text)
{
    char *wrong = parse_expression(expression, text);
    if (wrong)
        fail_msg("%s: %s", text, wrong);
}

static inline void assign(struct expression *expression, const char *name, const char *text)
{
    mpq_t value;
    mpq_init(value);
    read_number(value, text);
    expression_assign(expression, name, value);
    mpq_clear(value);
}

/* Rump's expression in one of the orders. */
static inline void rump_at(struct expression *expression, const char *order, const char *a, const char *b)
{
    assert_non_null(orders_find(order));
    parse(expression, orders_find(order)->text);
    assign(expression, "a", a);
    assign(expression, "b", b);
}

/* The exact value; `result` is initialised here. */
static inline void exact_value(mpq_t result, const struct expression *expression)
{
    struct evaluation evaluation = evaluate(expression, arithmetic_rational());
    assert_int_equal(evaluation.undefined, -1);
    assert_true(evaluation.known[expression->result]);
    mpq_init(result);
    mpq_set(result, evaluation.value[expression->result].rational);
    evaluation_free(&evaluation);
}

/* The same numbers in every run. */
static inline uint64_t random_bits(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1d;
}

#endif
