/* Records as table, JSON and CSV. */
#include "records.h"

#include "memory.h"

#include <stdlib.h>

enum { MOST = 32 /* columns */, LEAST = 10 /* screen columns that make one worth while */ };

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

/* The fields that a table has, by their place; those that take what is left only where there is `room`. */
static size_t columns_of(const struct records *records, const struct field *columns[MOST], size_t room)
{
    size_t count = 0;
    for (const struct field *field = records->fields; !ends(field); field++) {
        if (!field->title || !shown(records, field) || (field->fit && !room) || count == MOST)
            continue;
        size_t at = count++;
        for (; at && columns[at - 1]->place > field->place; at--)
            columns[at] = columns[at - 1];
        columns[at] = field;
    }
    return count;
}

static char *cell_of(const struct field *field, const void *record, const void *total, size_t room)
{
    if (field->fit)
        return field->fit(record, room);
    return field->text ? field->text(record, total) : text_of(field->value(record));
}

static void add_line(struct output_table *table, const struct field *const *columns, size_t count, const void *record,
                     const void *total, size_t room)
{
    char *cells[MOST];
    for (size_t i = 0; i < count; i++)
        cells[i] = cell_of(columns[i], record, total, room);
    output_table_take(table, cells);
}

static struct output_table *table_of(const struct records *records, size_t room)
{
    const struct field *columns[MOST];
    struct output_column heads[MOST];
    size_t count = columns_of(records, columns, room);
    for (size_t i = 0; i < count; i++)
        heads[i] = (struct output_column){ columns[i]->title, columns[i]->right };
    struct output_table *table = output_table_new(heads, count);
    output_table_rule(table);
    for (size_t i = 0; i < records->count; i++)
        add_line(table, columns, count, record_at(records, i), records->total, room);
    if (records->total) {
        output_table_rule(table);
        add_line(table, columns, count, records->total, records->total, room);
    }
    return table;
}

/* Whether a record has anything to say in a column that takes what is left. */
static bool fits_wanted(const struct records *records)
{
    for (const struct field *field = records->fields; !ends(field); field++) {
        for (size_t i = 0; field->fit && shown(records, field) && i < records->count; i++) {
            char *text = field->fit(record_at(records, i), LEAST);
            free(text);
            if (text)
                return true;
        }
    }
    return false;
}

void records_print(const struct records *records, struct output *output)
{
    struct output_table *table = table_of(records, 0);
    size_t width = output_table_width(table) + 1, all = (size_t)output_width(output);
    if (fits_wanted(records) && width + LEAST <= all) {
        output_table_free(table);
        table = table_of(records, all - width);
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
            json_t *value = field->value(record_at(records, i));
            if (value)
                json_object_set_new(field->group ? json_object_get(object, field->group) : object, field->key, value);
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
