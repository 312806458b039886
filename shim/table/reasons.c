/* What a table does not hold, in words. */
#include "reasons.h"

/* Why system calls are not counted, of all processes or of some; NULL where they are. */
static const char *dispatch_reason(uint32_t dispatch)
{
    static const struct { uint32_t bit; const char *why; } reasons[] = {
        { DISPATCH_NO_KERNEL, "this kernel has no Syscall User Dispatch (Linux 5.11)" },
        { DISPATCH_REFUSED, "a sysctl or a seccomp filter refuses Syscall User Dispatch" },
        { DISPATCH_FILTER, "a seccomp filter would kill the process for Syscall User Dispatch" },
        { DISPATCH_NO_EFFECT, "Syscall User Dispatch has no effect here (an emulated kernel or processor)" },
        { DISPATCH_ARCHITECTURE, "this machine is none of those on which they are counted (x86-64)" },
        { DISPATCH_NO_MEMORY, "no executable memory is allowed here" },
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (dispatch & reasons[i].bit)
            return reasons[i].why;
    return dispatch & DISPATCH_ARMED ? NULL : "this build does not count them";
}

static bool dispatch_line(struct text *text, const struct counters_table *table)
{
    const char *reason = dispatch_reason(table->dispatch);
    if (!reason || !(table->flags & COUNTERS_SYSCALLS) || table->flags & COUNTERS_WHOLE || !table->processes)
        return false;
    text_put(text, table->dispatch & DISPATCH_ARMED ? "system calls of some processes: " : "system calls: ", reason);
    return true;
}

static void note_line(struct text *text, const struct counters_note *note)
{
    for (size_t i = 0; i < COUNTERS_NOTE_SIZE && note->text[i]; i++)
        text_char(text, note->text[i]);
    if (note->times > 1) {
        text_put(text, " (");
        text_number(text, note->times, 0);
        text_put(text, " times)");
    }
}

static void number_line(struct text *text, uint64_t number, const char *what)
{
    text_number(text, number, 0);
    text_put(text, what);
}

bool reasons_line(struct text *text, const struct counters_table *table, size_t n)
{
    struct text unused = { NULL, NULL, NULL };
    if (dispatch_line(&unused, table) && n-- == 0)
        return dispatch_line(text, table);

    for (size_t i = 0; i < table->notes_used && i < COUNTERS_NOTES; i++) {
        if (table->notes[i].state == 2 && n-- == 0) {
            note_line(text, &table->notes[i]);
            return true;
        }
    }

    if (table->notes_lost && n-- == 0)
        return number_line(text, table->notes_lost, " more such notes found no place"), true;
    if (table->lost && n-- == 0)
        return number_line(text, table->lost, " system calls with unknown numbers found no row"), true;
    if (table->tallies_lost && n-- == 0)
        return number_line(text, table->tallies_lost, " names of errors, callers or sums of bytes found no place"), true;
    if (table->sections_lost && n-- == 0)
        return number_line(text, table->sections_lost, " processes found no section of their own: they are \"others\""), true;
    return false;
}
