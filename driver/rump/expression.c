/* Expressions: a recursive-descent parser into a list of operations, and back to text. */
#include "expression.h"

#include "common/memory.h"
#include "number.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 200 };

struct parser {
    struct expression *expression;
    const char *start, *at;
    int depth;
    char *error;  /* the first one */
};

static int parse_sum(struct parser *parser);

/* Keep the first error, with its place. Takes the string; returns "no node". */
static int fail(struct parser *parser, char *what)
{
    if (!parser->error)
        parser->error = memory_format("column %td: %s", parser->at - parser->start + 1, what);
    free(what);
    return -1;
}

static int unexpected(struct parser *parser)
{
    if (!*parser->at)
        return fail(parser, memory_strdup("unexpected end"));
    return fail(parser, memory_format("unexpected '%c'", isprint((unsigned char)*parser->at) ? *parser->at : '?'));
}

/* The next character that is not a space. */
static char peek(struct parser *parser)
{
    while (isspace((unsigned char)*parser->at))
        parser->at++;
    return *parser->at;
}

static bool accept(struct parser *parser, char wanted)
{
    if (peek(parser) != wanted)
        return false;
    parser->at++;
    return true;
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    if (isalpha((unsigned char)*at) || *at == '_')
        while (isalnum((unsigned char)at[length]) || at[length] == '_')
            length++;
    return length;
}

static int find(const struct expression *expression, const char *name)
{
    for (int i = 0; i < expression->count; i++)
        if (expression->node[i].text && !strcmp(expression->node[i].text, name))
            return i;
    return -1;
}

static int add_node(struct parser *parser, enum operation operation, int operands, const int *operand)
{
    struct expression *expression = parser->expression;
    for (int i = 0; i < operands; i++)
        if (operand[i] < 0)
            return -1;
    if (expression->count == EXPRESSION_NODES)
        return fail(parser, memory_format("more than %d operations", EXPRESSION_NODES));
    struct node *node = expression->node + expression->count;
    *node = (struct node){ .operation = operation, .operands = operands };
    memcpy(node->operand, operand, (size_t)operands * sizeof *operand);
    mpq_init(node->value);
    return expression->count++;
}

static int parse_number(struct parser *parser)
{
    size_t length = number_scan(parser->at);
    int index = length ? add_node(parser, CONSTANT, 0, &(int){ 0 }) : unexpected(parser);
    if (index < 0)
        return -1;
    struct node *node = parser->expression->node + index;
    node->text = memory_format("%.*s", (int)length, parser->at);
    const char *wrong = number_read(node->text, node->value);
    if (wrong)
        return fail(parser, memory_strdup(wrong));
    parser->at += length;
    return index;
}

/* sum(x, ...) and fma(x, y, z), after the opening parenthesis. */
static int parse_call(struct parser *parser, const char *name)
{
    int operand[EXPRESSION_OPERANDS], operands = 0;
    bool fma = !strcmp(name, "fma");
    if (!fma && strcmp(name, "sum"))
        return fail(parser, memory_format("no function %s: there are sum and fma", name));
    do {
        if (operands == EXPRESSION_OPERANDS)
            return fail(parser, memory_format("more than %d terms", EXPRESSION_OPERANDS));
        operand[operands++] = parse_sum(parser);
    } while (!parser->error && accept(parser, ','));
    if (!parser->error && !accept(parser, ')'))
        return unexpected(parser);
    if (!parser->error && fma && operands != 3)
        return fail(parser, memory_strdup("fma takes three operands"));
    return add_node(parser, fma ? FMA : SUM, operands, operand);
}

static int parse_primary(struct parser *parser)
{
    if (accept(parser, '(')) {
        int inner = parse_sum(parser);
        return parser->error || accept(parser, ')') ? inner : unexpected(parser);
    }
    size_t length = name_length(parser->at);
    if (!length)
        return parse_number(parser);
    char *name = memory_format("%.*s", (int)length, parser->at);
    parser->at += length;
    int index;
    if (accept(parser, '(')) {
        index = parse_call(parser, name);
    } else if ((index = find(parser->expression, name)) < 0 && (index = add_node(parser, VARIABLE, 0, &index)) >= 0) {
        parser->expression->node[index].text = name;
        return index;
    }
    free(name);
    return index;
}

static int parse_power(struct parser *parser)
{
    int base = parse_primary(parser);
    if (base < 0 || !accept(parser, '^'))
        return base;
    bool parenthesis = accept(parser, '('), negative = accept(parser, '-');
    long power = 0;
    if (!isdigit((unsigned char)peek(parser)))
        return fail(parser, memory_strdup("a power must be an integer"));
    for (; isdigit((unsigned char)*parser->at); parser->at++)
        power = power > EXPRESSION_POWER ? power : power * 10 + (*parser->at - '0');
    if (power > EXPRESSION_POWER)
        return fail(parser, memory_format("a power beyond %d", EXPRESSION_POWER));
    if (*parser->at == '.' || name_length(parser->at) || (parenthesis && !accept(parser, ')')) || peek(parser) == '^')
        return unexpected(parser);
    int index = add_node(parser, POWER, 1, &base);
    if (index >= 0)
        parser->expression->node[index].power = negative ? -power : power;
    return index;
}

/* Signs bind less than powers: -a^2 is -(a^2). */
static int parse_factor(struct parser *parser)
{
    if (parser->depth == DEPTH)
        return fail(parser, memory_format("nested more than %d deep", DEPTH));
    parser->depth++;
    int index;
    if (accept(parser, '-')) {
        int operand = parse_factor(parser);
        index = add_node(parser, NEGATE, 1, &operand);
    } else {
        index = accept(parser, '+') ? parse_factor(parser) : parse_power(parser);
    }
    parser->depth--;
    return index;
}

/* Operands and operators of one strength, from left to right: `signs` are those of `first` and the next operation. */
static int parse_chain(struct parser *parser, int (*operand)(struct parser *), const char *signs, enum operation first)
{
    int left = operand(parser);
    while (left >= 0 && (peek(parser) == signs[0] || *parser->at == signs[1])) {
        enum operation operation = *parser->at++ == signs[0] ? first : first + 1;
        left = add_node(parser, operation, 2, (int[]){ left, operand(parser) });
    }
    return left;
}

static int parse_product(struct parser *parser)
{
    return parse_chain(parser, parse_factor, "*/", MULTIPLY);
}

static int parse_sum(struct parser *parser)
{
    return parse_chain(parser, parse_product, "+-", ADD);
}

/* `name = expression;`; true where the text goes on with one. */
static bool parse_binding(struct parser *parser)
{
    peek(parser);
    size_t length = name_length(parser->at);
    const char *after = parser->at + length;
    while (isspace((unsigned char)*after))
        after++;
    if (!length || *after != '=')
        return false;
    char *name = memory_format("%.*s", (int)length, parser->at);
    if (find(parser->expression, name) >= 0)
        fail(parser, memory_format("%s has a meaning already", name));
    parser->at = after + 1;
    int index = parser->error ? -1 : parse_sum(parser);
    if (index >= 0 && !accept(parser, ';'))
        index = unexpected(parser);
    /* A second name for the same node: the sum of one term is the term. */
    if (index >= 0 && (parser->expression->node[index].operation == VARIABLE || parser->expression->node[index].text))
        index = add_node(parser, SUM, 1, &index);
    if (index >= 0)
        parser->expression->node[index].text = name;
    else
        free(name);
    return index >= 0;
}

char *expression_parse(struct expression *expression, const char *text)
{
    struct parser parser = { .expression = expression, .start = text, .at = text };
    *expression = (struct expression){ memory_calloc(EXPRESSION_NODES, sizeof *expression->node), 0, 0 };
    while (parse_binding(&parser))
        ;
    if (!parser.error)
        expression->result = parse_sum(&parser);
    if (!parser.error) {
        accept(&parser, ';');
        if (peek(&parser))
            unexpected(&parser);
    }
    if (parser.error)
        expression_free(expression);
    return parser.error;
}

void expression_free(struct expression *expression)
{
    for (int i = 0; i < expression->count; i++) {
        free(expression->node[i].text);
        mpq_clear(expression->node[i].value);
    }
    free(expression->node);
    *expression = (struct expression){ 0 };
}

bool expression_assign(struct expression *expression, const char *name, const mpq_t value)
{
    int index = find(expression, name);
    if (index < 0 || expression->node[index].operation != VARIABLE)
        return false;
    mpq_set(expression->node[index].value, value);
    return expression->node[index].assigned = true;
}

static void write_node(const struct expression *expression, FILE *stream, int index, bool whole, int outer)
{
    static const int bindings[] = { [CONSTANT] = 9, [VARIABLE] = 9, [NEGATE] = 2, [ADD] = 1, [SUBTRACT] = 1,
                                    [MULTIPLY] = 2, [DIVIDE] = 2, [POWER] = 3, [SUM] = 9, [FMA] = 9 };
    const struct node *node = expression->node + index;
    if (node->text && (!whole || node->operands == 0)) {
        fputs(node->text, stream);
        return;
    }
    /* Operands of the same strength keep their parentheses: they show the order of evaluation. */
    int binding = bindings[node->operation];
    bool call = node->operation == SUM || node->operation == FMA;
    fputs(node->operation == SUM ? "sum(" : node->operation == FMA ? "fma(" : binding <= outer ? "(" : "", stream);
    fputs(node->operation == NEGATE ? "-" : "", stream);
    for (int i = 0; i < node->operands; i++) {
        if (i)
            fputs(call ? ", " : (const char *[]){ "+", "-", "*", "/" }[node->operation - ADD], stream);
        write_node(expression, stream, node->operand[i], false, call ? 0 : binding);
    }
    if (node->operation == POWER)
        fprintf(stream, node->power < 0 ? "^(%ld)" : "^%ld", node->power);
    fputs(call || binding <= outer ? ")" : "", stream);
}

char *expression_text(const struct expression *expression, int node, bool whole)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        write_node(expression, stream, node, whole, 0);
        fclose(stream);
    }
    return text ? text : memory_strdup("");
}
