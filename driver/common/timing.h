/* Clocks, in seconds. */
#ifndef COMMON_TIMING_H
#define COMMON_TIMING_H

double timing_wall(void);         /* CLOCK_MONOTONIC */
double timing_thread_cpu(void);   /* CLOCK_THREAD_CPUTIME_ID: of this thread */
double timing_process_cpu(void);  /* CLOCK_PROCESS_CPUTIME_ID: user and system, all threads */

#endif
