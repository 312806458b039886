/* The section of the table that this process has: taken when a program begins and, by process, in a child of fork. A
 * child of vfork runs in its parent's memory and counts there until it executes something. */
#include "section.h"

#include "auxiliary.h"
#include "counters.h"
#include "table/kernel.h"
#include "table/text.h"

#include <elf.h>


enum { FREE, WRITTEN, READABLE };

static struct counters_section *mine;

/* The name by which the program was executed, without folders. */
static const char *program_name(int argc, char **argv)
{
    const char *path = (const char *)auxiliary_value(AT_EXECFN);
    if (!path || !*text_base(path))
        path = argc > 0 ? argv[0] : "";
    return text_base(path);
}

static void put_bytes(char *room, size_t size, const char *text)
{
    size_t i = 0;
    for (; i < size - 1 && text[i]; i++)
        room[i] = text[i];
    room[i] = 0;
}

/* As many arguments as there is room for. */
static void put_command(struct counters_section *section, int argc, char **argv)
{
    size_t used = 0;
    for (int i = 0; i < argc; i++) {
        size_t size = text_length(argv[i]) + 1;
        if (size > sizeof section->command - used) {
            if (sizeof section->command - used >= sizeof "...") {
                put_bytes(section->command + used, sizeof "...", "...");
                used += sizeof "...";
            }
            break;
        }
        put_bytes(section->command + used, size, argv[i]);
        used += size;
    }
    section->command_size = (uint32_t)used;
}

static void use(struct counters_table *table, size_t number)
{
    mine = counters_section(table, number);
    counters_own = counters_section_shard(table, number);
}

static bool has_name(const struct counters_section *section, const char *name)
{
    size_t i = 0;
    while (i < sizeof section->name - 1 && name[i] && section->name[i] == name[i])
        i++;
    return i == sizeof section->name - 1 ? true : section->name[i] == name[i];
}

/* Take the next free section; false: there is none. */
static bool take(struct counters_table *table)
{
    size_t sections = counters_sections(table->flags);
    for (size_t i = 0; i < sections; i++) {
        uint32_t unused = FREE;
        if (!atomic_compare_exchange_strong(&counters_section(table, i)->state, &unused, WRITTEN))
            continue;
        use(table, i);
        return true;
    }
    mine = NULL;
    counters_own = NULL;
    atomic_fetch_add(&table->sections_lost, 1);
    return false;
}

/* The section of this program's name, or the last of this process. */
static bool find(struct counters_table *table, const char *name, pid_t self)
{
    for (size_t i = counters_sections(table->flags); i-- > 0;) {
        const struct counters_section *section = counters_section(table, i);
        if (atomic_load(&section->state) != READABLE)
            continue;
        if (table->flags & COUNTERS_BY_PROCESS ? section->pid == self : has_name(section, name)) {
            use(table, i);
            return true;
        }
    }
    return false;
}

void section_begin(struct counters_table *table, int argc, char **argv, pid_t self, bool again)
{
    bool by_process = table->flags & COUNTERS_BY_PROCESS;
    const char *name = program_name(argc, argv);
    if (!counters_sections(table->flags))
        return;
    bool found = (!by_process || again) && find(table, name, self);
    if (!found && !take(table))
        return;
    if (!found || by_process) {
        mine->pid = self;
        mine->parent = (pid_t)kernel_call(SYS_getppid);
        put_bytes(mine->name, sizeof mine->name, name);
        if (by_process)
            put_command(mine, argc, argv);
    }
    if (!found || !by_process)
        atomic_fetch_add(&mine->processes, 1);
    atomic_store(&mine->state, READABLE);
}

void section_forked(pid_t self)
{
    struct counters_table *table = counters_table;
    const struct counters_section *parent = mine;
    if (!counters_sections(table->flags))
        return;
    if (!(table->flags & COUNTERS_BY_PROCESS)) {
        if (mine)
            atomic_fetch_add(&mine->processes, 1);
        else
            atomic_fetch_add(&table->sections_lost, 1);
        return;
    }
    bool taken = take(table);
    if (taken) {
        mine->pid = self;
        mine->parent = (pid_t)kernel_call(SYS_getppid);
        put_bytes(mine->name, sizeof mine->name, parent ? parent->name : "");
        mine->command_size = parent ? parent->command_size : 0;
        for (uint32_t i = 0; i < mine->command_size; i++)
            mine->command[i] = parent->command[i];
        atomic_fetch_add(&mine->processes, 1);
        atomic_store(&mine->state, READABLE);
    }
    counters_mine = NULL;
    counters_claim();
}
