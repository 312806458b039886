/* The names and families of library calls and system calls, from calls.def and the kernel's headers. */
#include "names.h"

#include "text.h"

/* Arrays of characters, not of pointers: the loader would have to relocate those at every start of a program. */
const char names_library[LIBRARY_CALLS][NAMES_LIBRARY] = {
#define CALL(family, type, name, parameters, arguments, failed) #name,
#include "calls.def"
};

static const char families[LIBRARY_CALLS][12] = {
#define CALL(family, type, name, parameters, arguments, failed) #family,
#include "calls.def"
};

/* System calls without a function of their name; the others share the family of that function. */
static const struct { char name[28], family[12]; } system_families[] = {
#define SYSTEM(family, name) { #name, #family },
#include "calls.def"
};

static const char system_names[COUNTERS_NUMBERS][28] = {
#include "system_calls.h"
};

#if defined(__x86_64__)
static const char i386_names[COUNTERS_NUMBERS][28] = {
#include "system_calls_i386.h"
};
#endif

const char *names_family(size_t call)
{
    return families[call];
}

const char *names_call(size_t call, char name[NAMES_SIZE])
{
    struct text text = { name, name, name + NAMES_SIZE - 1 };
    text_put(&text, names_library[call]);
    text_end(&text);
    return families[call];
}

static const char *system_family(const char *name)
{
    for (size_t i = 0; i < sizeof system_families / sizeof *system_families; i++)
        if (text_equal(system_families[i].name, name))
            return system_families[i].family;
    for (size_t i = 0; i < LIBRARY_CALLS; i++)
        if (text_equal(names_library[i], name))
            return families[i];
    return "other";
}

/* The name of a number, "" where it has none. */
static const char *known_name(const char *architecture, int32_t number)
{
    if (number < 0 || number >= COUNTERS_NUMBERS)
        return "";
    if (!*architecture)
        return system_names[number];
#if defined(__x86_64__)
    if (text_equal(architecture, COUNTERS_I386_PREFIX))
        return i386_names[number];
#endif
    return "";
}

const char *names_system(const char *architecture, int64_t number, char name[NAMES_SIZE])
{
    int32_t taken = (int32_t)number;
    const char *known = known_name(architecture, taken);
    struct text text = { name, name, name + NAMES_SIZE - 1 };
    text_put(&text, architecture, known);
    if (!*known) {
        text_put(&text, taken < 0 ? "syscall_-" : "syscall_");
        text_number(&text, (uint64_t)(taken < 0 ? -(int64_t)taken : taken), 0);
    }
    text_end(&text);
    return system_family(known);
}

const char *names_row(const struct counters_table *table, size_t row, char name[NAMES_SIZE])
{
    int64_t number = row < COUNTERS_NUMBERS ? (int64_t)row : table->other[row - COUNTERS_NUMBERS] - 1;
    return names_system(number >> 32 == COUNTERS_I386 ? COUNTERS_I386_PREFIX : "", number, name);
}
