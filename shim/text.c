/* Text built in a buffer that is given, without libc: it must work in a process that is going down. */
#include "kernel.h"
#include "shim.h"

void text_char(struct text *text, char c)
{
    if (text->next < text->end)
        *text->next++ = c;
}

void text_put(struct text *text, const char *string)
{
    while (*string)
        text_char(text, *string++);
}

void text_number(struct text *text, uint64_t number, int width)
{
    char digits[20];
    int count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    for (int i = count; i < width; i++)
        text_char(text, ' ');
    while (count)
        text_char(text, digits[--count]);
}

void text_pad(struct text *text, const char *string, int width)
{
    text_put(text, string);
    for (int i = (int)text_length(string); i < width; i++)
        text_char(text, ' ');
}

/* A JSON string is escaped as RFC 8259 asks, bytes that are not ASCII as if they were Latin-1, so that it is valid
 * whatever a file name holds; a CSV field is quoted as in RFC 4180. */
void text_quote(struct text *text, const char *string, enum settings_format format)
{
    static const char hexadecimal[] = "0123456789abcdef";
    bool json = format == FORMAT_JSON, quote = json;
    for (const char *c = string; *c && !quote; c++)
        quote = *c == ',' || *c == '"' || *c == '\n' || *c == '\r';
    if (quote)
        text_char(text, '"');
    for (; *string; string++) {
        unsigned char c = (unsigned char)*string;
        if (json && (c < 0x20 || c >= 0x7f)) {
            text_put(text, "\\u00");
            text_char(text, hexadecimal[c >> 4]);
            text_char(text, hexadecimal[c & 15]);
            continue;
        }
        if (c == '"')
            text_char(text, json ? '\\' : '"');
        if (json && c == '\\')
            text_char(text, '\\');
        text_char(text, (char)c);
    }
    if (quote)
        text_char(text, '"');
}

size_t text_length(const char *string)
{
    size_t length = 0;
    while (string[length])
        length++;
    return length;
}

bool text_equal(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

bool text_begins(const char *string, const char *prefix)
{
    while (*prefix)
        if (*string++ != *prefix++)
            return false;
    return true;
}

void text_warn(const char *a, const char *b, const char *c)
{
    char line[512];
    struct text text = { line, line, line + sizeof line };
    text_put(&text, "libcount: ");
    text_put(&text, a);
    text_put(&text, b);
    text_put(&text, c);
    text_char(&text, '\n');
    kernel_call(SYS_write, 2, line, text.next - text.start);
}
