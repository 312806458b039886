/* The parser: meaning, text, and what it refuses. */
#include "driver/rump/support.h"

static void assert_value(const char *text, const char *fraction)
{
    struct expression expression;
    mpq_t value, wanted;
    parse(&expression, text);
    assign(&expression, "x", "3");
    assign(&expression, "y", "1/4");
    exact_value(value, &expression);
    mpq_init(wanted);
    read_number(wanted, fraction);
    if (!mpq_equal(value, wanted)) {
        gmp_fprintf(stderr, "%s is %Qd, not %s\n", text, value, fraction);
        fail();
    }
    mpq_clears(value, wanted, NULL);
    expression_free(&expression);
}

static void operators_bind_as_in_mathematics(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "1+2*3", "7" }, { "(1+2)*3", "9" }, { "10-3-4", "3" }, { "24/4/2", "3" }, { "24/4*2", "12" }, { "2*x^2", "18" },
        { "-x^2", "-9" }, { "(-x)^2", "9" }, { "--x", "3" }, { "-+-x", "3" }, { "2--3", "5" }, { "x^-2", "1/9" },
        { "x^(-2)", "1/9" }, { "x^0", "1" }, { "0^0", "1" }, { "x*-y", "-3/4" }, { "1/3+1/3+1/3", "1" },
        { "0.1*10", "1" }, { "0x1p-1", "1/2" }, { "0x10", "16" }, { "1e2", "100" }, { " x\t+\n y ", "13/4" },
        { "sum(x)", "3" }, { "sum(x, y, -x)", "1/4" }, { "fma(x, y, 1)", "7/4" }, { "fma(x,y,-(x*y))", "0" },
        { "2**3", "8" }, { "2^3^2", "512" }, { "-2^2", "-4" }, { "2^-x", "1/8" }, { "2^(1+x)", "16" }, { "x^x", "27" },
        { "y^0.5", "1/2" }, { "(4/9)^-1.5", "27/8" }, { "x\u2212y", "11/4" }, { "x \u2013 \uff0dy", "13/4" }, { "2*x**2", "18" },
        { "sqrt(16/25)", "4/5" }, { "cbrt(-27/8)", "-3/2" }, { "abs(-y)", "1/4" }, { "min(x, y)-max(x, y)", "-11/4" },
        { "exp(0)+log(1)+cos(0)+sin(0)+cosh(0)", "3" }, { "log2(1/1024)+log10(1000)", "-7" }, { "hypot(x, 4)", "5" },
        { "atan2(0, x)+asin(0)+acos(1)", "0" }, { "0^0", "1" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_value(cases[i][0], cases[i][1]);
}

static void bindings_name_what_they_bind(void **state)
{
    (void)state;
    assert_value("z = x+y; z*z", "169/16");
    assert_value("z = x; w = z; w+1;", "4");
    assert_value("c = 5.5; c*2", "11");
    assert_value("u = x*x; v = u*u; v/u - u", "0");
    assert_value("x = x+1; x", "4");
    assert_value("x = x+1; x = x*x; x-y", "63/4");
    assert_value("z = x; x = x+1; x = x+z; x*z", "21");
    assert_value("c = 1; c = c+c; c = c+c; c", "4");
    assert_value("e = 2; pi = e+1; e*pi", "6");
}

#define FUNCTIONS \
    "; there are sqrt, cbrt, exp, expm1, log, log1p, log2, log10, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, abs, " \
    "atan2, hypot, min, max, fma, sum"

static void what_is_no_expression_is_refused_with_its_place(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "", "column 1: unexpected end" }, { "1+", "column 3: unexpected end" }, { "(1", "column 3: unexpected end" },
        { "1)", "column 2: unexpected ')'" }, { "2b", "column 2: an operator is missing before 'b'" }, { "a b", "column 3: an operator is missing before 'b'" },
        { "a^(2", "column 5: unexpected end" }, { "a^", "column 3: unexpected end" }, { "a**", "column 4: unexpected end" },
        { "a* *b", "column 4: unexpected '*'" }, { "gamma(a)", "column 1: no function gamma" FUNCTIONS },
        { "(a 2)", "column 4: an operator is missing before '2'" },
        { "sin a", "column 5: an operator is missing before 'a'" }, { "sin(a,b)", "column 9: sin takes 1 operand, not 2" },
        { "hypot(a)", "column 9: hypot takes 2 operands, not 1" }, { "pi(1)", "column 1: no function pi" FUNCTIONS },
        { "fma(a,b)", "column 9: fma takes 3 operands, not 2" }, { "sum()", "column 5: unexpected ')'" },
        { "sum(a,)", "column 7: unexpected ')'" }, { "x = 1", "column 6: unexpected end" },
        { "x = 1;", "column 7: unexpected end" },
        { "x+1; 2", "column 6: an operator is missing before '2'" }, { "1 = 2", "column 3: unexpected '='" }, { "a ? b", "column 3: unexpected '?'" },
        { "1e999999", "column 1: exponent beyond 100000" },
        { "\x80", "column 1: unexpected '?'" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expression expression;
        char *wrong = parse_expression(&expression, cases[i][0]);
        if (!wrong || strcmp(wrong, cases[i][1]))
            fail_msg("'%s' gives '%s', not '%s'", cases[i][0], wrong ? wrong : "no error", cases[i][1]);
        free(wrong);
    }
}

static char *repeated(const char *head, const char *piece, int count, const char *tail)
{
    char *text = calloc(strlen(head) + (size_t)count * strlen(piece) + strlen(tail) + 1, 1), *end = stpcpy(text, head);
    for (int i = 0; i < count; i++)
        end = stpcpy(end, piece);
    strcpy(end, tail);
    return text;
}

static void depth_and_size_have_limits_that_are_told(void **state)
{
    (void)state;
    char *texts[] = { repeated("", "(", 100000, "1"), repeated("", "-", 100000, "1"), repeated("", "1^", 100000, "1") };
    const char *wanted[] = { "nested more than 200 deep", "nested more than 200 deep", "nested more than 200 deep" };
    for (int i = 0; i < 3; i++) {
        struct expression expression;
        char *wrong = parse_expression(&expression, texts[i]);
        assert_non_null(wrong);
        assert_non_null(strstr(wrong, wanted[i]));
        free(wrong);
        free(texts[i]);
    }
    char *long_ones[] = { repeated("1", "+1", 400000, ""), repeated("sum(1", ",1", 400000, ")") };
    for (int i = 0; i < 2; i++) {
        struct expression expression;
        mpq_t value;
        parse(&expression, long_ones[i]);
        exact_value(value, &expression);
        assert_int_equal(mpq_cmp_ui(value, 400001, 1), 0);
        mpq_clear(value);
        free(expression_text(&expression, expression.result, true));  /* as deep as a stack is not */
        expression_free(&expression);
        free(long_ones[i]);
    }
    char *too_long = repeated("x", "+x", 1000000, ""), *wrong = parse_expression(&(struct expression){ 0 }, too_long);
    assert_non_null(strstr(wrong, "more than 1000000 operations"));
    free(wrong);
    free(too_long);
}

static void text_shows_the_order_of_evaluation(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "1+2+3", "(1+2)+3" }, { "1-(2-3)", "1-(2-3)" }, { "x*y/2", "(x*y)/2" }, { "x+y*2", "x+y*2" }, { "-x*y", "(-x)*y" },
        { "-(x*y)", "-(x*y)" }, { "(x+y)^2", "(x+y)^2" }, { "x^-2", "x^(-2)" }, { "fma(x,y,sum(1,2))", "fma(x, y, sum(1, 2))" },
        { "t = x*x; t+1", "t+1" }, { "a/(2*b)", "a/(2*b)" }, { "2^x^y", "2^(x^y)" }, { "(2^x)^y", "(2^x)^y" },
        { "x**-y", "x^(-y)" }, { "2*sin(pi*x)-e", "2*sin(pi*x)-e" }, { "exp(x)/atan2(x,y)", "exp(x)/atan2(x, y)" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expression expression;
        parse(&expression, cases[i][0]);
        char *text = expression_text(&expression, expression.result, true);
        assert_string_equal(text, cases[i][1]);
        free(text);
        expression_free(&expression);
    }
}

static void text_can_be_parsed_again(void **state)
{
    (void)state;
    for (const struct order *order = orders; order->name; order++) {
        struct expression expression, again;
        mpq_t x, y;
        rump_at(&expression, order->name, "77617", "33096");
        /* Without bindings, the whole is one text. */
        for (int i = 0; i < expression.count; i++) {
            if (expression.node[i].operands) {
                free(expression.node[i].text);
                expression.node[i].text = NULL;
            }
        }
        char *text = expression_text(&expression, expression.result, true);
        parse(&again, text);
        assign(&again, "a", "77617");
        assign(&again, "b", "33096");
        exact_value(x, &expression);
        exact_value(y, &again);
        assert_true(mpq_equal(x, y));
        mpq_clears(x, y, NULL);
        free(text);
        expression_free(&expression);
        expression_free(&again);
    }
}

static void only_variables_can_be_assigned(void **state)
{
    (void)state;
    struct expression expression;
    mpq_t one;
    mpq_init(one);
    parse(&expression, "t = x+1; t*2");
    assert_true(expression_assign(&expression, "x", one));
    assert_false(expression_assign(&expression, "t", one));
    assert_false(expression_assign(&expression, "y", one));
    assert_false(expression_assign(&expression, "1", one));
    mpq_clear(one);
    expression_free(&expression);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_bind_as_in_mathematics),
        cmocka_unit_test(bindings_name_what_they_bind),
        cmocka_unit_test(what_is_no_expression_is_refused_with_its_place),
        cmocka_unit_test(depth_and_size_have_limits_that_are_told),
        cmocka_unit_test(text_shows_the_order_of_evaluation),
        cmocka_unit_test(text_can_be_parsed_again),
        cmocka_unit_test(only_variables_can_be_assigned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
