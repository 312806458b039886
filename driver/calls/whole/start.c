/* Where a program begins: with the first call that is not made by the loader's code, whose place in memory is looked up
 * once after each exec; a static one begins at once. */
#include "start.h"

#include "shim/table/counters.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* glibc's loader, by its file's name. That of musl is its libc, too: where it ends and the program begins is not to be
 * seen. */
static bool is_loader(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : "";
    return !strncmp(name, "ld-linux", 8) || !strncmp(name, "ld.so", 5) || !strncmp(name, "ld-2", 4);
}

static void load(struct process *process, uint64_t start, uint64_t end)
{
    process->phase = PHASE_LOADING;
    process->early = EARLY_BEFORE;
    process->loader = start;
    process->loader_end = end;
}

/* A loader's code, in our own memory. */
struct loader {
    const unsigned char *code;
    size_t size;
};

static int find_own_loader(struct dl_phdr_info *object, size_t size, void *argument)
{
    (void)size;
    struct loader *loader = argument;
    for (size_t i = 0; is_loader(object->dlpi_name) && i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X)
            *loader = (struct loader){ (const unsigned char *)object->dlpi_addr + part->p_vaddr, part->p_memsz };
    }
    return loader->code != NULL;
}

/* The mappings of a program that may not be read are not shown either. Its loader is the one that we have, and begins
 * with brk: where that stands in ours tells where its code begins. */
static bool guess_loader(const struct seccomp_data *call, uint64_t *start, uint64_t *end)
{
    static const unsigned char brk[] = { 0xb8, SYS_brk, 0, 0, 0, 0x0f, 0x05 };  /* mov $SYS_brk,%eax; syscall */
    struct loader loader = { NULL, 0 };
    dl_iterate_phdr(find_own_loader, &loader);
    if (!loader.code || call->nr != SYS_brk)
        return false;
    const unsigned char *at = loader.code, *code_end = at + loader.size;
    while ((at = memmem(at, (size_t)(code_end - at), brk, sizeof brk))) {
        at += sizeof brk;
        *start = call->instruction_pointer - (uint64_t)(at - loader.code);
        *end = *start + loader.size;
        if (*start % 4096 == 0)
            return true;
    }
    return false;
}

/* The program that is executed now, whose first call this is. */
static void look_at_program(struct thread *thread, const struct seccomp_data *call)
{
    struct process *process = thread->process;
    struct peek_mapping mapping;
    uint64_t start, end;
    process->phase = PHASE_PROGRAM;
    process->seen_end = 0;
    if (peek_mapping(thread->id, call->instruction_pointer, &mapping)) {
        if (is_loader(mapping.name))
            load(process, mapping.start, mapping.end);
    } else if (guess_loader(call, &start, &end)) {
        load(process, start, end);
    }
}

/* Whether the program of a process is another one than when one of its threads called exec. Without its random bytes,
 * which may not be read everywhere, the place of the call has to tell. */
static bool another_program(const struct thread *thread, const struct seccomp_data *call)
{
    const struct process *process = thread->process;
    unsigned char random[PEEK_RANDOM];
    struct peek_mapping mapping;
    bool distinct = peek_random(thread->id, random);
    if (distinct != process->distinct)
        return true;
    if (distinct)
        return memcmp(random, process->random, sizeof random);
    if (peek_mapping(thread->id, call->instruction_pointer, &mapping))
        return mapping.start != process->caller;
    return (call->instruction_pointer ^ process->caller) >> 21;
}

/* The first call after an exec: of the executor, which failed if it still has its number or its program; of another
 * thread, to which nothing has happened yet; or of the new program, which has the number of the process. */
static unsigned look_at_exec(struct thread *thread, const struct seccomp_data *call)
{
    struct process *process = thread->process;
    bool leads = thread->id == process->id, called = thread->id == process->executor;
    if (!leads && !called)
        return 0;
    if (leads && another_program(thread, call)) {
        look_at_program(thread, call);
        return START_EXECUTED;
    }
    if (called)
        process->phase = PHASE_PROGRAM;
    return 0;
}

/* With a library, an exec may pass unseen, like all calls of its code. What is seen of a program that runs is little,
 * so it costs nothing to look whether it is another loader that speaks. */
static unsigned look_for_loader(struct thread *thread, uint64_t address)
{
    struct process *process = thread->process;
    struct peek_mapping mapping;
    if ((address >= process->seen && address < process->seen_end) || !peek_mapping(thread->id, address, &mapping))
        return 0;
    process->seen = mapping.start;
    process->seen_end = mapping.end;
    if (mapping.start == process->loader || !is_loader(mapping.name))
        return 0;
    load(process, mapping.start, mapping.end);
    return START_EXECUTED;
}

/* Whether a loader is at work still: its own code calls, or libc's for it. glibc's early initialisation, run by the
 * loader before it has finished, asks once for the size of the stack, newer ones for random bytes behind it. */
static bool still_loading(struct process *process, const struct seccomp_data *call, bool own)
{
    uint64_t address = call->instruction_pointer;
    if (address >= process->loader && address < process->loader_end) {
        process->early = process->early == EARLY_BEFORE ? EARLY_BEFORE : EARLY_OVER;
        return true;
    }
    bool early = own && ((call->nr == SYS_prlimit64 && process->early == EARLY_BEFORE) ||
                         (call->nr == SYS_getrandom && process->early == EARLY_STACK));
    process->early = call->nr == SYS_prlimit64 && early ? EARLY_STACK : EARLY_OVER;
    return early;
}

/* Whether the loader takes room for its bookkeeping, which it would also need without our library, if later. */
static bool takes_room(const struct seccomp_data *call)
{
    return call->nr == SYS_mmap && !call->args[0] && call->args[3] == (MAP_PRIVATE | MAP_ANONYMOUS);
}

/* Whether this call is what the loader does to load our library. */
static bool loads_us(struct thread *thread, const struct seccomp_data *call, const char *library)
{
    struct process *process = thread->process;
    char path[PATH_MAX];
    if (process->phase == PHASE_LIBRARY) {
        if (call->nr == SYS_close)
            process->phase = PHASE_LOADING;
        return !takes_room(call);
    }
    if (call->nr == SYS_mprotect)
        return call->args[0] - COUNTERS_WHOLE_BASE < COUNTERS_WHOLE_SIZE;
    if (call->nr != SYS_openat || !peek_text(thread->id, call->args[1], path, sizeof path) || strcmp(path, library))
        return false;
    process->phase = PHASE_LIBRARY;
    return true;
}

bool start_executes(const struct seccomp_data *call, bool own)
{
    return own && (call->nr == SYS_execve || call->nr == SYS_execveat);
}

static void begin_exec(struct thread *thread, const struct seccomp_data *call)
{
    struct process *process = thread->process;
    struct peek_mapping mapping;
    process->phase = PHASE_EXECUTING;
    process->executor = thread->id;
    process->distinct = peek_random(thread->id, process->random);
    process->caller = call->instruction_pointer;
    if (!process->distinct && peek_mapping(thread->id, process->caller, &mapping))
        process->caller = mapping.start;
}

unsigned start_notice(struct thread *thread, const struct seccomp_data *call, bool own, const char *library)
{
    struct process *process = thread->process;
    unsigned answer = 0;
    if (process->phase == PHASE_EXECUTING)
        answer |= look_at_exec(thread, call);
    else if (process->phase == PHASE_PROGRAM && library)
        answer |= look_for_loader(thread, call->instruction_pointer);
    if (process->phase >= PHASE_LOADING && !still_loading(process, call, own))
        process->phase = PHASE_PROGRAM;
    if (process->phase >= PHASE_LOADING)
        answer |= library && loads_us(thread, call, library) ? START_OURS : START_LOADER;
    if (start_executes(call, own))
        begin_exec(thread, call);
    return answer;
}
