/* LIBCOUNT_* in the environment. */
#ifndef SHIM_SETTINGS_H
#define SHIM_SETTINGS_H

#include "table/counters.h"

enum settings_format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV };

struct settings {
    bool disabled, debug;
    enum settings_format format;
    uint32_t flags;                      /* enum counters_flags */
    const char *output;                  /* LIBCOUNT_OUTPUT, or NULL */
    const char *table;                   /* LIBCOUNT_TABLE: the table to add to, or NULL */
    const char *judged;                  /* LIBCOUNT_JUDGE: say whether this program can be counted, or NULL */
};
extern struct settings settings;

/* A value that makes no sense costs one line on standard error. */
void settings_read(char **environment);

/* What the report needs goes with the table: the root may execute a program with another environment. */
void settings_keep(struct counters_table *table);
void settings_restore(const struct counters_table *table);

#endif
