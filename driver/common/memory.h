/* Memory that is never NULL: where there is none left, the driver says so and ends with EXIT_OURS. */
#ifndef COMMON_MEMORY_H
#define COMMON_MEMORY_H

#include <stddef.h>

/* calloc, reallocarray, strdup and asprintf. */
void *memory_calloc(size_t count, size_t size);
void *memory_realloc(void *old, size_t count, size_t size);
char *memory_strdup(const char *text);
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
