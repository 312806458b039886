/* The whole terminal, redrawn as a table changes: curses (ncurses(3X)). */
#ifndef CALLS_LIVE_SCREEN_H
#define CALLS_LIVE_SCREEN_H

#include <stdbool.h>

enum screen_event { SCREEN_TIME, SCREEN_RESIZED, SCREEN_QUIT };

/* Take the terminal; false where this one cannot place a cursor. Between interrupt_begin() and interrupt_end(). */
bool screen_begin(void);

/* Give it back, as it was before. */
void screen_end(void);

void screen_size(int *rows, int *columns);

/* Show a text from the upper left corner on: its colours are those of color_code(), and what is outside is cut. */
void screen_draw(const char *text);

/* Wait until timing_wall() says `end`, q is typed, or a signal has come (SCREEN_QUIT), or the size has changed. */
enum screen_event screen_wait(double end);

#endif
