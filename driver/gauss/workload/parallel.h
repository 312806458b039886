/* A workload computed by any number of threads. */
#ifndef GAUSS_WORKLOAD_PARALLEL_H
#define GAUSS_WORKLOAD_PARALLEL_H

#include "workload.h"

/* Called between blocks of work, from the thread that called parallel_run; `done` is from 0 to 1. False abandons. */
typedef bool parallel_watch(void *context, double done);

/* Add this workload's variates to the histogram. Returns 0, or -1 when `watch` (which may be NULL) abandoned it:
 * then the histogram is of no use. The workload must have no fault. */
int parallel_run(const struct workload *workload, struct workload_histogram *histogram, parallel_watch *watch,
                 void *context);

/* The same, with the seconds of CPU time that the third fastest of the calling thread's whole blocks took: blocks of a
 * workload cost the same, and in a run of many there are some that no other program disturbed. The third: where a
 * thread is moved to another processor, the kernel's clock may leave out a third of a block, once or twice in a run.
 * NaN where there are fewer blocks. */
int parallel_run_timed(const struct workload *workload, struct workload_histogram *histogram, parallel_watch *watch,
                       void *context, double *fastest);

#endif
