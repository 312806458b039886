/* JSON on an output, by jansson. */
#ifndef COMMON_OUTPUT_JSON_H
#define COMMON_OUTPUT_JSON_H

#include "output.h"

#include <jansson.h>

/* Write one JSON object or array and a newline; takes the reference. Reals keep 17 significant digits. */
void output_json(struct output *output, json_t *value);

/* The same as one line that is written at once. */
void output_json_line(struct output *output, json_t *value);

/* A JSON string of any bytes: what is not valid UTF-8 becomes U+FFFD. */
json_t *output_json_text(const char *text);
json_t *output_json_texts(char *const *texts);  /* an array of them; the last is NULL */

#endif
