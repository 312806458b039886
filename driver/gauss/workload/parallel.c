/* A workload's blocks on several threads; the histogram is the same whatever their number. */
#include "parallel.h"

#include "common/memory.h"
#include "common/timing.h"
#include "fast.h"
#include "perl.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define PERL_BLOCK 131072u   /* attempts */
#define FASTEST 3            /* the clock of CPU time now and then leaves out a part of one block */
#define PERL_TAIL 1024u      /* variates that are not worth a round */

/* Work that several threads share: they take blocks, in any order, until none is left or it is abandoned. */
struct round {
    const struct workload *workload;
    struct tally *tallies;             /* one per thread, then one per thread for other ranks' blocks */
    unsigned threads;
    double fastest[FASTEST];           /* seconds of CPU time of the first thread's fastest whole blocks, ascending */
    uint64_t blocks, units;            /* `units` attempts or variates in blocks of `block` */
    uint64_t block, first;             /* `first`: number of the round's first attempt */
    atomic_uint_fast64_t next, accepted;
    atomic_bool abandoned;
    parallel_watch *watch;
    void *context;
    double done, share;                /* of the whole workload: before this round, and of it */
};

struct thread {
    struct round *round;
    unsigned number;
};

static void run_block(struct round *round, uint64_t block, struct tally *tally)
{
    const struct workload *workload = round->workload;
    uint64_t begin = block * round->block, size = round->units - begin;
    bool ours = block % workload->ranks == workload->rank;
    size = size < round->block ? size : round->block;
    if (workload->generator == WORKLOAD_PERL)  /* the others' blocks must be made too: they say where the end is */
        round->accepted += perl_attempts(workload, round->first + begin, size, ours ? tally : tally + round->threads);
    else if (ours)
        fast_block(workload->seed, block, (size_t)size, tally);
}

/* The same, on the clock: of blocks alike the fastest are those that nothing disturbed. */
static void time_block(struct round *round, uint64_t block, struct tally *tally)
{
    double start = timing_thread_cpu();
    run_block(round, block, tally);
    double seconds = timing_thread_cpu() - start;
    if ((block + 1) * round->block > round->units)
        return;
    for (size_t i = 0; i < FASTEST; i++) {
        if (seconds < round->fastest[i]) {
            double slower = round->fastest[i];
            round->fastest[i] = seconds;
            seconds = slower;
        }
    }
}

static void *run_blocks(void *argument)
{
    struct thread *thread = argument;
    struct round *round = thread->round;
    for (uint64_t block; !round->abandoned && (block = round->next++) < round->blocks;) {
        if (thread->number == 0 && round->watch) {
            double part = (double)block / (double)round->blocks;
            if (!round->watch(round->context, round->done + part * round->share)) {
                round->abandoned = true;
                break;
            }
        }
        (thread->number ? run_block : time_block)(round, block, &round->tallies[thread->number]);
    }
    return NULL;
}

/* All blocks of a round. A thread that cannot be created leaves its blocks to the others. */
static void run_round(struct round *round)
{
    pthread_t handles[WORKLOAD_THREADS_MAX];
    struct thread threads[WORKLOAD_THREADS_MAX];
    unsigned started = 1;
    round->blocks = (round->units + round->block - 1) / round->block;
    round->next = 0;
    while (started < round->threads && started < round->blocks) {
        threads[started] = (struct thread){ round, started };
        if (pthread_create(&handles[started], NULL, run_blocks, &threads[started]))
            break;
        started++;
    }
    threads[0] = (struct thread){ round, 0 };
    run_blocks(&threads[0]);
    while (--started)
        pthread_join(handles[started], NULL);
}

/* An attempt yields at most one variate, so as many attempts as variates are missing never are too many: a few rounds
 * of parallel attempts come near the end, one thread finds it. */
static void run_perl(struct round *round)
{
    uint64_t count = round->workload->count;
    round->block = PERL_BLOCK;
    while (count - round->accepted > PERL_TAIL && !round->abandoned) {
        round->first += round->units;
        round->units = count - round->accepted;
        round->done = (double)round->accepted / (double)count;
        round->share = 0.7853 * (double)round->units / (double)count;
        run_round(round);
    }
    round->first += round->units;
    if (!round->abandoned && round->workload->rank == 0)
        perl_until(round->workload, round->first, count - round->accepted, &round->tallies[0]);
}

int parallel_run_timed(const struct workload *workload, struct workload_histogram *histogram, parallel_watch *watch,
                       void *context, double *fastest)
{
    struct round round = { .workload = workload, .threads = workload->threads, .watch = watch, .context = context,
                           .fastest = { INFINITY, INFINITY, INFINITY } };
    const struct kernels *kernels = kernels_best();
    round.tallies = memory_calloc(2 * round.threads, sizeof *round.tallies);
    for (unsigned i = 0; i < 2 * round.threads; i++)
        round.tallies[i] = tally_new(workload, histogram, kernels);
    if (workload->generator == WORKLOAD_PERL) {
        run_perl(&round);
    } else {
        round.block = FAST_BLOCK;
        round.units = workload->count;
        round.share = 1;
        run_round(&round);
    }
    for (unsigned i = 0; i < 2 * round.threads; i++)
        tally_finish(&round.tallies[i], i < round.threads ? histogram : NULL);
    free(round.tallies);
    *fastest = round.fastest[FASTEST - 1] < INFINITY ? round.fastest[FASTEST - 1] : NAN;
    return round.abandoned ? -1 : 0;
}

int parallel_run(const struct workload *workload, struct workload_histogram *histogram, parallel_watch *watch,
                 void *context)
{
    double fastest;
    return parallel_run_timed(workload, histogram, watch, context, &fastest);
}
