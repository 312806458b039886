/* Whether the dynamic loader will put this library into a program: what is static, privileged or made for another
 * machine or libc runs uncounted, and the report has to say so. */
#include "shim.h"

#include "table/kernel.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#else
#define MACHINE EM_AARCH64
#endif

enum { HEAD = 1024 };  /* on the stack of any thread: small, but the program headers are in it */

/* A file that is open, and its first bytes. */
struct program {
    int descriptor;
    struct stat status;
    size_t bytes;
    char head[HEAD] __attribute__((aligned(8)));
};

static size_t read_at(const struct program *program, uint64_t offset, void *buffer, size_t size)
{
    long bytes = kernel_call(SYS_pread64, program->descriptor, buffer, size, offset);
    return bytes > 0 ? (size_t)bytes : 0;
}

/* False where it cannot be read, which is for exec to complain about. */
static bool open_program(struct program *program, const char *path)
{
    program->descriptor = (int)kernel_call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (program->descriptor < 0)
        return false;
    long bytes = kernel_call(SYS_fstat, program->descriptor, &program->status);
    if (!kernel_failed(bytes))
        bytes = S_ISREG(program->status.st_mode) ? (long)read_at(program, 0, program->head, HEAD - 1) : 0;
    program->bytes = bytes > 0 ? (size_t)bytes : 0;
    program->head[program->bytes] = 0;
    return true;
}

/* The loader (AT_SECURE) drops LD_PRELOAD where a program gains a user, a group or a capability. */
static bool gains_privilege(const char *path, const struct stat *status)
{
    uid_t user = (uid_t)kernel_call(SYS_getuid);
    gid_t group = (gid_t)kernel_call(SYS_getgid);
    if ((status->st_mode & S_ISUID && status->st_uid != user) || (status->st_mode & S_ISGID && status->st_gid != group))
        return true;
    return user != 0 && kernel_call(SYS_getxattr, path, "security.capability", NULL, 0) > 0;
}

/* The n-th program header of a type, NULL where there is none in what was read. */
static const Elf64_Phdr *segment(const struct program *program, uint32_t type, unsigned n)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)program->head;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        size_t at = header->e_phoff + (size_t)i * sizeof(Elf64_Phdr);
        if (header->e_phoff > HEAD || at + sizeof(Elf64_Phdr) > program->bytes)
            return NULL;
        const Elf64_Phdr *found = (const Elf64_Phdr *)(program->head + at);
        if (found->p_type == type && n-- == 0)
            return found;
    }
    return NULL;
}

/* Is the program interpreter a file that the loader of this libc is called? */
static bool glibc_loader(const struct program *program, const Elf64_Phdr *interpreter)
{
    char path[256];
    const char *name = path;
    path[read_at(program, interpreter->p_offset, path, sizeof path - 1)] = 0;
    for (const char *c = path; *c; c++)
        if (*c == '/')
            name = c + 1;
    return text_begins(name, "ld-linux") || text_begins(name, "ld.so") || text_begins(name, "ld-2");
}

/* Where in the file an address of the program is. */
static uint64_t offset_of(const struct program *program, uint64_t address)
{
    const Elf64_Phdr *load;
    for (unsigned n = 0; (load = segment(program, PT_LOAD, n)); n++)
        if (address >= load->p_vaddr && address - load->p_vaddr < load->p_filesz)
            return address - load->p_vaddr + load->p_offset;
    return 0;
}

/* Does it need AddressSanitizer's library? That ends programs in which it is not the first, unless told not to. */
static bool needs_asan(const struct program *program)
{
    Elf64_Dyn dynamic[64];
    const Elf64_Phdr *at = segment(program, PT_DYNAMIC, 0);
    size_t size = at ? at->p_filesz : 0, count;
    uint64_t strings = 0;
    size = size < sizeof dynamic ? size : sizeof dynamic;
    count = read_at(program, at ? at->p_offset : 0, dynamic, size) / sizeof *dynamic;
    for (size_t i = 0; i < count; i++)
        if (dynamic[i].d_tag == DT_STRTAB)
            strings = offset_of(program, dynamic[i].d_un.d_ptr);
    for (size_t i = 0; strings && i < count; i++) {
        char name[16];
        if (dynamic[i].d_tag != DT_NEEDED)
            continue;
        name[read_at(program, strings + dynamic[i].d_un.d_val, name, sizeof name - 1)] = 0;
        if (text_begins(name, "libasan.so"))
            return true;
    }
    return false;
}

/* "#! interpreter argument": the interpreter is what runs. False where `head` is no script. */
static bool script_interpreter(const char *head, char *path, size_t size)
{
    if (head[0] != '#' || head[1] != '!')
        return false;
    struct text text = { path, path, path + size - 1 };
    head += 2;
    while (*head == ' ' || *head == '\t')
        head++;
    for (; *head && *head != ' ' && *head != '\t' && *head != '\n'; head++)
        text_char(&text, *head);
    *text.next = 0;
    return true;
}

static struct refusal judge(const struct program *program, const char *path)
{
    if (program->bytes < sizeof(Elf64_Ehdr) || !text_begins(program->head, ELFMAG))
        return (struct refusal){ NULL, ENVIRONMENT_OURS };
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)program->head;
    if (header->e_ident[EI_CLASS] != ELFCLASS64)
        return (struct refusal){ "32-bit program, cannot load the 64-bit library", ENVIRONMENT_STRIPPED };
    if (header->e_machine != MACHINE)
        return (struct refusal){ "program for another machine", ENVIRONMENT_STRIPPED };
    const Elf64_Phdr *interpreter = segment(program, PT_INTERP, 0);
    if (!interpreter)
        return (struct refusal){ "statically linked, loads no library", ENVIRONMENT_OURS };
    if (!glibc_loader(program, interpreter))
        return (struct refusal){ "runs on another libc than glibc", ENVIRONMENT_STRIPPED };
    if (gains_privilege(path, &program->status))
        return (struct refusal){ "setuid, setgid or with capabilities: the loader ignores LD_PRELOAD",
                                 ENVIRONMENT_OURS };
    return (struct refusal){ NULL, needs_asan(program) ? ENVIRONMENT_ASAN : ENVIRONMENT_OURS };
}

struct refusal executable_refusal(const char *path)
{
    struct refusal refusal = { NULL, ENVIRONMENT_OURS };
    struct program program;
    char interpreter[256];
    for (int depth = 0; depth < 5 && open_program(&program, path); depth++) {
        bool script = program.bytes && script_interpreter(program.head, interpreter, sizeof interpreter);
        if (!script)
            refusal = judge(&program, path);
        kernel_call(SYS_close, program.descriptor);
        if (!script)
            break;
        path = interpreter;
    }
    return refusal;
}

const char *executable_find(const char *file, const char *search, char *buffer, size_t size)
{
    for (const char *c = file; c && *c; c++)
        if (*c == '/')
            return file;
    for (const char *at = search ? search : "/bin:/usr/bin"; file && *file; at++) {
        struct text text = { buffer, buffer, buffer + size - 1 };
        for (; *at && *at != ':'; at++)
            text_char(&text, *at);
        if (text.next > buffer)
            text_char(&text, '/');
        text_put(&text, file);
        *text.next = 0;
        if (!kernel_failed(kernel_call(SYS_faccessat, AT_FDCWD, buffer, 1 /* X_OK */)))
            return buffer;
        if (!*at)
            break;
    }
    return file;
}
