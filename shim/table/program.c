/* Whether the dynamic loader will put the library into a program, read from the program's file. */
#include "program.h"

#include "kernel.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#else
#define MACHINE EM_AARCH64
#endif

enum {
    SEGMENTS = 64,          /* no more are looked at */
    INTERPRETERS = 5,       /* as deep as the kernel follows #! lines */
};

static size_t read_at(int descriptor, uint64_t offset, void *buffer, size_t size)
{
    long bytes = kernel_call(SYS_pread64, descriptor, buffer, size, offset);
    return bytes > 0 ? (size_t)bytes : 0;
}

/* The link in /proc of a descriptor: one that was opened for nothing but its path cannot be read itself. */
static const char *put_link(struct text *text, int descriptor)
{
    text_put(text, "/proc/self/fd/");
    text_number(text, (uint64_t)descriptor, 0);
    return text_end(text);
}

/* False where it cannot be read, which is for exec to complain about. */
static bool open_head(struct program *file, int folder, const char *path)
{
    struct stat status;
    char name[32];
    struct text link = TEXT_IN(name);
    bool itself = !*path;
    file->descriptor = (int)kernel_call(SYS_openat, folder, itself ? put_link(&link, folder) : path,
                                        O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (itself && file->descriptor < 0)
        file->descriptor = (int)kernel_call(SYS_fcntl, folder, F_DUPFD_CLOEXEC, 3);
    if (file->descriptor < 0)
        return false;
    bool known = !kernel_failed(kernel_call(SYS_fstat, file->descriptor, &status));
    file->bytes = known && S_ISREG(status.st_mode) ? read_at(file->descriptor, 0, file->head, sizeof file->head - 1) : 0;
    file->head[file->bytes] = 0;
    return true;
}

/* The n-th program header of a type. */
static bool find_segment(const struct program *file, uint32_t type, unsigned n, Elf64_Phdr *segment)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file->head;
    if (header->e_phentsize != sizeof *segment)
        return false;
    for (unsigned i = 0; i < header->e_phnum && i < SEGMENTS; i++) {
        uint64_t at = header->e_phoff + (uint64_t)i * sizeof *segment;
        if (at < file->bytes && file->bytes - at >= sizeof *segment)
            *segment = *(const Elf64_Phdr *)(file->head + at);
        else if (read_at(file->descriptor, at, segment, sizeof *segment) < sizeof *segment)
            return false;
        if (segment->p_type == type && n-- == 0)
            return true;
    }
    return false;
}

static bool musl_loader(const char *path)
{
    return text_begins(text_base(path), "ld-musl-");
}

/* Is this what a loader is called that can load the library: glibc's, or musl's, which is its libc, too? */
static bool our_loader(const char *path)
{
    const char *name = text_base(path);
    return text_begins(name, "ld-linux") || text_begins(name, "ld-2") || text_begins(name, "ld.so") ||
           musl_loader(path);
}

static bool any_loader(const char *path)
{
    return our_loader(path) || text_begins(text_base(path), "ld-");
}

/* Where in the file an address of the program is. */
static uint64_t offset_of(const struct program *file, uint64_t address)
{
    Elf64_Phdr load;
    for (unsigned n = 0; find_segment(file, PT_LOAD, n, &load); n++)
        if (address >= load.p_vaddr && address - load.p_vaddr < load.p_filesz)
            return address - load.p_vaddr + load.p_offset;
    return 0;
}

/* Does it need AddressSanitizer's library? That ends programs in which it is not the first, unless told not to. */
static bool needs_asan(struct program *file)
{
    const Elf64_Dyn *dynamic = (const Elf64_Dyn *)file->part;
    Elf64_Phdr at;
    uint64_t strings = 0;
    if (!find_segment(file, PT_DYNAMIC, 0, &at))
        return false;
    size_t size = at.p_filesz < sizeof file->part ? at.p_filesz : sizeof file->part;
    size_t count = read_at(file->descriptor, at.p_offset, file->part, size) / sizeof *dynamic;
    for (size_t i = 0; i < count; i++)
        if (dynamic[i].d_tag == DT_STRTAB)
            strings = offset_of(file, dynamic[i].d_un.d_ptr);
    for (size_t i = 0; strings && i < count; i++) {
        char name[16];
        if (dynamic[i].d_tag != DT_NEEDED)
            continue;
        name[read_at(file->descriptor, strings + dynamic[i].d_un.d_val, name, sizeof name - 1)] = 0;
        if (text_begins(name, "libasan.so"))
            return true;
    }
    return false;
}

/* The kernel tells the loader (AT_SECURE) where a program begins with an effective user or group that is not the real
 * one, by its file or as its parent has it, and where its file gives capabilities. */
static enum program_verdict privilege(int descriptor, bool by_loader)
{
    struct stat status;
    struct statfs system;
    uid_t user = (uid_t)kernel_call(SYS_getuid), new_user = (uid_t)kernel_call(SYS_geteuid);
    gid_t group = (gid_t)kernel_call(SYS_getgid), new_group = (gid_t)kernel_call(SYS_getegid);
    bool heeded = !by_loader && kernel_call(SYS_prctl, PR_GET_NO_NEW_PRIVS) != 1 &&
                  !kernel_failed(kernel_call(SYS_fstatfs, descriptor, &system)) && !(system.f_flags & ST_NOSUID) &&
                  !kernel_failed(kernel_call(SYS_fstat, descriptor, &status));
    bool setuid = heeded && status.st_mode & S_ISUID;
    bool setgid = heeded && (status.st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP);
    if ((setuid ? status.st_uid : new_user) != user)
        return setuid ? PROGRAM_SETUID : PROGRAM_PRIVILEGED;
    if ((setgid ? status.st_gid : new_group) != group)
        return setgid ? PROGRAM_SETGID : PROGRAM_PRIVILEGED;
    if (heeded && user && kernel_call(SYS_fgetxattr, descriptor, "security.capability", NULL, 0) > 0)
        return PROGRAM_CAPABLE;
    return PROGRAM_LOADS;
}

/* `by_loader`: it is executed as an argument of ld.so. */
static enum program_verdict judge_elf(struct program *file, bool by_loader)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file->head;
    Elf64_Phdr segment;
    if (file->bytes < EI_NIDENT)
        return PROGRAM_LOADS;  /* a piece: for exec to complain about */
    if (header->e_ident[EI_CLASS] != ELFCLASS64)
        return PROGRAM_CLASS;
    if (file->bytes < sizeof *header)
        return PROGRAM_LOADS;
    if (header->e_machine != MACHINE)
        return PROGRAM_MACHINE;
    if (!find_segment(file, PT_LOAD, 0, &segment))
        return PROGRAM_LOADS;

    if (!find_segment(file, PT_INTERP, 0, &segment)) {
        if (!any_loader(file->path))
            return PROGRAM_STATIC;
        if (!our_loader(file->path))
            return PROGRAM_LIBC;
        enum program_verdict alone = privilege(file->descriptor, by_loader);
        return alone == PROGRAM_LOADS && musl_loader(file->path) ? PROGRAM_MUSL : alone;
    }
    file->part[read_at(file->descriptor, segment.p_offset, file->part, sizeof file->part - 1)] = 0;
    if (!our_loader(file->part))
        return PROGRAM_LIBC;
    enum program_verdict verdict = privilege(file->descriptor, by_loader);
    if (verdict != PROGRAM_LOADS)
        return verdict;
    return musl_loader(file->part) ? PROGRAM_MUSL : needs_asan(file) ? PROGRAM_ASAN : PROGRAM_LOADS;
}

/* What ld.so is told to run: the first argument that is neither an option of its own nor the value of one. NULL for
 * nothing, or for a name that it looks for among libraries. */
static const char *loader_program(char *const *arguments)
{
    static const char *const with_value[] = {
        "--library-path", "--inhibit-rpath", "--audit", "--preload", "--argv0", "--glibc-hwcaps-prepend",
        "--glibc-hwcaps-mask",
    };
    for (size_t i = 1; arguments && arguments[0] && arguments[i]; i++) {
        const char *word = arguments[i];
        if (!text_begins(word, "--"))
            return *text_base(word) && text_base(word) != word ? word : NULL;
        for (size_t k = 0; k < sizeof with_value / sizeof *with_value; k++) {
            if (text_equal(word, with_value[k])) {
                i++;
                break;
            }
        }
        if (!arguments[i])
            break;
    }
    return NULL;
}

/* "#! interpreter argument": the interpreter is what runs; /bin/sh for a text without such a line, as execvp does it. */
static void read_interpreter(struct program *file)
{
    const char *at = file->head;
    struct text text = TEXT_IN(file->path);
    if (text_begins(at, "#!")) {
        for (at += 2; *at == ' ' || *at == '\t'; at++) {
        }
        for (; *at && *at != ' ' && *at != '\t' && *at != '\r' && *at != '\n'; at++)
            text_char(&text, *at);
    } else {
        text_put(&text, "/bin/sh");
    }
    text_end(&text);
}

static void keep_path(struct program *program, int folder, const char *path)
{
    char name[32];
    struct text text = TEXT_IN(program->path), link = TEXT_IN(name);
    long length = *path ? 0 : kernel_call(SYS_readlinkat, AT_FDCWD, put_link(&link, folder), program->path,
                                          sizeof program->path - 1);
    if (length > 0)
        text.next += length;
    else
        text_put(&text, *path ? path : link.start);
    text_end(&text);
}

void program_judge(struct program *program, int folder, const char *path, char *const *arguments)
{
    bool by_loader = false;
    program->verdict = PROGRAM_LOADS;
    program->machine = 0;
    keep_path(program, folder, path);
    for (int depth = 0; depth <= INTERPRETERS && open_head(program, folder, depth ? program->path : path); depth++) {
        const char *next = NULL;
        bool elf = text_begins(program->head, ELFMAG), script = program->bytes && !elf;
        if (elf) {
            program->verdict = judge_elf(program, by_loader);
            program->machine = program->bytes < sizeof(Elf64_Ehdr) ? 0 : ((const Elf64_Ehdr *)program->head)->e_machine;
            if (!depth && !program_refuses(program, false) && our_loader(program->path))
                next = loader_program(arguments);
        } else if (script) {
            read_interpreter(program);
        }
        kernel_call(SYS_close, program->descriptor);
        if (next)
            keep_path(program, AT_FDCWD, next);
        else if (!script || !program->path[0])
            return;
        by_loader = next;
        folder = AT_FDCWD;
    }
}

void program_say(struct text *text, const struct program *program)
{
    static const char *const why[] = {
        [PROGRAM_MUSL] = "runs on musl, where a whole run loads no library",
        [PROGRAM_STATIC] = "statically linked: no library can be loaded into it (--whole sees its system calls)",
        [PROGRAM_SETUID] = "set-user-ID: the loader ignores LD_PRELOAD",
        [PROGRAM_SETGID] = "set-group-ID: the loader ignores LD_PRELOAD",
        [PROGRAM_CAPABLE] = "has file capabilities: the loader ignores LD_PRELOAD",
        [PROGRAM_PRIVILEGED] = "runs as another user or group than its real one: the loader ignores LD_PRELOAD",
        [PROGRAM_CLASS] = "a 32-bit program, and libcount.so is not (--whole sees its system calls)",
        [PROGRAM_MACHINE] = "a program for another machine",
        [PROGRAM_LIBC] = "runs on another libc than glibc or musl (--whole sees its system calls)",
    };
    text_put(text, program->path, ": ", why[program->verdict] ? why[program->verdict] : "can be counted");
    if (program->verdict == PROGRAM_MACHINE) {
        text_put(text, " (ELF machine ");
        text_number(text, program->machine, 0);
        text_char(text, ')');
    }
}

/* 0 where the file can be executed, EACCES where it is there and cannot, -errno where it is not.
 * faccessat asks for the real user, exec for the effective one. */
static int check(const char *path)
{
    struct stat status;
    long failed = kernel_call(SYS_newfstatat, AT_FDCWD, path, &status, 0);
    if (kernel_failed(failed))
        return (int)failed;
    bool same = kernel_call(SYS_getuid) == kernel_call(SYS_geteuid) && kernel_call(SYS_getgid) == kernel_call(SYS_getegid);
    failed = same ? -ENOSYS : kernel_call(SYS_faccessat2, AT_FDCWD, path, 1 /* X_OK */, AT_EACCESS);
    if (failed == -ENOSYS)
        failed = kernel_call(SYS_faccessat, AT_FDCWD, path, 1);
    return !S_ISREG(status.st_mode) || kernel_failed(failed) ? EACCES : 0;
}

int program_find(const char *name, const char *search, char *path, size_t size)
{
    int result = ENOENT;
    bool alone = text_base(name) != name;
    for (const char *at = alone ? "" : search ? search : "/bin:/usr/bin"; *name; at++) {
        struct text text = { path, path, path + size - 1 };
        for (; *at && *at != ':'; at++)
            text_char(&text, *at);
        text_put(&text, text.next > path ? "/" : "", name);
        int number = text.next < text.end ? check(text_end(&text)) : -ENAMETOOLONG;
        if (!number)
            return 0;
        if (number == EACCES || alone)
            result = number < 0 ? -number : number;
        if (!*at)
            break;
    }
    return result;
}

bool program_is_text(const char *path)
{
    char start[256];
    int descriptor = (int)kernel_call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (descriptor < 0)
        return false;
    size_t size = read_at(descriptor, 0, start, sizeof start);
    kernel_call(SYS_close, descriptor);
    for (size_t i = 0; i < size; i++)
        if (!start[i])
            return false;
    return true;
}
