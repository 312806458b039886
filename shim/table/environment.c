/* The variables by which a program that is executed finds the library and its table. */
#include "environment.h"

#include "text.h"

#include <elf.h>

/* LIBCOUNT_PID=PROCESS[+LETTERS]: the letters tell what was added beside it. */
#define PRELOAD_ADDED 'l'
#define ASAN_ADDED 'a'
#define ROOT 'r'
#define ASAN_OPTION "verify_asan_link_order=0"

/* A loader before glibc 2.36 puts a library where it is linked only if it is told to, which the first character does. */
#define FIXED "LD_USE_LOAD_BIAS=1:libcount"

enum { ADDED = 6 };  /* LIBCOUNT_TABLE, LIBCOUNT_PID, LIBCOUNT_EVEN, FIXED, LD_PRELOAD, ASAN_OPTIONS */

static bool internal(const char *entry)
{
    return text_begins(entry, "LIBCOUNT_TABLE=") || text_begins(entry, "LIBCOUNT_PID=") ||
           text_begins(entry, "LIBCOUNT_EVEN=") || text_equal(entry, FIXED);
}

/* The value of a variable where the loader or a sanitizer reads it: the last of its name, or the first. */
static char *const *find(char *const *list, const char *name, bool last)
{
    char *const *found = NULL;
    for (; list && *list; list++)
        if (text_begins(*list, name) && (last || !found))
            found = list;
    return found;
}

static const char *value_of(char *const *entry)
{
    const char *value = entry ? *entry : "=";
    while (*value++ != '=') {
    }
    return value;
}

/* Is AddressSanitizer's library preloaded itself? */
static bool has_libasan(const char *value)
{
    for (; *value; value++)
        if (text_begins(value, "libasan.so"))
            return true;
    return false;
}

/* Has a value the library, by whichever name? Returns its place and sets *length. */
static const char *find_library(const char *value, const struct environment *ours, size_t *length)
{
    const char *names[] = { ours->library, ours->alias };
    for (int i = 0; i < 2; i++) {
        const char *found = text_entry(value, names[i]);
        if (found) {
            *length = text_length(names[i]);
            return found;
        }
    }
    return NULL;
}

size_t environment_room(char *const *list, const struct environment *ours)
{
    size_t count = 0, length;
    const char *preload = value_of(find(list, "LD_PRELOAD=", true));
    bool any = find_library(preload, ours, &length);
    for (; list && list[count]; count++)
        any |= internal(list[count]);
    if (ours->strip && !any)
        return 0;
    size_t bytes = text_length(preload) + text_length(value_of(find(list, "ASAN_OPTIONS=", false)));
    bytes += ours->strip ? 0 : text_length(ours->library) + text_length(ours->table);
    return (count + ADDED + 1) * sizeof(char *) + bytes + 192;
}

/* A string of its own in `text`, from up to four parts. */
static char *string(struct text *text, const char *a, const char *b, const char *c, const char *d)
{
    char *start = text->next;
    text_put(text, a, b, c, d);
    text_char(text, 0);
    return start;
}

/* LD_PRELOAD with the library in front of the old entries, under its own name instead of an alias, or without it. NULL:
 * the variable goes. *added: it had no such entry. */
static char *preload(struct text *text, char *const *old, const struct environment *ours, bool *added)
{
    size_t length = 0;
    const char *value = value_of(old), *entry = find_library(value, ours, &length);
    char *start = text->next;
    *added = !ours->strip && !entry;
    if (*added)
        return string(text, "LD_PRELOAD=", ours->library, old ? ":" : "", value);
    if (ours->strip && entry == value && !value[length])
        return NULL;
    text_put(text, "LD_PRELOAD=");
    text_bytes(text, value, (size_t)(entry - value));
    if (!ours->strip)
        text_put(text, ours->library);
    else if (entry[length])
        length++;
    return string(text, entry + length, "", "", ""), start;
}

/* LIBCOUNT_PID, which tells what environment_take has to undo. */
static char *process(struct text *text, const struct environment *ours, bool preload_added, bool asan_added)
{
    char *start = text->next;
    text_put(text, "LIBCOUNT_PID=");
    text_number(text, (uint64_t)ours->counted, 0);
    text_put(text, preload_added || asan_added || ours->root ? "+" : "");
    if (preload_added)
        text_char(text, PRELOAD_ADDED);
    if (asan_added)
        text_char(text, ASAN_ADDED);
    if (ours->root)
        text_char(text, ROOT);
    text_char(text, 0);
    return start;
}

/* The auxiliary vector stands behind the list, in pairs of words: variables are added in pairs, so that taking them
 * out leaves room for pairs. */
char **environment_fill(char *const *list, const struct environment *ours, void *room)
{
    char *const *old_preload = find(list, "LD_PRELOAD=", true), *const *old_asan = find(list, "ASAN_OPTIONS=", false);
    size_t count = 0, kept = 0, unused, size = environment_room(list, ours);
    while (list && list[count])
        count++;
    char **filled = room;
    struct text text = { room, (char *)(filled + count + ADDED + 1), (char *)room + size };
    bool preload_added = false, touched = !ours->strip || find_library(value_of(old_preload), ours, &unused);
    bool libasan = !ours->strip && (ours->asan || has_libasan(value_of(old_preload)));
    bool asan_added = libasan && !text_begins(value_of(old_asan), ASAN_OPTION);
    char *new_preload = touched ? preload(&text, old_preload, ours, &preload_added) : NULL;
    char *new_asan = asan_added ? string(&text, "ASAN_OPTIONS=", ASAN_OPTION, old_asan ? ":" : "", value_of(old_asan)) : NULL;

    for (size_t i = 0; i < count; i++) {
        char *entry = list[i];
        if (internal(entry))
            continue;
        if (list + i == old_preload && touched)
            entry = new_preload;
        else if (list + i == old_asan && asan_added)
            entry = new_asan;
        if (entry)
            filled[kept++] = entry;
    }

    size_t before = kept;
    if (new_asan && !old_asan)
        filled[kept++] = new_asan;
    if (new_preload && !old_preload)
        filled[kept++] = new_preload;
    if (!ours->strip) {
        filled[kept++] = string(&text, "LIBCOUNT_TABLE=", ours->table, "", "");
        filled[kept++] = process(&text, ours, preload_added, asan_added);
        if (ours->fixed)
            filled[kept++] = string(&text, FIXED, "", "", "");
        if ((kept - before) % 2)
            filled[kept++] = string(&text, "LIBCOUNT_EVEN=", "", "", "");
    }
    filled[kept] = NULL;
    return filled;
}

/* A variable without what environment_fill put in front of its value, in `copy`; where that was all, NULL. The memory
 * of the environment stays as it is: some read it through /proc/self/environ, and take an empty string for its end. */
static char *without(char *entry, const char *added, char *copy, size_t size)
{
    const char *value = value_of(&entry);
    if (!text_begins(value, added))
        return entry;
    const char *rest = value + text_length(added);
    struct text text = { copy, copy, copy + size - 1 };
    if (*rest == ':') {
        text_bytes(&text, entry, (size_t)(value - entry));
        text_put(&text, rest + 1);
        return text.next < text.end ? (char *)text_end(&text) : entry;
    }
    return *rest ? entry : NULL;
}

/* The strings of our own stand at the end of that memory. */
static void wipe(char *from)
{
    while (*from)
        *from++ = 0;
}

/* Leave out `gone`, and fill what becomes free before the auxiliary vector, two words for each pair, with entries that
 * every reader passes over: some begin at the arguments and walk over the environment. */
static void leave_out(char **list, char *const *gone, size_t gone_count)
{
    size_t count = 0, kept = 0;
    gone_count -= gone_count % 2;
    while (list[count])
        count++;
    for (size_t i = 0; i < count; i++) {
        bool stays = true;
        for (size_t k = 0; k < gone_count; k++)
            stays &= list[i] != gone[k];
        if (stays)
            list[kept++] = list[i];
    }
    if (kept == count)
        return;
    list[kept] = NULL;
    for (size_t i = kept + 1; i + 1 <= count; i += 2) {
        list[i] = (char *)AT_IGNORE;
        list[i + 1] = NULL;
    }
}

struct environment_found environment_take(char **list, const char *library, bool asan)
{
    struct environment_found found = { 0, false };
    const char *process = value_of(find(list, "LIBCOUNT_PID=", true));
    bool preload_added = false, asan_added = false;
    for (; *process >= '0' && *process <= '9'; process++)
        found.counted = found.counted * 10 + (*process - '0');
    for (; *process; process++) {
        preload_added |= *process == PRELOAD_ADDED;
        asan_added |= *process == ASAN_ADDED;
        found.root |= *process == ROOT;
    }

    static char copies[2][4096];
    char **changed[] = { preload_added ? (char **)find(list, "LD_PRELOAD=", true) : NULL,
                         asan_added ? (char **)find(list, "ASAN_OPTIONS=", false) : NULL };
    const char *const added[] = { library, ASAN_OPTION };
    char *gone[ADDED + 3];
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        char *rest = changed[i] ? without(*changed[i], added[i], copies[i], sizeof copies[i]) : NULL;
        if (rest)
            *changed[i] = rest;
        else if (changed[i])
            gone[count++] = *changed[i];
    }
    for (char **entry = list; *entry && count < sizeof gone / sizeof *gone; entry++)
        if (internal(*entry))
            gone[count++] = *entry;
    leave_out(list, gone, count);
    for (size_t i = 0; i < count - count % 2; i++)
        if (internal(gone[i]) || text_begins(gone[i], "LD_PRELOAD=") || (text_begins(gone[i], "ASAN_OPTIONS=") && !asan))
            wipe(gone[i]);
    return found;
}
