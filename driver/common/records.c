/* Records as table, JSON and CSV. */
#include "records.h"

#include "memory.h"
#include "text.h"

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

/* A column of a table; those that take what is left have `room` for it, or are not there. */
struct column {
    const struct field *field;
    size_t room;
};

/* The columns that a table can have, by their place. */
static size_t columns_of(const struct records *records, struct column columns[MOST])
{
    size_t count = 0;
    for (const struct field *field = records->fields; !ends(field); field++) {
        if (!field->title || !shown(records, field) || count == MOST)
            continue;
        size_t at = count++;
        for (; at && columns[at - 1].field->place > field->place; at--)
            columns[at] = columns[at - 1];
        columns[at] = (struct column){ field, 0 };
    }
    return count;
}

static char *cell_of(const struct column *column, const void *record, const void *total)
{
    const struct field *field = column->field;
    if (field->fit)
        return field->fit(record, column->room);
    return field->text ? field->text(record, total) : text_of(field->value(record));
}

static bool there(const struct column *column)
{
    return !column->field->fit || column->room;
}

static void add_line(struct output_table *table, const struct column *columns, size_t count, const void *record,
                     const void *total)
{
    char *cells[MOST];
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (there(&columns[i]))
            cells[used++] = cell_of(&columns[i], record, total);
    output_table_take(table, cells);
}

static struct output_table *table_of(const struct records *records, const struct column *columns, size_t count)
{
    struct output_column heads[MOST];
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (there(&columns[i]))
            heads[used++] = (struct output_column){ columns[i].field->title, columns[i].field->right };
    struct output_table *table = output_table_new(heads, used);
    output_table_rule(table);
    for (size_t i = 0; i < records->count; i++)
        add_line(table, columns, count, record_at(records, i), records->total);
    if (records->total) {
        output_table_rule(table);
        add_line(table, columns, count, records->total, records->total);
    }
    return table;
}

/* The screen columns that a column takes which has so much room; 0: it has nothing to say. */
static size_t wanted(const struct records *records, const struct field *field, size_t room)
{
    size_t most = 0;
    for (size_t i = 0; i <= records->count; i++) {
        const void *record = i < records->count ? record_at(records, i) : records->total;
        char *text = record ? field->fit(record, room) : NULL;
        size_t width = text ? text_width(text) : 0;
        most = width > most ? width : most;
        free(text);
    }
    return most && most < text_width(field->title) ? text_width(field->title) : most;
}

/* Give the columns that take what is left their shares of it; what one does not need is the next one's. */
static void share(const struct records *records, struct column *columns, size_t count, size_t left)
{
    size_t takers = 0;
    for (size_t i = 0; i < count; i++)
        takers += columns[i].field->fit && wanted(records, columns[i].field, LEAST);
    for (size_t i = 0; i < count && takers; i++) {
        const struct field *field = columns[i].field;
        if (!field->fit || !wanted(records, field, LEAST))
            continue;
        size_t room = left / takers--;
        if (room <= LEAST)
            continue;
        columns[i].room = wanted(records, field, room - 1);
        left -= columns[i].room + 1 < left ? columns[i].room + 1 : left;
    }
}

void records_print(const struct records *records, struct output *output)
{
    struct column columns[MOST];
    struct records first = *records;
    if (output->rows && first.count > output->rows)
        first.count = output->rows;
    size_t count = columns_of(&first, columns), all = (size_t)output_width(output);
    struct output_table *table = table_of(&first, columns, count);
    size_t width = output_table_width(table);
    output_table_free(table);
    share(&first, columns, count, all > width ? all - width : 0);
    table = table_of(&first, columns, count);
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
