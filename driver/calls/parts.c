/* What a number is made of, by name. */
#include "parts.h"

#include "common/memory.h"
#include "common/output_json.h"
#include "common/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void parts_add(struct parts *parts, const char *name, uint64_t count)
{
    size_t i = 0;
    while (i < parts->count && strcmp(parts->part[i].name, name))
        i++;
    if (i == parts->count) {
        parts->part = memory_realloc(parts->part, ++parts->count, sizeof *parts->part);
        parts->part[i] = (struct part){ memory_strdup(name), 0 };
    }
    parts->part[i].count += count;
}

void parts_add_all(struct parts *parts, const struct parts *others)
{
    for (size_t i = 0; i < others->count; i++)
        parts_add(parts, others->part[i].name, others->part[i].count);
}

void parts_subtract(struct parts *parts, const struct parts *before)
{
    size_t kept = 0;
    for (size_t i = 0; i < parts->count; i++) {
        struct part part = parts->part[i];
        for (size_t j = 0; j < before->count; j++)
            if (!strcmp(part.name, before->part[j].name))
                part.count -= before->part[j].count < part.count ? before->part[j].count : part.count;
        if (part.count)
            parts->part[kept++] = part;
        else
            free(part.name);
    }
    parts->count = kept;
}

static int most_first(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    int order = !strcmp(x->name, PARTS_OTHER) - !strcmp(y->name, PARTS_OTHER);
    order = order ? order : (x->count < y->count) - (x->count > y->count);
    return order ? order : strcmp(x->name, y->name);
}

void parts_sort(struct parts *parts)
{
    if (parts->count)
        qsort(parts->part, parts->count, sizeof *parts->part, most_first);
}

uint64_t parts_sum(const struct parts *parts)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < parts->count; i++)
        sum += parts->part[i].count;
    return sum;
}

void parts_fill(struct parts *parts, uint64_t sum)
{
    uint64_t known = parts_sum(parts);
    if (known < sum)
        parts_add(parts, PARTS_OTHER, sum - known);
}

void parts_free(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++)
        free(parts->part[i].name);
    free(parts->part);
    *parts = (struct parts){ 0 };
}

json_t *parts_json(const struct parts *parts)
{
    json_t *object = parts->count ? json_object() : NULL;
    for (size_t i = 0; i < parts->count; i++) {
        char *name = text_utf8(parts->part[i].name);
        json_object_set_new(object, name, json_integer((json_int_t)parts->part[i].count));
        free(name);
    }
    return object;
}

char *parts_text(const struct parts *parts, size_t room)
{
    enum { ELLIPSIS = 5 };   /* columns of ", ..." */
    char *text = NULL;
    for (size_t i = 0; i < parts->count; i++) {
        const struct part *part = &parts->part[i];
        char *longer = memory_format("%s%s%s %" PRIu64, i ? text : "", i ? ", " : "", part->name, part->count);
        bool last = i + 1 == parts->count, fits = text_width(longer) + (last ? 0 : ELLIPSIS) <= room;
        if (!fits) {
            free(longer);
            longer = memory_format("%s...", i ? text : "");
            if (i) {
                free(longer);
                longer = memory_format("%s, ...", text);
            }
        }
        free(text);
        text = longer;
        if (!fits)
            break;
    }
    return text;
}
