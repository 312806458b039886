/* Digests of the loaded code, by dl_iterate_phdr: exact also for a file that was replaced since. */
#include "identity.h"

#include "common/memory.h"
#include "gauss/workload/kernels.h"

#include <inttypes.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a over 64-bit words: against mix-ups, not against attackers. */
static uint64_t digest(uint64_t hash, const unsigned char *bytes, size_t count)
{
    for (uint64_t word; count >= sizeof word; bytes += sizeof word, count -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = (hash ^ word) * 0x100000001b3;
        hash ^= hash >> 32;
    }
    return hash;
}

static int add_object(struct dl_phdr_info *info, size_t size, void *stream)
{
    (void)size;
    uint64_t hash = 0xcbf29ce484222325;
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X && !(part->p_flags & PF_W))
            hash = digest(hash, (const unsigned char *)info->dlpi_addr + part->p_vaddr, part->p_filesz);
    }
    fprintf(stream, "%016" PRIx64 " %s\n", hash, *name ? name : "the executable");
    return 0;
}

char *identity_text(void)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return memory_strdup("");
    dl_iterate_phdr(add_object, stream);
    fprintf(stream, "%s vectors\n", kernels_best()->name);
    fclose(stream);
    return text ? text : memory_strdup("");
}
