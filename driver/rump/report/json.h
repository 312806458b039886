/* What was found out about an expression, as JSON. */
#ifndef RUMP_REPORT_JSON_H
#define RUMP_REPORT_JSON_H

#include "rump/request.h"
#include "rump/study/study.h"

#include <jansson.h>

/* The whole study, as the request wants it; a new object. */
json_t *display_json(const struct request *request, const struct study *study);

#endif
