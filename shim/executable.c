/* Whether the dynamic loader will put this library into a program: what is static, privileged or made for another
 * machine or libc runs uncounted, and the report has to say so. */
#include "shim.h"

#include "kernel.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#else
#define MACHINE EM_AARCH64
#endif

enum { HEAD = 4096 };

/* The first bytes of a file; 0 where it cannot be read, which is for exec to complain about. */
static size_t read_head(const char *path, char *head, struct stat *status)
{
    int descriptor = (int)kernel_call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    if (descriptor < 0)
        return 0;
    long bytes = kernel_call(SYS_fstat, descriptor, status);
    if (!kernel_failed(bytes))
        bytes = S_ISREG(status->st_mode) ? kernel_call(SYS_read, descriptor, head, HEAD - 1) : 0;
    kernel_call(SYS_close, descriptor);
    head[bytes > 0 ? bytes : 0] = 0;
    return bytes > 0 ? (size_t)bytes : 0;
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

/* The path of the interpreter in PT_INTERP, or NULL for a static program. */
static const char *interpreter(const char *head, size_t bytes)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)head;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        size_t at = header->e_phoff + (size_t)i * header->e_phentsize;
        if (header->e_phoff > HEAD || at + sizeof(Elf64_Phdr) > bytes)
            return "ld-linux";  /* beyond what was read: believe the best */
        const Elf64_Phdr *segment = (const Elf64_Phdr *)(head + at);
        if (segment->p_type == PT_INTERP)
            return segment->p_offset < bytes ? head + segment->p_offset : "ld-linux";
    }
    return NULL;
}

/* Does `path` end in a file that the loader of this libc is called? */
static bool glibc_loader(const char *path)
{
    const char *name = path;
    for (const char *c = path; *c; c++)
        if (*c == '/')
            name = c + 1;
    return text_begins(name, "ld-linux") || text_begins(name, "ld.so") || text_begins(name, "ld-2");
}

/* "#! interpreter argument": the interpreter is what runs. NULL where `head` is no script. */
static char *script_interpreter(char *head)
{
    if (head[0] != '#' || head[1] != '!')
        return NULL;
    char *start = head + 2, *end;
    while (*start == ' ' || *start == '\t')
        start++;
    for (end = start; *end && *end != ' ' && *end != '\t' && *end != '\n'; end++) {
    }
    *end = 0;
    return start;
}

static struct refusal judge(const char *path, int depth)
{
    char head[HEAD] __attribute__((aligned(8)));
    struct stat status;
    size_t bytes = read_head(path, head, &status);
    char *script = bytes ? script_interpreter(head) : NULL;
    if (script && depth < 4)
        return judge(script, depth + 1);
    if (bytes < sizeof(Elf64_Ehdr) || !text_begins(head, ELFMAG))
        return (struct refusal){ NULL, false };
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)head;
    if (header->e_ident[EI_CLASS] != ELFCLASS64)
        return (struct refusal){ "32-bit program, cannot load the 64-bit library", true };
    if (header->e_machine != MACHINE)
        return (struct refusal){ "program for another machine", true };
    const char *loader = interpreter(head, bytes);
    if (!loader)
        return (struct refusal){ "statically linked, loads no library", false };
    if (!glibc_loader(loader))
        return (struct refusal){ "runs on another libc than glibc", true };
    if (gains_privilege(path, &status))
        return (struct refusal){ "setuid, setgid or with capabilities: the loader ignores LD_PRELOAD", false };
    return (struct refusal){ NULL, false };
}

struct refusal executable_refusal(const char *path)
{
    return judge(path, 0);
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
