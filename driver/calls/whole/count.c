/* What a notification counts as. */
#include "count.h"

#include "blind.h"
#include "common/memory.h"
#include "start.h"

#include <linux/audit.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

struct count_run *count_new(const char *library, uint32_t flags)
{
    struct count_run *run = memory_calloc(1, sizeof *run);
    run->library = library ? memory_strdup(library) : NULL;
    run->owners.flags = flags & (COUNTERS_BY_PROGRAM | COUNTERS_BY_PROCESS);
    run->tasks.unseen = library != NULL;
    return run;
}

void count_free(struct count_run *run)
{
    if (!run)
        return;
    tasks_free(&run->tasks);
    owners_free(&run->owners);
    for (size_t i = 0; i < run->note_count; i++)
        free(run->notes[i]);
    free(run->notes);
    free(run->library);
    free(run->rows);
    free(run);
}

/* Takes the string; NULL is nothing to say, and once is enough. */
static void say(struct count_run *run, char *text)
{
    bool said = !text;
    for (size_t i = 0; i < run->note_count && !said; i++)
        said = !strcmp(run->notes[i], text);
    if (said) {
        free(text);
        return;
    }
    run->notes = memory_realloc(run->notes, run->note_count + 1, sizeof *run->notes);
    run->notes[run->note_count++] = text;
}

static void add_row(struct count_run *run, uint32_t architecture, int number)
{
    for (size_t i = 0; i < run->row_count; i++) {
        if (run->rows[i].architecture == architecture && run->rows[i].number == number) {
            run->rows[i].calls++;
            return;
        }
    }
    run->rows = memory_realloc(run->rows, run->row_count + 1, sizeof *run->rows);
    run->rows[run->row_count++] = (struct count_row){ architecture, number, 1 };
}

/* Of another architecture's numbers it is not known which of them make tasks: all may. */
static bool makes_task(const struct seccomp_data *call, bool own)
{
#ifdef SYS_fork
    if (call->nr == SYS_fork || call->nr == SYS_vfork)
        return true;
#endif
    return !own || call->nr == SYS_clone || call->nr == 435 /* clone3 */;
}

/* What a call means for those who make it, once it goes on. */
static void follow(struct count_run *run, struct thread *thread, const struct seccomp_data *call, bool own)
{
    if (own)
        say(run, blind_filter(thread, call));
    if (start_executes(call, own) && geteuid() != 0)
        say(run, blind_privilege(thread, call));
    if (makes_task(call, own))
        tasks_born(&run->tasks);
    if (own && (call->nr == SYS_exit || call->nr == SYS_exit_group))
        tasks_exit(&run->tasks, thread, call->nr == SYS_exit_group);
}

void count_notification(struct count_run *run, const struct seccomp_notif *notification)
{
    const struct seccomp_data *call = &notification->data;
    struct thread *thread = tasks_find(&run->tasks, (pid_t)notification->pid);
    bool own = call->arch == OWN_ARCHITECTURE;
    restart_notice(&run->restart, &run->tasks, thread, notification, own);
    unsigned answer = start_notice(thread, call, own, run->library);
    run->startup += (answer & START_EXECUTED) != 0;
    if (answer & START_OURS)
        return;
    run->startup += (answer & START_LOADER) != 0;
    owners_count(&run->owners, thread, call, answer & START_EXECUTED);
    if (own && call->nr >= 0 && call->nr < COUNTERS_NUMBERS)
        run->calls[call->nr]++;
    else
        add_row(run, call->arch, call->nr);
    follow(run, thread, call, own);
}

static void end_thread(struct thread *thread, void *run)
{
    say(run, blind_last_filter(thread));
}

void count_end(struct count_run *run)
{
    tasks_each(&run->tasks, end_thread, run);
}

static const char *architecture_name(uint32_t architecture)
{
    switch (architecture) {
    case OWN_ARCHITECTURE: return "";
    case AUDIT_ARCH_I386: return COUNTERS_I386_PREFIX;
    case AUDIT_ARCH_ARM: return "arm:";
    }
    return "other:";
}

void count_add(const struct count_run *run, struct count_list *list)
{
    for (int number = 0; number < COUNTERS_NUMBERS; number++)
        if (run->calls[number])
            counts_add_unseen(list, "", number, run->calls[number]);
    for (size_t i = 0; i < run->row_count; i++) {
        const struct count_row *row = &run->rows[i];
        counts_add_unseen(list, architecture_name(row->architecture), row->number, row->calls);
    }
}

void count_add_groups(const struct count_run *run, struct count_groups *groups)
{
    owners_add(&run->owners, groups, architecture_name);
}
