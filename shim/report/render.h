/* What the report says: the rows of the table as text, JSON or CSV. */
#ifndef REPORT_RENDER_H
#define REPORT_RENDER_H

#include "table/text.h"

/* Status of a process that signal N ends: RENDER_SIGNAL + N; -1: how it ends is not known. */
#define RENDER_SIGNAL 256

/* Called where the report may be long: write what there is where so many bytes more have no room. */
typedef void render_room(struct text *text, size_t size);

/* `command`: the arguments one after the other, each with its final 0. */
void render(struct text *text, int status, const struct text *command, render_room *make_room);

#endif
