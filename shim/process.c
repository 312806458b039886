/* Processes that the table has counted, and their end. */
#include "process.h"

#include "counters.h"
#include "filter/seal.h"
#include "report/report.h"
#include "section.h"
#include "table/kernel.h"

#include <sched.h>

static pid_t counted;  /* the process, of those that have had this memory, that the table has */

/* Where a filter forbids getpid: the process that was last seen. */
pid_t process_self(void)
{
    return dispatch_mute ? counted : (pid_t)kernel_call(SYS_getpid);
}

void process_begin(pid_t already)
{
    counted = already;
    process_seen();
}

void process_seen(void)
{
    if (!counters_table)
        return;
    pid_t pid = process_self();
    if (pid == counted)
        return;
    if (counted)  /* else the program has just begun, and has its section */
        section_forked(pid);
    counted = pid;
    atomic_fetch_add(&counters_table->processes, 1);
    report_root = report_root && counters_table->root == pid;
}

void process_born(void)
{
    if (!counters_table)
        return;
    counted = process_self();
    section_forked(counted);
    atomic_fetch_add(&counters_table->processes, 1);
    report_root = false;
}

void process_child(void)
{
    if (dispatch_armed)
        process_seen();
    else
        process_born();
}

pid_t process_counted(void)
{
    pid_t pid = process_self();
    return pid == counted ? pid : 0;
}

void process_forked(unsigned long flags, long number)
{
    if (number == SYS_clone3)
        flags = (unsigned long)*(const uint64_t *)flags;  /* clone_args.flags */
    if (number == PROCESS_FORK || !(flags & CLONE_VM))
        process_seen();
}

/* A child of vfork that executes nothing is counted here. */
void process_ending(int status)
{
    if (counters_table && process_self() != counted)
        atomic_fetch_add(&counters_table->processes, 1);
    else if (report_root)
        report_print(status & 0xff);
}

/* exit: the last call of a thread, or of a child of clone(CLONE_VM), which is counted here. */
void process_task_ending(void)
{
    if (counters_table && process_self() != counted && process_self() == kernel_call(SYS_gettid))
        atomic_fetch_add(&counters_table->processes, 1);
}
