/* Text on a screen: what can be shown of it, how wide it is, and lines of it. Pure but for the locale. */
#ifndef COMMON_TEXT_H
#define COMMON_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* What a screen can show of any bytes: those that are no printable character in the locale become \ooo, as ls -b
 * writes them. A new string. */
char *text_printable(const char *text);

/* Screen columns of a printable text: wide characters take two, combining ones none. */
size_t text_width(const char *text);

/* The printable form of any bytes, cut to at most `width` columns, the last two of them dots. A new string. */
char *text_cut(const char *text, size_t width);

/* Valid UTF-8 of any bytes: what is none becomes U+FFFD. A new string. */
char *text_utf8(const char *text);

/* A printable text as lines of at most `width` columns, each with its newline. Breaks at spaces, but within `...` only
 * where that does not fit a line; what has no space stays whole. A new string. */
char *text_wrap(const char *text, size_t width);

/* A duration in nanoseconds in at most six characters: "837ns", "12.3us", "1.24s". A new string. */
char *text_duration(uint64_t ns);

/* How often in a second: "0.25", "7.5", "1234". A new string. */
char *text_rate(double per_second);

/* A bar of a share (0 to 1) of `columns` columns, to an eighth of a column in UTF-8. A new string. */
char *text_bar(double share, size_t columns);

#endif
