/* Numbers on the command line, read whole and checked. */
#include "quantity.h"

#include "errors.h"
#include "memory.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void refuse(const char *what, const char *text, const char *wanted)
{
    errors_say("%s: '%s' is not %s", what, text, wanted);
    exit(EXIT_USAGE);
}

uint64_t quantity_whole(const char *what, const char *text, uint64_t least, uint64_t most)
{
    char *end, *range = memory_format("a whole number from %" PRIu64 " to %" PRIu64, least, most);
    errno = 0;
    uint64_t value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || errno) {
        double real = strtod(text, &end);
        if (!isdigit((unsigned char)*text) || *end || !(real < 0x1p63) || real != floor(real) || strpbrk(text, "xX"))
            refuse(what, text, range);
        value = (uint64_t)real;
    }
    if (value < least || value > most)
        refuse(what, text, range);
    free(range);
    return value;
}

double quantity_real(const char *what, const char *text)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end || isspace((unsigned char)*text))
        refuse(what, text, "a number");
    if (!isfinite(value) || (errno == ERANGE && fabs(value) < 1))
        refuse(what, text, "a number that a double can hold");
    return value;
}

double quantity_positive(const char *what, const char *text, double most)
{
    double value = quantity_real(what, text);
    char *range = memory_format("above 0 and at most %.0f", most);
    if (!(value > 0 && value <= most))
        refuse(what, text, range);
    free(range);
    return value;
}

double quantity_share(const char *what, const char *text)
{
    char *number = memory_strdup(text), *percent = strchr(number, '%');
    if (percent && !percent[1])
        *percent = '\0';
    double value = quantity_real(what, number) / (percent ? 100 : 1);
    free(number);
    if (!(value > 0 && value < 1))
        refuse(what, text, "between 0 and 1 (or 0% and 100%)");
    return value;
}
