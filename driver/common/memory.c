/* Memory that is never NULL: the bottom of the driver, which writes its one message itself. */
#include "memory.h"

#include "exits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *or_die(void *memory)
{
    if (!memory) {
        fputs("reckon: out of memory\n", stderr);
        exit(EXIT_OURS);
    }
    return memory;
}

void *memory_calloc(size_t count, size_t size)
{
    return or_die(calloc(count ? count : 1, size));
}

void *memory_realloc(void *old, size_t count, size_t size)
{
    return or_die(reallocarray(old, count ? count : 1, size));
}

char *memory_strdup(const char *text)
{
    return or_die(strdup(text));
}

char *memory_format(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    if (vasprintf(&text, format, list) < 0)
        text = NULL;
    va_end(list);
    return or_die(text);
}
