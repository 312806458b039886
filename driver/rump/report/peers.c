/* The same formula in other programs, each by its own script, and the numbers that the article printed. */
#include "peers.h"

#include "common/child.h"
#include "common/memory.h"
#include "common/output_json.h"
#include "words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 20, BYTES = 1 << 20 };  /* a peer may take and write this much */

/* The article's order, as Perl and Tcl write it; A and B stand for the inputs. */
#define PERL                                                                                                          \
    "$a = A; $b = B; $a2 = $a*$a; $b2 = $b*$b; $b4 = $b2*$b2; $b6 = $b4*$b2; $b8 = $b6*$b2;\n"                        \
    "print((333.75-$a2)*$b6 + $a2*(11*$a2*$b2-121*$b4-2) + 5.5*$b8 + $a/(2*$b), \"\\n\");\n"
#define PLAIN                                                                                                         \
    "a2 = a*a; b2 = b*b; b4 = b2*b2; b6 = b4*b2; b8 = b6*b2; "
#define FORMULA "(333.75-a2)*b6 + a2*(11*a2*b2-121*b4-2) + 5.5*b8 + a/(2*b)"

static const struct peer {
    const char *name, *package;
    const char *const command[4];  /* reads its script from standard input */
    const char *script;
} peers[] = {
    { "perl", "perl", { "perl" }, PERL },
    { "perl -Mbignum", "perl", { "perl", "-Mbignum" }, PERL },
    { "perl -Mbignum=a,20", "perl", { "perl", "-Mbignum=a,20" }, PERL },
    { "perl -Mbignum=a,37", "perl", { "perl", "-Mbignum=a,37" }, PERL },
    { "perl -Mbigrat", "perl", { "perl", "-Mbigrat" }, PERL },
    { "tclsh", "tcl", { "tclsh" },
      "set a [expr {double(A)}]; set b [expr {double(B)}]\n"
      "set a2 [expr {$a*$a}]; set b2 [expr {$b*$b}]; set b4 [expr {$b2*$b2}]; set b6 [expr {$b4*$b2}]\n"
      "set b8 [expr {$b6*$b2}]\n"
      "puts [expr {(333.75-$a2)*$b6 + $a2*(11*$a2*$b2-121*$b4-2) + 5.5*$b8 + $a/(2*$b)}]\n" },
    { "tcl math::bigfloat", "tcllib", { "tclsh" },
      "package require math::bigfloat\nnamespace import ::math::bigfloat::*\n"
      "proc number {text} { return [fromstr [expr {[string first . $text] < 0 ? \"$text.0\" : $text}] 77] }\n"
      "set a [number A]; set b [number B]\n"
      "set a2 [mul $a $a]; set b2 [mul $b $b]; set b4 [mul $b2 $b2]; set b6 [mul $b4 $b2]; set b8 [mul $b6 $b2]\n"
      "set t1 [mul [sub [number 333.75] $a2] $b6]\n"
      "set t2 [mul $a2 [sub [sub [mul [mul [number 11] $a2] $b2] [mul [number 121] $b4]] [number 2]]]\n"
      "set t3 [mul [number 5.5] $b8]; set t4 [div $a [mul [number 2] $b]]\n"
      "puts [tostr -nosci [add [add [add $t1 $t2] $t3] $t4]]\n" },
    { "bc -l, scale=40", "bc", { "bc", "-lq" },
      "scale=40\na=A\nb=B\na2=a*a\nb2=b*b\nb4=b2*b2\nb6=b4*b2\nb8=b6*b2\n" FORMULA "\n" },
    { "python3 float", "python3", { "python3", "-" },
      "a = float('A'); b = float('B')\n" PLAIN "\nprint(" FORMULA ")\n" },
    { "python3 decimal", "python3", { "python3", "-" },
      "from decimal import Decimal\na = Decimal('A'); b = Decimal('B')\n" PLAIN
      "\nprint((Decimal('333.75')-a2)*b6 + a2*(11*a2*b2-121*b4-2) + Decimal('5.5')*b8 + a/(2*b))\n" },
    { "python3 fractions", "python3", { "python3", "-" },
      "from fractions import Fraction\na = Fraction('A'); b = Fraction('B')\n" PLAIN
      "\nprint((Fraction('333.75')-a2)*b6 + a2*(11*a2*b2-121*b4-2) + Fraction('5.5')*b8 + a/(2*b))\n" },
    { "gp", "pari-gp", { "gp", "-qf" }, "a = A; b = B; " PLAIN "print(" FORMULA ")\n" },
    { "sollya", "sollya", { "sollya" },
      "a = A; b = B; " PLAIN "print(evaluate(" FORMULA ", 1)); quit;\n" },
};

static const struct printed {
    const char *name, *value;
} article[] = {
    { "rump.exe, 32 bits", "1.172604" },
    { "rump.exe, 64 bits", "1.1726039400531786" },
    { "rump.exe, 128 bits", "1.1726039400531786949244406059733592" },
    { "\"correct\", 32 bits", "-0.82739603" },
    { "\"correct\", 64 bits", "-0.8273960599468213" },
    { "\"correct\", 128 bits", "-0.8273960599468213050755593940266408" },
    { "Perl 5.8.7", "1.17260394005318" },
    { "Perl, bignum", "-0.827396059946821368141165095479816291999" },
    { "Tcl 8.4.1", "1.17260394005" },
    { "Tcl, math::bigfloat", "-0.827396059946821368141165095479816291999" },
    { "Tcl, Mpexpr", "-0.827396059946821368141165095479816291999" },
    { "bc 1.06, scale=40", "-.8273960599468213681411650954798162919991" },
};

/* The script with the inputs in place of A and B where these stand alone: a new stream. */
static FILE *fill_in(const char *script, const char *a, const char *b)
{
    FILE *stream = tmpfile();
    for (const char *at = script; stream && *at; at++) {
        bool alone = (at == script || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[1]);
        if (alone && (*at == 'A' || *at == 'B'))
            fputs(*at == 'A' ? a : b, stream);
        else
            fputc(*at, stream);
    }
    return stream;
}

/* What a peer prints, without spaces, and without the backslashes where bc breaks lines: a new string. */
static char *read_answer(FILE *stream)
{
    char *answer = memory_calloc(4096, 1);
    size_t length = 0;
    rewind(stream);
    for (int c; (c = fgetc(stream)) != EOF && length < 4095;)
        if (!isspace(c) && c != '\\' && isprint(c))
            answer[length++] = (char)c;
    return answer;
}

/* Run one peer. Returns what it printed, or NULL where it isn't there or fails. */
static char *run_peer(const struct peer *peer, const char *a, const char *b)
{
    FILE *script = fill_in(peer->script, a, b), *output = tmpfile(), *errors = fopen("/dev/null", "w");
    char *answer = NULL, *command[5] = { NULL };
    memcpy(command, peer->command, sizeof peer->command);
    if (script && output && errors && child_run(command, script, output, errors, SECONDS, BYTES) == 0)
        answer = read_answer(output);
    FILE *streams[] = { script, output, errors };
    for (size_t i = 0; i < 3; i++)
        if (streams[i])
            fclose(streams[i]);
    return answer;
}

/* The two ways to show a list of judged numbers. */
struct listing {
    bool whole;  /* no value is shortened */
    struct output_table *table;
    json_t *array;
};

static void list(struct listing *listing, const struct study *study, const char *name, const char *package,
                 const char *value)
{
    struct judgement judgement = { 0 };
    long digits = 0;
    const char *wrong = value ? judge_printed(value, study->reference, &judgement, &digits) : "missing";
    const char *verdict = !value ? "missing" : wrong ? "no number" : judge_verdict(judgement.verdict);
    char *shown = value ? words_shorten(value, listing->whole ? strlen(value) : 42)
                        : memory_format("(does not run here; Debian package %s)", package);
    char *share = digits ? memory_format("%ld/%ld", judgement.correct_digits, digits)
                  : memory_strdup(!wrong && judgement.verdict == RIGHT ? "all" : "-");
    output_table_row(listing->table, (const char *[]){ name, shown, share, verdict });
    json_array_append_new(listing->array, json_pack("{s:s, s:s?, s:s?, s:o, s:o, s:s}",
        "name", name, "package", package, "value", value,
        "correct_digits", digits ? json_integer(judgement.correct_digits) : json_null(),
        "printed_digits", digits ? json_integer(digits) : json_null(), "verdict", verdict));
    free(shown);
    free(share);
}

static struct listing new_listing(const struct request *request)
{
    static const struct output_column columns[] = { { "program", false }, { "printed", false }, { "digits", true },
                                                    { "verdict", false } };
    struct listing listing = { request->report.format != OUTPUT_TABLE, output_table_new(columns, 4), json_array() };
    output_table_rule(listing.table);
    return listing;
}

static void show(struct listing *listing, const struct request *request, const struct study *study, const char *key,
                 struct output *output)
{
    char *fraction = words_fraction(study, request->report.format != OUTPUT_TABLE);
    if (request->report.format == OUTPUT_JSON) {
        output_json(output, json_pack("{s:i, s:s, s:s, s:s?, s:O}", "version", 1, "a", request_input(request, "a"),
                                      "b", request_input(request, "b"), "exact", fraction, key, listing->array));
    } else {
        output_table_print(listing->table, output);
        if (request->report.format == OUTPUT_TABLE)
            fprintf(output->stream, "\nExactly %s; digits: correct of those printed.\n", fraction ? fraction : "?");
    }
    free(fraction);
    output_table_free(listing->table);
    json_decref(listing->array);
}

void peers_report(const struct request *request, const struct study *study, struct output *output)
{
    struct listing listing = new_listing(request);
    const char *a = request_input(request, "a"), *b = request_input(request, "b");
    bool rumps_point = !strcmp(a, "77617") && !strcmp(b, "33096");
    setenv("BC_LINE_LENGTH", "0", 1);
    for (size_t i = 0; i < sizeof peers / sizeof *peers; i++) {
        char *answer = run_peer(peers + i, a, b);
        list(&listing, study, peers[i].name, peers[i].package, answer);
        free(answer);
    }
    if (rumps_point)
        list(&listing, study, "Mpexpr, article", NULL, article[10].value);
    show(&listing, request, study, "peers", output);
    if (request->report.format == OUTPUT_TABLE && rumps_point)
        fputs("Mpexpr: Debian has no package of it; this is what the article printed.\n", output->stream);
}

void peers_article(const struct request *request, const struct study *study, struct output *output)
{
    struct listing listing = new_listing(request);
    for (size_t i = 0; i < sizeof article / sizeof *article; i++)
        list(&listing, study, article[i].name, NULL, article[i].value);
    show(&listing, request, study, "article", output);
    if (request->report.format == OUTPUT_TABLE)
        fputs("\"Correct\" is the article's a/(2b) - 2 in that precision.\n", output->stream);
}
