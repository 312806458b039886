/* The whole terminal, by ncurses. */
#include "screen.h"

#include "calls/measure/interrupt.h"
#include "common/timing.h"

#include <curses.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static SCREEN *screen;
static bool keys;  /* standard input is a terminal, too: somebody can type */

bool screen_begin(void)
{
    screen = newterm(NULL, stdout, stdin);
    const char *place = screen ? tigetstr("cup") : NULL;
    if (!place || place == (char *)-1) {
        if (screen)
            screen_end();
        return false;
    }
    keys = isatty(STDIN_FILENO);
    cbreak();
    noecho();
    nodelay(stdscr, true);
    keypad(stdscr, true);
    curs_set(0);
    return true;
}

void screen_end(void)
{
    if (!screen)
        return;
    endwin();
    delscreen(screen);
    screen = NULL;
}

void screen_size(int *rows, int *columns)
{
    *rows = LINES;
    *columns = COLS;
}

/* A sequence that begins or ends a colour: its length, 0 for other text. */
static size_t attribute(const char *text)
{
    size_t length = strncmp(text, "\033[", 2) ? 0 : strcspn(text, "m") + 1;
    if (length)
        attrset(text[2] == '0' ? A_NORMAL : A_BOLD);
    return length;
}

/* One line of text at a row, which ends where the screen does: what wraps around is overwritten by the next one. */
static const char *draw_line(int row, const char *text)
{
    move(row, 0);
    clrtoeol();
    while (*text && *text != '\n') {
        text += attribute(text);
        size_t length = strcspn(text, "\033\n");
        if (getcury(stdscr) == row)
            addnstr(text, (int)length);
        text += length;
    }
    return text + (*text == '\n');
}

void screen_draw(const char *text)
{
    int row = 0;
    attrset(A_NORMAL);
    while (*text && row < LINES)
        text = draw_line(row++, text);
    if (row < LINES) {
        move(row, 0);
        clrtobot();
    }
    refresh();
}

enum screen_event screen_wait(double end)
{
    struct pollfd input = { .fd = keys ? STDIN_FILENO : -1, .events = POLLIN };
    for (;;) {
        double left = end - timing_wall();
        if (interrupt_noted())
            return SCREEN_QUIT;
        if (left <= 0)
            return SCREEN_TIME;
        poll(&input, 1, left < 1000 ? (int)(left * 1000) + 1 : 1000000);
        if (input.revents & ~POLLIN)
            input.fd = -1;  /* nobody types any more */
        for (int key; (key = getch()) != ERR;) {
            if (key == 'q' || key == 'Q')
                return SCREEN_QUIT;
            if (key == KEY_RESIZE) {
                clearok(stdscr, true);  /* terminals move lines about then, each in its way */
                return SCREEN_RESIZED;
            }
        }
    }
}
