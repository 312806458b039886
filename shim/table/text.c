/* Text built in a buffer that is given. */
#include "text.h"

#include "kernel.h"

void text_char(struct text *text, char c)
{
    if (text->next < text->end)
        *text->next++ = c;
}

void text_bytes(struct text *text, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        text_char(text, bytes[i]);
}

void text_strings(struct text *text, const char *const *strings)
{
    for (; *strings; strings++)
        text_bytes(text, *strings, text_length(*strings));
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
            text_bytes(text, string, length);
        }
        string += length ? length : 1;
    }
    text_char(text, '"');
}

/* A terminal would obey control characters: C0, DEL, and C1 (U+0080 to U+009F). */
static bool obeyed(const char *at, size_t length)
{
    unsigned char first = (unsigned char)at[0];
    return length == 1 ? first < 0x20 || first == 0x7f : length == 2 && first == 0xc2 && (unsigned char)at[1] < 0xa0;
}

void text_plain(struct text *text, const char *string)
{
    while (*string) {
        size_t length = utf8_length(string), count = length ? length : 1;
        if (length && !obeyed(string, length)) {
            text_bytes(text, string, length);
        } else {
            for (size_t i = 0; i < count; i++) {
                unsigned char c = (unsigned char)string[i];
                const char octal[] = { '\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)), (char)('0' + (c & 7)) };
                text_bytes(text, octal, sizeof octal);
            }
        }
        string += count;
    }
}

const char *text_end(struct text *text)
{
    *text->next = 0;
    return text->start;
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

const char *text_base(const char *path)
{
    const char *base = path;
    for (; *path; path++)
        if (*path == '/')
            base = path + 1;
    return base;
}

const char *text_variable(char *const *environment, const char *name)
{
    size_t length = text_length(name);
    for (; environment && *environment; environment++)
        if (text_begins(*environment, name) && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

void text_warn(int descriptor, const char *a, const char *b, const char *c)
{
    char line[512];
    struct text text = TEXT_IN(line);
    text_put(&text, "libcount: ");
    text_plain(&text, a);
    text_plain(&text, b);
    text_plain(&text, c);
    *text.next++ = '\n';
    kernel_call(SYS_write, descriptor, line, text.next - text.start);
}

const char *text_entry(const char *value, const char *name)
{
    size_t length = name ? text_length(name) : 0;
    for (const char *at = value; length && *at; at++) {
        bool first = at == value || at[-1] == ':' || at[-1] == ' ';
        if (first && text_begins(at, name) && (!at[length] || at[length] == ':' || at[length] == ' '))
            return at;
    }
    return NULL;
}
