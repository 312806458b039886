/* The builds of perl that this machine has. */
#ifndef GAUSS_ARTICLE_PERLS_H
#define GAUSS_ARTICLE_PERLS_H

#include <stddef.h>

#define PERLS_MAX 8

struct perls {
    size_t count;
    struct perl {
        char *path, *about;   /* "perl 5.36.0, with threads, static libperl" */
        char *files;          /* executable and libraries that it runs, by device and number: equal for the same build */
    } perl[PERLS_MAX];
};

/* Those along PATH, each build once, in that order; each was asked what it is. */
struct perls perls_find(void);
void perls_free(struct perls *perls);

/* The two that tell most about the article: A, which links to a shared libperl where one does, and B, which is another
 * build, without threads or a shared libperl where there is one. NULL for both where there is but one. */
void perls_choose(const struct perls *perls, const struct perl **a, const struct perl **b);

#endif
