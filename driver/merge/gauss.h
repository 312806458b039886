/* Shares of the Gaussian workload, as `reckon gauss local --stream=I/N` writes them, added up to the whole. */
#ifndef MERGE_GAUSS_H
#define MERGE_GAUSS_H

#include "common/output_json.h"
#include "gauss/workload/workload.h"

struct merge_gauss {
    const char *first;              /* whose parameters the others must have, too; NULL: none yet */
    struct workload workload;       /* the whole */
    struct workload_histogram histogram;
    bool *seen;                     /* of each share */
    double wall_s, cpu_s;           /* the longest of them; all of them */
};

/* Add a share that was read from `path`. Returns 0, or -1 after saying why it cannot be added. */
int merge_gauss_add(struct merge_gauss *sum, const char *path, const json_t *report);

/* Whether all shares are there: 0, or -1 after saying which isn't. */
int merge_gauss_check(const struct merge_gauss *sum);

/* Write the whole as gauss local does; the exit status. */
int merge_gauss_write(const struct merge_gauss *sum, const char *output, enum output_format format);
void merge_gauss_free(struct merge_gauss *sum);

#endif
