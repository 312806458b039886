/* Builds of perl, looked for along PATH and asked by the article's own script. */
#include "perls.h"

#include "common/memory.h"
#include "common/timing.h"
#include "gauss/pairs/process.h"
#include "gauss/pairs/sides.h"

#include <dirent.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ANSWER_S 5.0  /* most that a perl may take to tell what it is */

/* perl, perl5.36.0, perl5.36-x86_64-linux-gnu, debugperl; not perldoc and its like. */
static int is_name_of_perl(const struct dirent *entry)
{
    static const char *const patterns[] = { "perl", "perl5", "perl5.[0-9]*", "perl-5.[0-9]*", "debugperl" };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        if (!fnmatch(patterns[i], entry->d_name, 0))
            return 1;
    return 0;
}

/* What it says of itself; false where it is no perl that can run the article's programs. */
static bool ask(struct perl *perl)
{
    struct process process;
    double deadline = timing_wall() + ANSWER_S;
    char *line;
    if (process_start(&process, (char *[]){ perl->path, "-e", (char *)sides_script, "about", NULL }))
        return false;
    perl->about = process_line(&process, deadline);
    perl->files = memory_strdup("");
    while ((line = process_line(&process, deadline))) {
        char *all = memory_format("%s%s\n", perl->files, line);
        free(perl->files);
        free(line);
        perl->files = all;
    }
    int status = process_end(&process, timing_wall() < deadline ? 0 : SIGKILL);
    return !status && perl->about && !strncmp(perl->about, "perl 5.", 7);
}

static void release(struct perl *perl)
{
    free(perl->path);
    free(perl->about);
    free(perl->files);
}

static bool is_known(const struct perls *perls, const struct perl *perl)
{
    for (size_t i = 0; i < perls->count; i++)
        if (!strcmp(perls->perl[i].files, perl->files))
            return true;
    return false;
}

static void add(struct perls *perls, const char *folder, const char *name)
{
    struct perl perl = { .path = memory_format("%s/%s", folder, name) };
    if (perls->count < PERLS_MAX && !access(perl.path, X_OK) && ask(&perl) && !is_known(perls, &perl))
        perls->perl[perls->count++] = perl;
    else
        release(&perl);
}

struct perls perls_find(void)
{
    struct perls perls = { 0 };
    char *path = memory_strdup(getenv("PATH") ? getenv("PATH") : "/usr/local/bin:/usr/bin:/bin"), *rest = NULL;
    for (char *folder = strtok_r(path, ":", &rest); folder; folder = strtok_r(NULL, ":", &rest)) {
        struct dirent **names;
        int count = scandir(folder, &names, is_name_of_perl, alphasort);
        for (int i = 0; i < count; i++) {
            add(&perls, folder, names[i]->d_name);
            free(names[i]);
        }
        if (count >= 0)
            free(names);
    }
    free(path);
    return perls;
}

void perls_free(struct perls *perls)
{
    for (size_t i = 0; i < perls->count; i++)
        release(&perls->perl[i]);
    perls->count = 0;
}

/* 2: with threads and a shared libperl, as distributions ship it; 0: with neither, as its Configure makes it. */
static int rank(const struct perl *perl)
{
    return !strstr(perl->about, "without threads") + !!strstr(perl->about, "shared libperl");
}

void perls_choose(const struct perls *perls, const struct perl **a, const struct perl **b)
{
    *a = *b = NULL;
    if (perls->count < 2)
        return;
    *a = *b = &perls->perl[0];
    for (size_t i = 1; i < perls->count; i++) {
        if (rank(&perls->perl[i]) > rank(*a))
            *a = &perls->perl[i];
        if (rank(&perls->perl[i]) < rank(*b))
            *b = &perls->perl[i];
    }
    if (*a == *b)
        *b = &perls->perl[1];
}
