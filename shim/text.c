/* Text built in a buffer that is given, without libc: it must work in a process that is going down. */
#include "table/kernel.h"
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

/* The bytes of the UTF-8 sequence at `at` (RFC 3629: none longer than it must be, no surrogates), 0 for none. */
static size_t utf8_length(const char *at)
{
    unsigned char first = (unsigned char)at[0];
    size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    for (size_t i = 1; i < length; i++, low = 0x80, high = 0xbf)
        if ((unsigned char)at[i] < low || (unsigned char)at[i] > high)
            return 0;
    return length;
}

/* RFC 8259: control characters, quotes and backslashes are escaped; what is not UTF-8 becomes U+FFFD, byte by byte,
 * so that it is valid whatever a file name holds. */
void text_quote(struct text *text, const char *string)
{
    static const char hexadecimal[] = "0123456789abcdef";
    text_char(text, '"');
    while (*string) {
        unsigned char c = (unsigned char)*string;
        size_t length = utf8_length(string);
        if (c < 0x20) {
            text_put(text, "\\u00");
            text_char(text, hexadecimal[c >> 4]);
            text_char(text, hexadecimal[c & 15]);
        } else if (!length) {
            text_put(text, "\\ufffd");
        } else {
            if (c == '"' || c == '\\')
                text_char(text, '\\');
            for (size_t i = 0; i < length; i++)
                text_char(text, string[i]);
        }
        string += length ? length : 1;
    }
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

void text_warn(int descriptor, const char *a, const char *b, const char *c)
{
    char line[512];
    struct text text = { line, line, line + sizeof line };
    text_put(&text, "libcount: ");
    text_put(&text, a);
    text_put(&text, b);
    text_put(&text, c);
    text_char(&text, '\n');
    kernel_call(SYS_write, descriptor, line, text.next - text.start);
}
