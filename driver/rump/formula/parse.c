/* A recursive-descent parser from text to a list of operations. */
#include "parse.h"

#include "common/memory.h"
#include "functions.h"
#include "number.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 200 };

struct parser {
    struct expression *expression;
    struct symbol {
        const char *name;  /* the node's text */
        int index;
    } *symbol;             /* variables and bindings; the latest meaning of a name counts */
    size_t symbols;
    const char *start, *at;
    int depth;
    char *error;  /* the first one */
};

static int parse_sum(struct parser *parser);
static int parse_factor(struct parser *parser);

/* Keep the first error, with its place in characters. Takes the string; returns "no node". */
static int fail(struct parser *parser, char *what)
{
    long column = 1;
    for (const char *at = parser->start; at < parser->at; at++)
        column += ((unsigned char)*at & 0xc0) != 0x80;
    if (!parser->error)
        parser->error = memory_format("column %ld: %s", column, what);
    free(what);
    return -1;
}

/* Bytes of the character at `at`, of several where they are UTF-8; 0: it cannot be shown. */
static int shown_length(const char *at)
{
    unsigned char first = (unsigned char)*at;
    int length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0x80)
        return isprint(first) != 0;
    if (first < 0xc2 || first > 0xf4 || (first == 0xc2 && (unsigned char)at[1] < 0xa0))  /* none begins so, or a control */
        return 0;
    for (int i = 1; i < length; i++)
        if (((unsigned char)at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

static int unexpected(struct parser *parser)
{
    int length = shown_length(parser->at);
    if (!*parser->at)
        return fail(parser, memory_strdup("unexpected end"));
    return fail(parser, memory_format("unexpected '%.*s'", length ? length : 1, length ? parser->at : "?"));
}

/* Where an operator, a parenthesis or the end should be. */
static int unexpected_after_operand(struct parser *parser)
{
    int length = shown_length(parser->at);
    if (length == 1 && (isalnum((unsigned char)*parser->at) || strchr("(_.", *parser->at)))
        return fail(parser, memory_format("an operator is missing before '%c'", *parser->at));
    return unexpected(parser);
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

/* The node that a name means now, -1: none. */
static int find(const struct parser *parser, const char *name)
{
    for (size_t i = parser->symbols; i--;)
        if (!strcmp(parser->symbol[i].name, name))
            return parser->symbol[i].index;
    return -1;
}

/* From now on `name` means this node; takes the string. Returns the node. */
static int bind(struct parser *parser, char *name, int index)
{
    if (index < 0) {
        free(name);
        return index;
    }
    parser->symbol = memory_realloc(parser->symbol, parser->symbols + 1, sizeof *parser->symbol);
    parser->symbol[parser->symbols++] = (struct symbol){ name, index };
    parser->expression->node[index].text = name;
    return index;
}

static int add_node(struct parser *parser, enum operation operation, int operands, const int *operand)
{
    struct expression *expression = parser->expression;
    for (int i = 0; i < operands; i++)
        if (operand[i] < 0)
            return -1;
    if (expression->count == EXPRESSION_NODES)
        return fail(parser, memory_format("more than %d operations", EXPRESSION_NODES));
    if (!(expression->count & (expression->count - 1)))  /* a power of two: the list is full */
        expression->node = memory_realloc(expression->node, 2 * (size_t)expression->count + 1, sizeof *expression->node);
    struct node *node = expression->node + expression->count;
    *node = (struct node){ .operation = operation, .operands = operands };
    if (operands) {
        node->operand = memory_calloc((size_t)operands, sizeof *operand);
        memcpy(node->operand, operand, (size_t)operands * sizeof *operand);
    }
    mpq_init(node->value);
    return expression->count++;
}

static int parse_number(struct parser *parser)
{
    size_t length = number_scan(parser->at);
    int index = length ? add_node(parser, CONSTANT, 0, NULL) : unexpected(parser);
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

/* A function's operands, after the opening parenthesis; its name begins at `start`. */
static int parse_call(struct parser *parser, const char *name, const char *start)
{
    const struct function *function = functions_find(name);
    int *operand = NULL, operands = 0, index = -1;
    if (!function) {
        char *names = functions_names();
        parser->at = start;
        fail(parser, memory_format("no function %s; there are %s", name, names));
        free(names);
        return -1;
    }
    do {
        if (!(operands & (operands - 1)))  /* a power of two: the list is full */
            operand = memory_realloc(operand, 2 * (size_t)operands + 1, sizeof *operand);
        operand[operands++] = parse_sum(parser);
    } while (!parser->error && accept(parser, ','));
    if (!parser->error && !accept(parser, ')'))
        unexpected_after_operand(parser);
    if (!parser->error && (operands < function->least || (function->most && operands > function->most)))
        fail(parser, memory_format("%s takes %d operand%s, not %d", name, function->least, function->least > 1 ? "s" : "",
                                   operands));
    if (!parser->error)
        index = add_node(parser, function->operation, operands, operand);
    free(operand);
    return index;
}

/* A variable, or what a name means already; pi and e mean themselves until they are bound. */
static int parse_name(struct parser *parser, char *name)
{
    int index = find(parser, name);
    if (index >= 0) {
        free(name);
        return index;
    }
    if (strcmp(name, "e"))
        return bind(parser, name, add_node(parser, strcmp(name, "pi") ? VARIABLE : PI, 0, NULL));
    int one = add_node(parser, CONSTANT, 0, NULL);
    if (one >= 0) {
        parser->expression->node[one].text = memory_strdup("1");
        mpq_set_ui(parser->expression->node[one].value, 1, 1);
    }
    return bind(parser, name, add_node(parser, EXP, 1, &one));
}

static int parse_primary(struct parser *parser)
{
    if (accept(parser, '(')) {
        int inner = parse_sum(parser);
        return parser->error || accept(parser, ')') ? inner : unexpected_after_operand(parser);
    }
    size_t length = name_length(parser->at);
    if (!length)
        return parse_number(parser);
    const char *start = parser->at;
    char *name = memory_format("%.*s", (int)length, start);
    parser->at += length;
    if (!accept(parser, '('))
        return parse_name(parser, name);
    int index = parse_call(parser, name, start);
    free(name);
    return index;
}

/* ^ or **. */
static bool accept_power(struct parser *parser)
{
    if (accept(parser, '^'))
        return true;
    if (peek(parser) != '*' || parser->at[1] != '*')
        return false;
    parser->at += 2;
    return true;
}

/* An integer that stands alone as an exponent, in parentheses or not, with its sign; false for any other exponent. */
static bool parse_integer_power(struct parser *parser, long *power)
{
    const char *start = parser->at;
    bool parenthesis = accept(parser, '('), negative = accept(parser, '-');
    bool good = isdigit((unsigned char)peek(parser));
    size_t length = good ? number_scan(parser->at) : 0;
    good = good && strspn(parser->at, "0123456789") == length;
    for (*power = 0; good && length; length--, parser->at++)
        *power = *power > EXPRESSION_POWER ? *power : *power * 10 + (*parser->at - '0');
    good = good && (!parenthesis || accept(parser, ')'));
    good = good && peek(parser) != '^' && strncmp(parser->at, "**", 2) && *power <= EXPRESSION_POWER;
    *power = negative ? -*power : *power;
    if (!good)
        parser->at = start;
    return good;
}

static int parse_power(struct parser *parser)
{
    int base = parse_primary(parser);
    long power;
    if (base < 0 || !accept_power(parser))
        return base;
    if (!parse_integer_power(parser, &power))
        return add_node(parser, RAISE, 2, (int[]){ base, parse_factor(parser) });
    int index = add_node(parser, POWER, 1, &base);
    if (index >= 0)
        parser->expression->node[index].power = power;
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
    parser->at = after + 1;
    int index = parse_sum(parser);
    if (index >= 0 && !accept(parser, ';'))
        index = unexpected_after_operand(parser);
    /* A second name for the same node: the sum of one term is the term. */
    if (index >= 0 && (parser->expression->node[index].operation <= PI || parser->expression->node[index].text))
        index = add_node(parser, SUM, 1, &index);
    return bind(parser, name, index) >= 0;
}

char *parse_plain_signs(const char *text)
{
    static const struct {
        const char *sign;
        char plain;
    } signs[] = {
        /* hyphen, non-breaking hyphen, figure dash, en dash, minus sign, small and full-width hyphen-minus */
        { "\u2010", '-' }, { "\u2011", '-' }, { "\u2012", '-' }, { "\u2013", '-' }, { "\u2212", '-' }, { "\ufe63", '-' },
        { "\uff0d", '-' },
        /* multiplication sign, middle dot, asterisk and dot operators; division sign, fraction and division slashes */
        { "\u00d7", '*' }, { "\u00b7", '*' }, { "\u2217", '*' }, { "\u22c5", '*' }, { "\u00f7", '/' }, { "\u2044", '/' },
        { "\u2215", '/' },
        { "\u00a0", ' ' }, { "\u2009", ' ' }, { "\u202f", ' ' },  /* spaces that do not break, and thin ones */
    };
    char *plain = memory_strdup(text), *to = plain;
    for (const char *at = plain; *at;) {
        size_t count = sizeof signs / sizeof *signs, i = (unsigned char)*at < 0x80 ? count : 0;  /* most are plain */
        while (i < count && strncmp(at, signs[i].sign, strlen(signs[i].sign)))
            i++;
        *to++ = i < count ? signs[i].plain : *at;
        at += i < count ? strlen(signs[i].sign) : 1;
    }
    *to = '\0';
    return plain;
}

char *parse_expression(struct expression *expression, const char *text)
{
    char *plain = parse_plain_signs(text);
    struct parser parser = { .expression = expression, .start = plain, .at = plain };
    *expression = (struct expression){ 0 };
    while (parse_binding(&parser))
        ;
    if (!parser.error)
        expression->result = parse_sum(&parser);
    if (!parser.error) {
        accept(&parser, ';');
        if (peek(&parser))
            unexpected_after_operand(&parser);
    }
    if (parser.error)
        expression_free(expression);
    free(parser.symbol);
    free(plain);
    return parser.error;
}
