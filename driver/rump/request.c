/* The command line of reckon rump. */
#include "request.h"

#include "common/errors.h"
#include "common/memory.h"
#include "common/plot.h"
#include "common/quantity.h"
#include "formula/parse.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 100000000, MOST_BITS = 100000000, MOST_SWEEP = 10000, MOST_PELL = 10000 };

enum { ORDER = 256, SWEEP, EXACT, TRACE, PELL, READ, PEERS, ARTICLE };

/* In the order of mpfr_rnd_t. */
#define ROUNDINGS "nearest|zero|up|down|away"
#define READINGS "decimal|binary64"

static const char *const roundings[] = { [MPFR_RNDN] = "nearest", [MPFR_RNDZ] = "zero", [MPFR_RNDU] = "up",
                                         [MPFR_RNDD] = "down", [MPFR_RNDA] = "away" };

const char *request_rounding(mpfr_rnd_t rounding)
{
    return roundings[rounding];
}

const char *request_input(const struct request *request, const char *name)
{
    for (size_t i = 0; i < request->inputs; i++)
        if (!strcmp(request->input[i].name, name))
            return request->input[i].text;
    return NULL;
}

static long whole(const char *option, const char *text, long most)
{
    char *what = memory_format("rump: %s", option);
    long value = (long)quantity_whole(what, text, 1, (uint64_t)most);
    free(what);
    return value;
}

#define NUMBER_KEY(key) { NULL, key, "", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, NULL, 0 }
static const struct argp_option options[] = {
    { "digits", 'd', "D", 0, "Certify D correctly rounded digits (40)", 0 },
    { "precision", 'p', "BITS", 0, "Evaluate with so many bits instead of in the usual formats", 0 },
    { "rounding", 'r', ROUNDINGS, 0, "Round so (nearest)", 0 },
    { "order", ORDER, "article|b44|pow|right|sum|horner|original|fma", 0, "Evaluate in this order (article)", 0 },
    { "sweep", SWEEP, "P0:P1", 0, "Evaluate at every precision between, and class the results", 0 },
    { "trace", TRACE, NULL, 0, "For each operation: bits cancelled, bits needed, condition", 0 },
    { "exact", EXACT, NULL, 0, "Show the exact fraction, however long", 0 },
    { "pell", PELL, "K", 0, "Take a and b from Pell's equation; 2 is Rump's point", 0 },
    { "read", READ, READINGS, 0, "Whether 0.1 is 1/10 (so it is) or the nearest double", 0 },
    { "expression", 'e', "TEXT", 0, "Evaluate this instead; @FILE: the one in FILE", 0 },
    { "peers", PEERS, NULL, 0, "Run the formula in perl, tclsh, bc, python3, gp, sollya", 0 },
    { "article", ARTICLE, NULL, 0, "Judge the numbers that the article printed", 0 },
    OPTIONS_PLOT_ROW("draw error against precision"),
    { "quiet", 'q', NULL, 0, "Print one number and nothing else", 0 },
    /* Negative numbers are not options: -77617 is the "option" 7 with the argument 7617. */
    NUMBER_KEY('0'), NUMBER_KEY('1'), NUMBER_KEY('2'), NUMBER_KEY('3'), NUMBER_KEY('4'), NUMBER_KEY('5'),
    NUMBER_KEY('6'), NUMBER_KEY('7'), NUMBER_KEY('8'), NUMBER_KEY('9'), NUMBER_KEY('.'),
    { 0 },
};

/* P0:P1 */
static void read_sweep(const char *text, struct request *request)
{
    char *from = memory_strdup(text), *colon = strchr(from, ':');
    if (colon) {
        *colon = '\0';
        request->from = whole("--sweep", from, MOST_SWEEP);
        request->to = whole("--sweep", colon + 1, MOST_SWEEP);
    }
    free(from);
    if (!colon || request->from > request->to) {
        errors_say("rump: --sweep: '%s' is not P0:P1 with P0 <= P1", text);
        exit(EXIT_USAGE);
    }
}

static bool read_order(const char *text, struct request *request)
{
    request->order = orders_find(text);
    if (request->order)
        return true;
    fprintf(stderr, "reckon: rump: --order: '%s' is none of these:\n", text);
    for (const struct order *order = orders; order->name; order++)
        fprintf(stderr, "  %-9s %s\n", order->name, order->summary);
    return false;
}

/* An expression, or @FILE that holds one; @- is standard input. */
static bool read_expression(const char *text, struct request *request)
{
    char *whole_text = NULL;
    size_t size = 0;
    free(request->expression);
    if (*text != '@') {
        request->expression = memory_strdup(text);
        return true;
    }
    FILE *stream = strcmp(text, "@-") ? fopen(text + 1, "re") : stdin;
    ssize_t length = stream ? getdelim(&whole_text, &size, '\0', stream) : -1;
    bool good = length >= 0 || (stream && !ferror(stream));
    if (!good)
        errors_say_errno(errno, "rump: --expression: %s", text[1] ? text + 1 : text);
    if (stream && stream != stdin)
        fclose(stream);
    request->expression = length >= 0 ? whole_text : memory_strdup("");
    if (length < 0)
        free(whole_text);
    return good;
}

/* NAME=NUMBER, NAME=NUMBER..NUMBER, or a number for the next of a and b. */
static bool add_input(struct request *request, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals && request->positional == 2) {
        errors_say("rump: '%s': there are two numbers already, a and b", text);
        return false;
    }
    char *name = equals ? memory_format("%.*s", (int)(equals - text), text)
                        : memory_strdup(request->positional++ ? "b" : "a");
    if (request_input(request, name)) {
        errors_say("rump: %s is given twice", name);
        free(name);
        return false;
    }
    request->input = memory_realloc(request->input, request->inputs + 1, sizeof *request->input);
    char *value = parse_plain_signs(equals ? equals + 1 : text), *dots = strstr(value, "..");
    request->input[request->inputs++] = (struct input){ name, value, dots ? memory_strdup(dots + 2) : NULL };
    request->boxed = request->boxed || dots;
    if (dots)
        *dots = '\0';
    return true;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct request *request = state->input;
    bool good = true;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &request->report; break;
    case 'd': request->digits = whole("--digits", text, MOST_DIGITS); break;
    case 'p': request->precision = whole("--precision", text, MOST_BITS); break;
    case 'r': request->rounding = (mpfr_rnd_t)options_word(state, "--rounding", ROUNDINGS, text); break;
    case ORDER: good = read_order(text, request); break;
    case SWEEP: read_sweep(text, request); break;
    case PELL: request->pell = whole("--pell", text, MOST_PELL); break;
    case READ: request->binary64 = options_word(state, "--read", READINGS, text); break;
    case OPTIONS_PLOT:
        good = plot_suffix(text);
        request->report.plot = text;
        break;
    case TRACE: request->trace = true; break;
    case EXACT: request->exact = true; break;
    case PEERS: request->peers = true; break;
    case ARTICLE: request->article = true; break;
    case 'e': good = read_expression(text, request); break;
    case 'q': request->quiet = true; break;
    case ARGP_KEY_ARG: good = add_input(request, text); break;
    default:
        if (key != '.' && (key < '0' || key > '9'))
            return options_parse(key, text, state, &request->report);
        char *number = memory_format("-%c%s", key, text ? text : "");
        good = add_input(request, number);
        free(number);
    }
    return good ? 0 : EINVAL;
}

static const struct argp_child children[] = { { &options_argp, 0, NULL, 0 }, { 0 } };
static const struct argp argp = {
    options, parse_option, "[A B]\nNAME=NUMBER[..NUMBER]...",
    "Evaluate Rump's expression at A = 77617 and B = 33096, or other numbers, in many arithmetics, and say how good "
    "each result is: by the exact value, and by digits that are proved.\v"
    "Numbers are integers, decimals, p/q or hexadecimal floats, and are read exactly. Expressions have + - * / ^, sqrt, "
    "cbrt, exp, expm1, log, log1p, log2, log10, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, hypot, abs, "
    "min, max, sum, fma, pi, e and NAME=EXPRESSION;\n\nExamples:\n"
    "  reckon rump\n"
    "  reckon rump --sweep=100:130 --order=horner --plot=rump.svg\n"
    "  reckon rump --expression='9*x^4-y^4+2*y^2' x=10864 y=18817",
    children, NULL, NULL,
};

/* What does not go together. */
static bool check(const struct request *request)
{
    const char *wrong = NULL;
    bool plain = true;
    for (size_t i = 0; i < request->inputs; i++)
        plain = plain && !strpbrk(request->input[i].text, "/xX");
    if (request->pell && (request->inputs || request->expression))
        wrong = "--pell sets a and b of Rump's expression";
    else if (request->expression && (request->order || request->peers || request->article))
        wrong = "--order, --peers and --article are about Rump's expression, not --expression";
    else if (request->article && (request->inputs || request->pell))
        wrong = "--article is about a = 77617, b = 33096";
    else if ((request->precision != 0) + (request->from != 0) + request->peers + request->article + request->trace > 1)
        wrong = "--precision, --sweep, --trace, --peers and --article exclude each other";
    else if (request->peers && !plain)
        wrong = "--peers takes integers and decimals: not all programs read other numbers";
    else if (request->quiet && (request->from || request->trace || request->peers || request->article))
        wrong = "--quiet prints one number";
    else if (request->boxed && (request->precision || request->from || request->trace || request->peers ||
                                request->exact || request->report.plot))
        wrong = "a range of inputs has an enclosure, and nothing else";
    else if (!request->expression && (request->positional == 1))
        wrong = "two numbers are needed, a and b, or none";
    if (wrong)
        errors_say("rump: %s", wrong);
    return !wrong;
}

static void add_number(struct request *request, mpz_srcptr number)
{
    char *text = memory_calloc(mpz_sizeinbase(number, 10) + 2, 1);
    add_input(request, mpz_get_str(text, 10, number));
    free(text);
}

bool request_parse(struct request *request, int argc, char **argv)
{
    *request = (struct request){ .rounding = MPFR_RNDN };
    argp_err_exit_status = EXIT_USAGE;
    if (argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, request) || !check(request))
        return false;
    if (!request->order)
        request->order = orders;
    if (!request->inputs && !request->expression) {
        mpz_t a, b;
        mpz_inits(a, b, NULL);
        orders_pell(request->pell ? (unsigned long)request->pell : 2, a, b);
        add_number(request, a);
        add_number(request, b);
        mpz_clears(a, b, NULL);
    }
    return true;
}

void request_free(struct request *request)
{
    for (size_t i = 0; i < request->inputs; i++) {
        free(request->input[i].name);
        free(request->input[i].text);
        free(request->input[i].upper);
    }
    free(request->input);
    free(request->expression);
}
