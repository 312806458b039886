/* The counter table: shared memory that the library writes in every counted process and the driver reads.
 *
 * One row per library function (the rows of calls.def) and one per system call number. A row is a pair of 64-bit
 * relaxed atomics, so that it is exact in threads, in signal handlers and in children without any lock, and because
 * the memory is a file in /dev/shm mapped shared, a process may end in any way (_exit, exec, SIGKILL) and lose
 * nothing. Rows stand in several shards, a thread adds to one of them, and a row's value is the sum over all shards:
 * that only keeps threads from fighting over cache lines. Adding is atomic everywhere, so it never matters which
 * shard a thread, a forked child or a vfork child uses, or how many share one.
 *
 * The layout is versioned: whoever maps a table checks it with counters_fits() and refuses what it does not know. */
#ifndef TABLE_COUNTERS_H
#define TABLE_COUNTERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNTERS_MAGIC UINT64_C(0x746e756f6362696c) /* "libcount" */
#define COUNTERS_VERSION 1

/* COUNTERS_LAYOUT, a checksum of calls.def and this file, comes from the Makefile: a driver and a library that were
 * built from different tables do not understand each other. */
#ifndef COUNTERS_LAYOUT
#error "COUNTERS_LAYOUT is not defined: build with make"
#endif

/* The rows of library calls: CALL_lstat and so on, in the order of calls.def. */
enum library_call {
#define CALL(family, type, name, parameters, arguments, failed) CALL_##name,
#include "calls.def"
    LIBRARY_CALLS
};

enum {
    COUNTERS_SHARDS = 16,
    COUNTERS_NUMBERS = 512,  /* system calls 0..511 have the row of their number */
    COUNTERS_OTHERS = 64,    /* any other number gets one of the rows behind them; `other` says which number */
    SYSTEM_CALLS = COUNTERS_NUMBERS + COUNTERS_OTHERS,
    COUNTERS_NOTES = 64,
    COUNTERS_NOTE_SIZE = 248,
    COUNTERS_OUTPUT = 4096,
    COUNTERS_BINS = 168,     /* nanoseconds: four bins for each power of two, up to 2^42 (73 minutes) */
    COUNTERS_ROWS = LIBRARY_CALLS + SYSTEM_CALLS,
    COUNTERS_TALLIES = 1024, /* places for tallies, */
    COUNTERS_MANY_TALLIES = 32768, /* where callers, programs or processes are told apart */
    COUNTERS_PROGRAMS = 128, /* sections of a table by program, */
    COUNTERS_PROCESSES = 1024, /* of a table by process */
    COUNTERS_OBJECTS = 256,  /* of callers */
    COUNTERS_NAME_SIZE = 64,
    COUNTERS_COMMAND_SIZE = 416,
    COUNTERS_FILES = 32768,  /* places for the numbers of files, a power of two, */
    COUNTERS_PATHS = 6 << 20, /* bytes for files with their paths, */
    COUNTERS_PATHS_STEP = 64 << 10, /* of which so many at a time get memory */
    COUNTERS_PROBES = 64,    /* places that are tried for a tally, or a file */
};

/* A call of the i386 kind in a 64-bit program (int $0x80) has one of the other rows, with this above its number. */
#define COUNTERS_I386 1
#define COUNTERS_I386_PREFIX "i386:"

/* Where libcount-whole.so is linked to be loaded: the supervisor's filter lets the system calls of its code pass,
 * since they are in the table already. Where the loader put it elsewhere, it does not count system calls. */
#define COUNTERS_WHOLE_BASE UINT64_C(0x7e9000000000)
#define COUNTERS_WHOLE_SIZE UINT64_C(0x1000000)

struct counter {
    _Atomic uint64_t calls;
    _Atomic uint64_t errors;
};

/* A number that few rows have, such as how often a row failed with one errno: a place in a hash table, found by the
 * key, which says the rest. What finds no place is in `tallies_lost`. */
struct counters_tally {
    _Atomic uint64_t key;      /* 0: free */
    _Atomic uint64_t sum;
};

/* What a tally is about: the highest bits of its key. */
enum counters_kind {
    COUNTERS_ERRNO = 1,        /* calls of a row that failed with the errno `value`, 0 for none that is known */
    COUNTERS_CALLER,           /* calls of a row that came from the object of number `value`, 0 for none that is known */
    COUNTERS_CARRIED,          /* bytes, by the results of a row */
};

/* How long the calls of a row took, in nanoseconds; kept only where timing was asked for. */
struct counter_times {
    _Atomic uint64_t total;
    _Atomic uint64_t minimum;  /* one more than the shortest, 0 where there is none yet */
    _Atomic uint64_t maximum;
    _Atomic uint64_t waited;   /* of the total: waiting for others, see waits.h */
    _Atomic uint64_t bins[COUNTERS_BINS];
};

struct counters_shard {
    struct counter library[LIBRARY_CALLS];
    struct counter system[SYSTEM_CALLS];
} __attribute__((aligned(4096)));

/* Something that was not counted and is said in the report: a command and why. */
struct counters_note {
    _Atomic uint32_t state;    /* 2: readable */
    _Atomic uint32_t times;
    char text[COUNTERS_NOTE_SIZE];
};

enum counters_flags {
    COUNTERS_CALLS = 1,    /* count library calls */
    COUNTERS_SYSCALLS = 2, /* count system calls */
    COUNTERS_TIME = 4,     /* time them: the table holds a struct counters_times */
    COUNTERS_WHOLE = 16,   /* a supervisor counts what this library does not let pass at COUNTERS_WHOLE_BASE */
    COUNTERS_BYTES = 32,   /* add up results that are numbers of bytes */
    COUNTERS_CALLERS = 64, /* tell library calls apart by who makes them */
    COUNTERS_BY_PROGRAM = 128, /* a section for each program */
    COUNTERS_BY_PROCESS = 256, /* a section for each process */
    COUNTERS_PER_FILE = 512, /* tell files apart by path */
    COUNTERS_DRIVER = 8,   /* the driver made the table and reads it: the library prints no report */
};

/* A process that begins takes a section, and the shard of that number behind the others: it adds there and nowhere else.
 * By program, all processes of a name share one, unless two came to take it at the same time. */
struct counters_section {
    _Atomic uint32_t state;        /* 0: free, 1: being written, 2: readable */
    _Atomic uint32_t processes;
    int32_t pid, parent;           /* by process */
    uint32_t command_size;         /* by process: the arguments, each with its final 0, as far as there is room */
    char name[COUNTERS_NAME_SIZE]; /* of the program that was executed last */
    char command[COUNTERS_COMMAND_SIZE];
};

/* An object that called, by its number - 1. */
struct counters_object {
    _Atomic uint32_t state;        /* as of a section */
    char name[COUNTERS_NAME_SIZE];
};

/* Why system calls were counted or not: bits, set by each process for itself. */
enum counters_dispatch {
    DISPATCH_ARMED = 1,        /* Syscall User Dispatch works and counted */
    DISPATCH_NO_KERNEL = 2,    /* prctl says EINVAL: a kernel before 5.11, or one that leaves it out */
    DISPATCH_REFUSED = 4,      /* EPERM or EACCES: a sysctl or a seccomp filter */
    DISPATCH_FILTER = 8,       /* a seccomp filter would have killed the process */
    DISPATCH_NO_EFFECT = 16,   /* accepted and then ignored: qemu-user, gVisor */
    DISPATCH_ARCHITECTURE = 32,/* this library was built for a machine without it */
    DISPATCH_NO_MEMORY = 64,   /* no executable memory for stubs */
    DISPATCH_LOOKED = 128,     /* the first process has looked for a seccomp filter, and found none that kills */
    DISPATCH_SEALED = 256,     /* a process has a filter of its own since: those that it executes have to look */
};

/* What was asked for by a path, or through a descriptor that was opened by it. Files stand one behind the other in the
 * order in which they were asked for first, so that few pages are touched; the number of a file is its place in units of
 * 8 bytes. A hash table has their numbers, and the upper bits of their hashes above them. A path is absolute, without
 * empty parts and dots, and "/" is the empty text. It is that of the file `folder`, which came earlier, and the text. */
struct counters_file {
    _Atomic uint64_t opens, looks, misses, reads, writes, bytes_read, bytes_written;
    uint32_t hash, folder;     /* of the whole path; 0: the text is all of it */
    uint16_t length, own;      /* of the whole path, of the text */
    char text[];
};
enum { COUNTERS_FILE_SIZE = sizeof(struct counters_file) / 8 };
enum {
    COUNTERS_FILE_OTHER = 0,                        /* no room was left */
    COUNTERS_FILE_UNNAMED = COUNTERS_FILE_SIZE,     /* there is no path */
    COUNTERS_FILE_FIRST = 2 * COUNTERS_FILE_SIZE,   /* the others */
    COUNTERS_FILE_BITS = 20,                        /* of a number */
};

struct counters_table {
    uint64_t magic;
    uint32_t version, layout;
    uint64_t size;                 /* bytes, all of it */
    uint32_t flags;                /* enum counters_flags */
    int32_t root;                  /* process id of the process that prints, or of the driver */
    _Atomic uint32_t processes;    /* that were counted: a fork adds one, an exec none */
    _Atomic uint32_t threads;      /* that took a shard: the next shard is threads % COUNTERS_SHARDS */
    _Atomic uint32_t dispatch;     /* enum counters_dispatch of all processes */
    _Atomic uint32_t notes_used;   /* places taken */
    _Atomic uint32_t notes_lost;   /* notes that found no place */
    _Atomic uint64_t lost;         /* system calls with numbers for which no row was left */
    _Atomic uint64_t tallies_lost; /* that found no place */
    _Atomic uint32_t sections_lost;  /* processes that found no section */
    _Atomic uint64_t paths_used;   /* bytes that were asked for, also where there were no more, */
    _Atomic uint64_t paths_ready;  /* and that have memory */
    _Atomic uint64_t hits;         /* system calls that went through a signal; the others took a patched site */
    _Atomic int64_t other[COUNTERS_OTHERS];  /* 1 + the number that this row counts, 0 while free; COUNTERS_I386 << 32 */
    struct counters_note notes[COUNTERS_NOTES];
    uint32_t format, debug;        /* of the bare library's report: enum settings_format, LIBCOUNT_DEBUG, */
    char output[COUNTERS_OUTPUT];  /* and LIBCOUNT_OUTPUT */
    struct counters_shard shard[COUNTERS_SHARDS];
};

struct counters_times {
    struct counter_times library[LIBRARY_CALLS];
    struct counter_times system[SYSTEM_CALLS];
};

/* Sections of a table with these flags. */
static inline size_t counters_sections(uint32_t flags)
{
    return flags & COUNTERS_BY_PROCESS ? COUNTERS_PROCESSES : flags & COUNTERS_BY_PROGRAM ? COUNTERS_PROGRAMS : 0;
}

/* Places for tallies: a power of two. */
static inline size_t counters_tallies(uint32_t flags)
{
    bool many = flags & (COUNTERS_CALLERS | COUNTERS_BY_PROCESS | COUNTERS_BY_PROGRAM);
    return many ? COUNTERS_MANY_TALLIES : COUNTERS_TALLIES;
}

/* What stands behind the table, in this order. */
enum counters_part {
    COUNTERS_PART_SHARDS,          /* of sections */
    COUNTERS_PART_TALLIES,
    COUNTERS_PART_TIMES,
    COUNTERS_PART_SECTIONS,
    COUNTERS_PART_OBJECTS,
    COUNTERS_PART_FILES,
    COUNTERS_PART_PATHS,
    COUNTERS_PARTS,
};

/* Where a part begins, in bytes from the beginning of the table; COUNTERS_PARTS: where it ends. */
static inline size_t counters_place(uint32_t flags, enum counters_part part)
{
    const size_t sizes[] = {
        [COUNTERS_PART_SHARDS] = counters_sections(flags) * sizeof(struct counters_shard),
        [COUNTERS_PART_TALLIES] = counters_tallies(flags) * sizeof(struct counters_tally),
        [COUNTERS_PART_TIMES] = flags & COUNTERS_TIME ? sizeof(struct counters_times) : 0,
        [COUNTERS_PART_SECTIONS] = counters_sections(flags) * sizeof(struct counters_section),
        [COUNTERS_PART_OBJECTS] = flags & COUNTERS_CALLERS ? COUNTERS_OBJECTS * sizeof(struct counters_object) : 0,
        [COUNTERS_PART_FILES] = flags & COUNTERS_PER_FILE ? COUNTERS_FILES * sizeof(uint32_t) : 0,
        [COUNTERS_PART_PATHS] = flags & COUNTERS_PER_FILE ? COUNTERS_PATHS : 0,
    };
    size_t place = sizeof(struct counters_table);
    for (int i = 0; i < (int)part; i++)
        place += sizes[i];
    return place;
}

/* Bytes that a table with these flags needs. */
static inline size_t counters_size(uint32_t flags)
{
    return counters_place(flags, COUNTERS_PARTS);
}

/* How many of them need memory from the beginning on: files get theirs when they come. */
static inline size_t counters_reserved(uint32_t flags)
{
    return counters_place(flags, COUNTERS_PART_PATHS) + (flags & COUNTERS_PER_FILE ? COUNTERS_PATHS_STEP : 0);
}

/* Make a table of zeroed memory of counters_size(flags) bytes. */
static inline void counters_initialise(struct counters_table *table, uint32_t flags, int32_t root)
{
    table->version = COUNTERS_VERSION;
    table->layout = COUNTERS_LAYOUT;
    table->size = counters_size(flags);
    table->flags = flags;
    table->root = root;
    table->paths_used = COUNTERS_FILE_FIRST * 8;
    table->paths_ready = COUNTERS_PATHS;
    table->magic = COUNTERS_MAGIC;
}

/* Whether `size` bytes of mapped memory are a table of exactly this layout. */
static inline bool counters_fits(const struct counters_table *table, size_t size)
{
    return size >= sizeof *table && table->magic == COUNTERS_MAGIC && table->version == COUNTERS_VERSION &&
           table->layout == COUNTERS_LAYOUT && table->size == counters_size(table->flags) && size >= table->size;
}

/* How many shards anybody has added to. Reading one more than that makes the kernel allocate its pages. */
static inline size_t counters_shards(const struct counters_table *table)
{
    uint32_t threads = atomic_load_explicit(&table->threads, memory_order_relaxed);
    return threads < COUNTERS_SHARDS ? threads : COUNTERS_SHARDS;
}

/* The beginning of a part, of what stands there. */
static inline void *counters_part(const struct counters_table *table, enum counters_part part)
{
    return (char *)table + counters_place(table->flags, part);
}

static inline struct counters_times *counters_times(struct counters_table *table)
{
    return (struct counters_times *)counters_part(table, COUNTERS_PART_TIMES);
}

static inline struct counters_tally *counters_tally_places(const struct counters_table *table)
{
    return (struct counters_tally *)counters_part(table, COUNTERS_PART_TALLIES);
}

static inline struct counters_section *counters_section(const struct counters_table *table, size_t section)
{
    return (struct counters_section *)counters_part(table, COUNTERS_PART_SECTIONS) + section;
}

static inline struct counters_object *counters_object(const struct counters_table *table, size_t object)
{
    return (struct counters_object *)counters_part(table, COUNTERS_PART_OBJECTS) + object;
}

/* Bytes of a table that say something: behind the last file there is nothing. */
static inline size_t counters_used(const struct counters_table *table)
{
    bool all = !(table->flags & COUNTERS_PER_FILE) || table->paths_used >= COUNTERS_PATHS;
    return all ? counters_size(table->flags)
               : counters_place(table->flags, COUNTERS_PART_PATHS) + (size_t)table->paths_used;
}

/* A file of the part that begins there, by its number or the word that has it; NULL: it is not inside. */
static inline struct counters_file *counters_file(void *files, uint32_t word)
{
    size_t at = (size_t)(word & ((1U << COUNTERS_FILE_BITS) - 1)) * 8;
    return at <= COUNTERS_PATHS - sizeof(struct counters_file) - UINT16_MAX ? (void *)((char *)files + at) : NULL;
}

/* The shard of a section. */
static inline struct counters_shard *counters_section_shard(const struct counters_table *table, size_t section)
{
    return (struct counters_shard *)counters_part(table, COUNTERS_PART_SHARDS) + section;
}

/* Whether a section has been taken; those behind the first that has not are free, too. */
static inline bool counters_section_used(const struct counters_table *table, size_t section)
{
    return section < counters_sections(table->flags) && atomic_load(&counters_section(table, section)->state) != 0;
}

/* The key of a tally: kind, section + 1 (0: of none), row (library calls first, then system calls), value. */
static inline uint64_t counters_key(enum counters_kind kind, size_t section, size_t row, uint32_t value)
{
    return (uint64_t)kind << 56 | (uint64_t)section << 44 | (uint64_t)row << 32 | value;
}

static inline enum counters_kind counters_key_kind(uint64_t key)
{
    return (enum counters_kind)(key >> 56);
}

static inline size_t counters_key_section(uint64_t key)
{
    return key >> 44 & 0xfff;
}

static inline size_t counters_key_row(uint64_t key)
{
    return key >> 32 & 0xfff;
}

static inline uint32_t counters_key_value(uint64_t key)
{
    return (uint32_t)key;
}

/* The bin of a duration: 0 to 3 ns have their own, then four for each power of two. */
static inline unsigned counters_bin(uint64_t ns)
{
    if (ns < 4)
        return (unsigned)ns;
    unsigned exponent = 63 - (unsigned)__builtin_clzll(ns);
    unsigned bin = 4 * (exponent - 1) + (unsigned)(ns >> (exponent - 2) & 3);
    return bin < COUNTERS_BINS ? bin : COUNTERS_BINS - 1;
}

/* The shortest duration that falls into a bin, in nanoseconds: the inverse of counters_bin. */
static inline uint64_t counters_bin_start(unsigned bin)
{
    return bin < 4 ? bin : (uint64_t)(4 + bin % 4) << (bin / 4 - 1);
}

/* The duration in nanoseconds below which `percent` of the calls lie: the middle of its bin, whose width is a quarter
 * of a power of two, and never beyond the shortest or the longest. 0 where nothing was timed. */
static inline uint64_t counters_percentile(const struct counter_times *times, unsigned percent)
{
    uint64_t all = 0, seen = 0, minimum = times->minimum, maximum = times->maximum;
    for (unsigned bin = 0; bin < COUNTERS_BINS; bin++)
        all += times->bins[bin];
    for (unsigned bin = 0; all && bin < COUNTERS_BINS; bin++) {
        seen += times->bins[bin];
        if (seen * 100 >= all * percent) {
            uint64_t middle = (counters_bin_start(bin) + counters_bin_start(bin + 1)) / 2;
            middle = minimum && middle < minimum - 1 ? minimum - 1 : middle;
            return middle > maximum ? maximum : middle;
        }
    }
    return 0;
}

#endif
