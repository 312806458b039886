/* Expressions as lists of operations: their variables, and back to text. */
#include "expression.h"

#include "common/memory.h"
#include "functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 200 };  /* of the text */

void expression_free(struct expression *expression)
{
    for (int i = 0; i < expression->count; i++) {
        free(expression->node[i].text);
        free(expression->node[i].operand);
        mpq_clear(expression->node[i].value);
    }
    free(expression->node);
    *expression = (struct expression){ 0 };
}

bool expression_assign(struct expression *expression, const char *name, const mpq_t value)
{
    for (int i = 0; i < expression->count; i++) {
        struct node *node = expression->node + i;
        if (node->operation == VARIABLE && !strcmp(node->text, name)) {
            mpq_set(node->value, value);
            return node->assigned = true;
        }
    }
    return false;
}

bool expression_is_rational(const struct expression *expression)
{
    for (int i = 0; i < expression->count; i++) {
        enum operation operation = expression->node[i].operation;
        if (operation == PI || operation == RAISE || operation > FMA)
            return false;
    }
    return true;
}

/* `outer` is the binding strength around the node, `depth` how many nodes this one is nested in. */
static void write_node(const struct expression *expression, FILE *stream, int index, bool whole, int outer, int depth)
{
    static const char *const signs[OPERATIONS] = { [ADD] = "+", [SUBTRACT] = "-", [MULTIPLY] = "*", [DIVIDE] = "/",
                                                   [RAISE] = "^" };
    static const int strengths[OPERATIONS] = { [NEGATE] = 2, [ADD] = 1, [SUBTRACT] = 1, [MULTIPLY] = 2, [DIVIDE] = 2,
                                               [POWER] = 3, [RAISE] = 3 };
    const struct node *node = expression->node + index;
    const struct function *function = functions_of(node->operation);
    const char *name = function ? function->name : NULL;
    if (node->text && (!whole || !node->operands)) {
        fputs(node->text, stream);
        return;
    }
    if (node->operation == PI || depth > DEPTH) {
        fputs(node->operation == PI ? "pi" : "..", stream);
        return;
    }
    /* Operands of the same strength keep their parentheses: they show the order of evaluation. */
    int strength = name ? 9 : strengths[node->operation];
    fprintf(stream, "%s%s", name ? name : "", name || strength <= outer ? "(" : "");
    fputs(node->operation == NEGATE ? "-" : "", stream);
    for (int i = 0; i < node->operands; i++) {
        if (i)
            fputs(name ? ", " : signs[node->operation], stream);
        write_node(expression, stream, node->operand[i], false, name ? 0 : strength, depth + 1);
    }
    if (node->operation == POWER)
        fprintf(stream, node->power < 0 ? "^(%ld)" : "^%ld", node->power);
    fputs(name || strength <= outer ? ")" : "", stream);
}

char *expression_text(const struct expression *expression, int node, bool whole)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream) {
        write_node(expression, stream, node, whole, 0, 0);
        fclose(stream);
    }
    return text ? text : memory_strdup("");
}
