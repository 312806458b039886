/* Made-up measurements of reckon ls. */
#ifndef TESTS_DRIVER_CALLS_MADE_UP_H
#define TESTS_DRIVER_CALLS_MADE_UP_H

#include "driver/calls/ls/experiment.h"
#include "driver/common/memory.h"

#include <stdio.h>
#include <stdlib.h>

enum { VARIANTS = 4, NAMES = 8, FILES = 100, BASE = 20 };

/* An experiment with `BASE` and `FILES` files, all variants equally fast. */
struct made_up {
    struct experiment experiment;
    struct variant variant[VARIANTS];
    struct measurement result[2 * VARIANTS];
    struct variant_times times[2 * VARIANTS];
    size_t size[2];
    int64_t startup[VARIANTS];
};

static inline void set_up(struct made_up *made_up, size_t variants, const char *const *texts)
{
    *made_up = (struct made_up){ .size = { BASE, FILES } };
    made_up->experiment = (struct experiment){ .variant = made_up->variant, .variants = variants, .size = made_up->size,
                                               .sizes = 2, .result = made_up->result, .times = made_up->times,
                                               .base = BASE, .startup = made_up->startup };
    for (size_t i = 0; i < variants; i++)
        made_up->variant[i].text = (char *)texts[i];
    for (size_t i = 0; i < 2 * variants; i++) {
        made_up->result[i].system_counted = true;
        made_up->result[i].system.row = memory_calloc(NAMES, sizeof(struct count));
        made_up->times[i].real = (struct statistics_spread){ 0.010, 0.009, 0.020 };
        made_up->times[i].real_median = (struct statistics_interval){ 0.010, 0.0095, 0.0105 };
    }
}

/* A variant makes `fixed` calls of that name, and `per_file` for each file. */
static inline void add(struct made_up *made_up, size_t variant, const char *family, const char *name, double fixed,
                double per_file)
{
    for (size_t size = 0; size < 2; size++) {
        struct count_list *list = &made_up->result[size * made_up->experiment.variants + variant].system;
        struct count *row = &list->row[list->count];
        row->family = family;
        snprintf(row->name, sizeof row->name, "%s", name);
        row->calls = (uint64_t)(fixed + per_file * (double)made_up->size[size] + 0.5);
        list->count += row->calls > 0;
    }
}

static inline void set_time(struct made_up *made_up, size_t variant, double median, double uncertain)
{
    struct variant_times *times = &made_up->times[made_up->experiment.variants + variant];
    times->real.median = median;
    times->real_median = (struct statistics_interval){ median, median - uncertain, median + uncertain };
}

static inline void tear_down(struct made_up *made_up)
{
    for (size_t i = 0; i < 2 * VARIANTS; i++)
        free(made_up->result[i].system.row);
}

#endif
