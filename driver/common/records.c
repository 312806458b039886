/* Records as table, JSON and CSV. */
#include "records.h"

#include "memory.h"

#include <stdlib.h>

enum { MOST = 32 };  /* columns */

static bool shown(const struct records *records, const struct field *field)
{
    return !field->shown || field->shown(records->subject);
}

static bool ends(const struct field *field)
{
    return !field->key && !field->title;
}

static const void *record_at(const struct records *records, size_t i)
{
    return (const char *)records->record + i * records->size;
}

/* A value as text, which takes the reference: NULL where there is nothing to say. */
static char *text_of(json_t *value)
{
    char *text = NULL;
    const char *key;
    json_t *part;
    if (json_is_string(value))
        text = memory_strdup(json_string_value(value));
    else if (json_is_integer(value))
        text = memory_format("%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        text = memory_format("%.17g", json_real_value(value));
    json_object_foreach(value, key, part) {
        char *one = text_of(json_incref(part)), *longer;
        longer = memory_format("%s%s%s %s", text ? text : "", text ? ", " : "", key, one ? one : "");
        free(one);
        free(text);
        text = longer;
    }
    json_decref(value);
    return text;
}

/* The fields that a table has, by their place. */
static size_t columns_of(const struct records *records, const struct field *columns[MOST])
{
    size_t count = 0;
    for (const struct field *field = records->fields; !ends(field); field++) {
        if (!field->title || !shown(records, field) || count == MOST)
            continue;
        size_t at = count++;
        for (; at && columns[at - 1]->place > field->place; at--)
            columns[at] = columns[at - 1];
        columns[at] = field;
    }
    return count;
}

static void add_line(struct output_table *table, const struct field *const *columns, size_t count, const void *record,
                     const void *total)
{
    char *cells[MOST];
    for (size_t i = 0; i < count; i++)
        cells[i] = columns[i]->text ? columns[i]->text(record, total) : text_of(columns[i]->value(record));
    output_table_take(table, cells);
}

void records_print(const struct records *records, struct output *output)
{
    const struct field *columns[MOST];
    struct output_column heads[MOST];
    size_t count = columns_of(records, columns);
    for (size_t i = 0; i < count; i++)
        heads[i] = (struct output_column){ columns[i]->title, columns[i]->right };
    struct output_table *table = output_table_new(heads, count);
    output_table_rule(table);
    for (size_t i = 0; i < records->count; i++)
        add_line(table, columns, count, record_at(records, i), records->total);
    if (records->total) {
        output_table_rule(table);
        add_line(table, columns, count, records->total, records->total);
    }
    output_table_print(table, output);
    output_table_free(table);
}

json_t *records_json(const struct records *records)
{
    json_t *array = json_array();
    for (size_t i = 0; i < records->count; i++) {
        json_t *object = json_object();
        json_array_append_new(array, object);
        for (const struct field *field = records->fields; !ends(field); field++) {
            if (!field->key || !shown(records, field))
                continue;
            if (field->group && !json_object_get(object, field->group))
                json_object_set_new(object, field->group, json_object());
            json_object_set_new(field->group ? json_object_get(object, field->group) : object, field->key,
                                field->value(record_at(records, i)));
        }
    }
    return array;
}

struct output_table *records_csv(const struct records *records, const char *const *names, size_t count)
{
    struct output_column columns[MOST] = { { NULL, false } };
    for (size_t i = 0; i < count; i++)
        columns[i].name = names[i];
    for (const struct field *field = records->fields; !ends(field) && count < MOST; field++)
        if (field->key && shown(records, field))
            columns[count++].name = field->key;
    return output_table_new(columns, count);
}

void records_csv_add(struct output_table *table, const struct records *records, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < records->count; i++) {
        char *cells[MOST];
        size_t used = 0;
        for (; used < count; used++)
            cells[used] = memory_strdup(texts[used]);
        for (const struct field *field = records->fields; !ends(field) && used < MOST; field++)
            if (field->key && shown(records, field))
                cells[used++] = text_of(field->value(record_at(records, i)));
        output_table_take(table, cells);
    }
}
