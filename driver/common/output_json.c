/* JSON on an output. */
#include "output_json.h"

#include "errors.h"
#include "text.h"

#include <stdlib.h>

static void write_json(struct output *output, json_t *value, size_t form)
{
    if (!value || json_dumpf(value, output->stream, form | JSON_REAL_PRECISION(17) | JSON_ENSURE_ASCII))
        errors_say("JSON: cannot be written");
    fputc('\n', output->stream);
    json_decref(value);
}

void output_json(struct output *output, json_t *value)
{
    write_json(output, value, JSON_INDENT(1));
}

void output_json_line(struct output *output, json_t *value)
{
    write_json(output, value, JSON_COMPACT);
    fflush(output->stream);
}

json_t *output_json_text(const char *text)
{
    char *valid = text_utf8(text);
    json_t *value = json_string(valid);
    free(valid);
    return value;
}

json_t *output_json_texts(char *const *texts)
{
    json_t *array = json_array();
    for (size_t i = 0; texts[i]; i++)
        json_array_append_new(array, output_json_text(texts[i]));
    return array;
}
