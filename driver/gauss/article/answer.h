/* What the article said, what was measured beside it, and what follows. Pure. */
#ifndef GAUSS_ARTICLE_ANSWER_H
#define GAUSS_ARTICLE_ANSWER_H

#include "gauss/pairs/judge.h"
#include "perls.h"

#define ANSWER_RUNS 2
/* Seconds of its two runs of each program. */
extern const double answer_then_a[ANSWER_RUNS], answer_then_b[ANSWER_RUNS];
double answer_then_ratio(void);

/* Ratios that near to 1 don't matter: the article's is 11 % below. */
#define ANSWER_MARGIN 0.03

enum experiment { EXPERIMENT_ONE_PERL, EXPERIMENT_TWO_PERLS, EXPERIMENT_C, EXPERIMENTS };

struct answer {
    struct perls perls;
    const struct perl *a, *b;                    /* of EXPERIMENT_TWO_PERLS */
    struct sides sides[EXPERIMENTS];
    struct comparison experiment[EXPERIMENTS];   /* judged; without pairs where it was not made */
    double elapsed;
};

/* "one perl", "two builds of perl" and so on, for people; "one_perl" and so on for programs. */
const char *answer_experiment_text(enum experiment experiment);
const char *answer_experiment_name(enum experiment experiment);

/* What follows, a sentence or two each: `count` new strings in a new array. */
char **answer_words(const struct answer *answer, size_t *count);

#endif
