/* The article's question in words: is a network program faster than a local one, and what else could it be? */
#include "answer.h"

#include "common/memory.h"

#include <math.h>
#include <stdlib.h>

const double answer_then_a[ANSWER_RUNS] = { 94.58, 94.38 }, answer_then_b[ANSWER_RUNS] = { 84.39, 84.35 };

double answer_then_ratio(void)
{
    return (answer_then_b[0] + answer_then_b[1]) / (answer_then_a[0] + answer_then_a[1]);
}

const char *answer_experiment_text(enum experiment experiment)
{
    static const char *const texts[] = { "one perl", "two builds of perl", "this program (C)" };
    return texts[experiment];
}

const char *answer_experiment_name(enum experiment experiment)
{
    static const char *const names[] = { "one_perl", "two_perls", "c" };
    return names[experiment];
}

static const struct statistics_interval *basis(const struct comparison *comparison)
{
    return &comparison->ratios[comparison->basis];
}

/* "ratio 0.997 [0.981, 1.002] by CPU time". */
static char *figure(const struct comparison *comparison)
{
    const struct statistics_interval *ratio = basis(comparison);
    if (isnan(ratio->lower))
        return memory_format("ratio %.3f of %zu pairs of runs, too few to say how exact it is", ratio->median,
                             comparison->pairs);
    return memory_format("ratio %.3f [%.3f, %.3f] by %s", ratio->median, ratio->lower, ratio->upper,
                         comparison_clock_text(comparison->basis));
}

/* Whether the article's ratio lies outside of what was measured. */
static bool excludes_article(const struct comparison *comparison)
{
    const struct statistics_interval *ratio = basis(comparison);
    return comparison->pairs && (ratio->lower > answer_then_ratio() || ratio->upper < answer_then_ratio());
}

static char *words_of_one(const struct answer *answer)
{
    const struct comparison *one = &answer->experiment[EXPERIMENT_ONE_PERL];
    if (!one->pairs)
        return memory_strdup("No perl along PATH: the article's programs cannot be run here. What is measured is the same "
                             "work by this program.");
    char *ratio = figure(one), *words;
    if (!excludes_article(one))
        words = memory_format("One perl on both sides: %s. That does not exclude the article's %.3f: give it more time "
                              "(--seconds).", ratio, answer_then_ratio());
    else if (one->verdict == STATISTICS_EQUIVALENT)
        words = memory_format("One perl on both sides: no difference, %s. The article's %.3f lies far outside.", ratio,
                              answer_then_ratio());
    else
        words = memory_format("One perl on both sides: %s. The article's %.3f lies outside.", ratio, answer_then_ratio());
    free(ratio);
    return words;
}

static char *words_of_two(const struct answer *answer)
{
    static const char *const verdicts[] = { "B is faster", "B is slower", "no difference that matters",
                                            "a difference is not proved" };
    const struct comparison *two = &answer->experiment[EXPERIMENT_TWO_PERLS];
    if (!two->pairs)
        return memory_format("There is only one build of perl along PATH (%s): what another build would change cannot be "
                             "measured here.", answer->perls.perl[0].about);
    char *ratio = figure(two);
    char *words = memory_format("Two builds, A by %s (%s), B by %s (%s): %s, %s. %s", answer->a->path, answer->a->about,
                                answer->b->path, answer->b->about, verdicts[two->verdict], ratio,
                                excludes_article(two) ? "These two do not explain the article's figure."
                                                      : "The article's figure may be theirs.");
    free(ratio);
    return words;
}

static char *words_of_transport(const struct answer *answer)
{
    const struct comparison *one = &answer->experiment[EXPERIMENT_ONE_PERL], *c = &answer->experiment[EXPERIMENT_C];
    double cost = one->pairs ? fmax(one->transport, c->transport) : c->transport;
    char *perl = one->pairs ? memory_format("%.2f ms a call in Perl, ", one->transport * 1e3) : memory_strdup("");
    char *words = memory_format("Transport costs %s%.2f ms in C (ONC RPC): of the article's %.0f s at most %.1g %%, and it "
                                "costs where the article gained %.0f s.", perl, c->transport * 1e3, answer_then_b[0],
                                100 * fmax(cost, 0) / answer_then_b[0], answer_then_a[0] - answer_then_b[0]);
    free(perl);
    return words;
}

static char *words_of_all(const struct answer *answer)
{
    const struct comparison *said = &answer->experiment[answer->perls.count ? EXPERIMENT_ONE_PERL : EXPERIMENT_C];
    if (!(basis(said)->lower > answer_then_ratio()))
        return memory_strdup("What follows: nothing yet, the runs were too few or too much disturbed.");
    return memory_format(
        "What follows: the network made nothing faster%s. Most likely A and B of the article were not run by the same perl: "
        "its modules stand below site_perl/5.8.8, which its CentOS 4.3 did not ship, so there were two perls on that machine. "
        "Perl 5.8.8 with threads and a shared libperl, as distributions ship it, as A and one with neither, as its own "
        "Configure makes it, as B gave 0.89 to 0.90 (measured once for this project, not now). That is consistent, not "
        "proved: the first line of the article's server says /usr/bin/perl.",
        said->verdict == STATISTICS_EQUIVALENT ? "; the same code takes the same time on either side" : "");
}

char **answer_words(const struct answer *answer, size_t *count)
{
    char **words = memory_calloc(4, sizeof *words);
    *count = 0;
    words[(*count)++] = words_of_one(answer);
    if (answer->perls.count)
        words[(*count)++] = words_of_two(answer);
    words[(*count)++] = words_of_transport(answer);
    words[(*count)++] = words_of_all(answer);
    return words;
}
