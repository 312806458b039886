/* Text on a screen: what can be shown of it, how wide it is, and lines of it. */
#include "text.h"

#include "memory.h"

#include <langinfo.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

/* Bytes of the character at `text`, 0 where there is none. */
static size_t read_character(const char *text, wchar_t *wide)
{
    mbstate_t state = { 0 };
    size_t most = strnlen(text, MB_CUR_MAX), length = mbrtowc(wide, text, most, &state);
    return length > most ? 0 : length;
}

char *text_printable(const char *text)
{
    char *shown = memory_calloc(4 * strlen(text) + 1, 1), *end = shown;
    while (*text) {
        wchar_t wide;
        size_t length = read_character(text, &wide);
        if (length && iswprint((wint_t)wide)) {
            end = mempcpy(end, text, length);
        } else {
            length = length ? length : 1;
            for (size_t i = 0; i < length; i++)
                end += sprintf(end, "\\%03o", (unsigned)(unsigned char)text[i]);
        }
        text += length;
    }
    return shown;
}

size_t text_width(const char *text)
{
    size_t width = 0;
    while (*text) {
        wchar_t wide;
        size_t length = read_character(text, &wide);
        int columns = length ? wcwidth(wide) : 1;
        width += columns > 0 ? (size_t)columns : 0;
        text += length ? length : 1;
    }
    return width;
}

char *text_cut(const char *text, size_t width)
{
    char *shown = text_printable(text);
    if (text_width(shown) <= width)
        return shown;
    size_t column = 0, kept = 0;
    for (;;) {
        wchar_t wide;
        size_t length = read_character(shown + kept, &wide);
        int columns = wcwidth(wide);
        column += columns > 0 ? (size_t)columns : 0;
        if (column + 2 > width)
            break;
        kept += length;
    }
    char *cut = memory_format("%.*s..", (int)kept, shown);
    free(shown);
    return cut;
}

/* Bytes of the UTF-8 character at `text`, 0 where there is none (RFC 3629, section 4). */
static size_t utf8_length(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    unsigned char lead = byte[0];
    size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    for (size_t i = 1; i < length; i++)
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (lead == 0xe0 && byte[1] < 0xa0) || (lead == 0xf0 && byte[1] < 0x90);
    bool surrogate = lead == 0xed && byte[1] > 0x9f, beyond = lead == 0xf4 && byte[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : length;
}

char *text_utf8(const char *text)
{
    char *valid = memory_calloc(3 * strlen(text) + 1, 1), *end = valid;
    while (*text) {
        size_t length = utf8_length(text);
        end = length ? mempcpy(end, text, length) : stpcpy(end, "\xef\xbf\xbd");
        text += length ? length : 1;
    }
    return valid;
}

/* Bytes from `text` to where a line may be broken: a space or the end; not inside `...` where `quotes` count. */
static size_t piece_length(const char *text, bool quotes)
{
    bool inside = false;
    size_t length = 0;
    for (; text[length] && (inside || text[length] != ' '); length++)
        inside ^= quotes && text[length] == '`';
    return length;
}

static size_t piece_width(const char *text, size_t length)
{
    char *piece = memory_format("%.*s", (int)length, text);
    size_t width = text_width(piece);
    free(piece);
    return width;
}

char *text_wrap(const char *text, size_t width)
{
    char *lines = memory_calloc(2 * strlen(text) + 2, 1), *end = lines;
    size_t column = 0;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t length = piece_length(text, true), columns = piece_width(text, length);
        if (columns > width) {
            length = piece_length(text, false);
            columns = piece_width(text, length);
        }
        if (column) {
            bool fits = column + 1 + columns <= width;
            *end++ = fits ? ' ' : '\n';
            column = fits ? column + 1 : 0;
        }
        end = mempcpy(end, text, length);
        column += columns;
        text += length;
    }
    if (column)
        *end = '\n';
    return lines;
}

char *text_duration(uint64_t ns)
{
    static const char *const units[] = { "ns", "us", "ms", "s" };
    double value = (double)ns;
    size_t unit = 0;
    for (; value >= 999.5 && unit < 3; unit++)
        value /= 1000;
    int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    return memory_format("%.*f%s", decimals, value, units[unit]);
}

char *text_rate(double per_second)
{
    int decimals = per_second >= 99.95 || per_second <= 0 ? 0 : per_second >= 0.995 ? 1 : 2;
    return memory_format("%.*f", decimals, per_second);
}

char *text_bar(double share, size_t columns)
{
    static const char *const parts[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
    bool fine = !strcmp(nl_langinfo(CODESET), "UTF-8");
    size_t eighths = (size_t)lround(share * (double)columns * 8);
    size_t whole = fine ? eighths / 8 : (eighths + 4) / 8;
    char *bar = memory_calloc(columns + 1, 4), *end = bar;
    for (size_t i = 0; i < whole; i++)
        end = stpcpy(end, fine ? "█" : "#");
    if (fine)
        stpcpy(end, parts[eighths % 8]);
    return bar;
}
