/* The errors of a row by name, as text, JSON and CSV. */
#include "report/errors.h"

#include "counters.h"
#include "table/errnos.h"

enum { ONE = 48, ELLIPSIS = 5 };  /* characters of "ENOENT 17" at most, of ", ..." */

static void read(struct errnos *errnos, size_t row, uint64_t errors)
{
    errnos_read(errnos, counters_table, row, row < COUNTERS_ROWS ? errors : 0);
}

/* "ENOENT 17", or ", ENOENT 17" where it is not the first. */
static size_t put_one(char one[ONE], const struct errnos *errnos, size_t i)
{
    char name[ERRNOS_NAME];
    struct text part = { one, one, one + ONE - 1 };
    text_put(&part, i ? ", " : "", errnos_name(errnos->each[i].number, name), " ");
    text_number(&part, errnos->each[i].calls, 0);
    return text_length(text_end(&part));
}

void errors_put(struct text *text, size_t row, uint64_t errors, size_t room)
{
    enum { AROUND = 4 };   /* characters of "  (" and ")" */
    char one[ONE];
    struct errnos errnos;
    size_t used = AROUND;
    read(&errnos, row, errors);
    for (size_t i = 0; i < errnos.count; i++) {
        bool last = i + 1 == errnos.count;
        used += put_one(one, &errnos, i);
        if (used + (last ? 0 : ELLIPSIS) > room) {
            text_put(text, i ? ", ...)" : "");
            return;
        }
        text_put(text, i ? "" : "  (", one, last ? ")" : "");
    }
}

void errors_put_json(struct text *text, size_t row, uint64_t errors)
{
    char name[ERRNOS_NAME];
    struct errnos errnos;
    read(&errnos, row, errors);
    for (size_t i = 0; i < errnos.count; i++) {
        text_put(text, i ? ", " : ", \"errnos\": {", "\"", errnos_name(errnos.each[i].number, name), "\": ");
        text_number(text, errnos.each[i].calls, 0);
    }
    text_put(text, errnos.count ? "}" : "");
}

void errors_put_csv(struct text *text, size_t row, uint64_t errors)
{
    char one[ONE];
    struct errnos errnos;
    read(&errnos, row, errors);
    const char *quote = errnos.count > 1 ? "\"" : "";
    text_put(text, ",", quote);
    for (size_t i = 0; i < errnos.count; i++) {
        put_one(one, &errnos, i);
        text_put(text, one);
    }
    text_put(text, quote);
}
