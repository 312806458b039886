/* How the driver says what went wrong. */
#include "errors.h"

#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What others named may hold any bytes: the terminal gets none that it would obey. */
static void say(const char *format, va_list list, const char *reason)
{
    char *text = NULL;
    if (vasprintf(&text, format, list) < 0)
        text = NULL;
    char *shown = text_printable(text ? text : format);
    fprintf(stderr, "reckon: %s%s%s\n", shown, reason ? ": " : "", reason ? reason : "");
    free(shown);
    free(text);
}

void errors_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(format, list, NULL);
    va_end(list);
}

void errors_say_errno(int number, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say(format, list, strerror(number));
    va_end(list);
}
