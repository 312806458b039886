/* What was found out about an expression, as JSON. */
#ifndef RUMP_DISPLAY_JSON_H
#define RUMP_DISPLAY_JSON_H

#include "request.h"
#include "study.h"

/* The whole study, as the request wants it; a new object. */
json_t *display_json(const struct request *request, const struct study *study);

#endif
