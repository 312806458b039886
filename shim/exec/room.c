/* Memory for what is given to a program that is about to be executed. */
#include "exec/room.h"

#include "counters.h"
#include "process.h"
#include "table/kernel.h"

#include <sys/mman.h>

/* What stands before the memory that is given out. */
struct room {
    size_t size;  /* of all */
} __attribute__((aligned(16)));

/* Rooms of children of vfork, which have the memory and the thread data of their parent: by the address of that. */
enum { LEFT = 64 };
static struct left {
    _Atomic uintptr_t thread;  /* 0: free */
    _Atomic pid_t child;       /* 0: being written */
    struct room *room;
} left[LEFT];

static void unmap(struct room *room)
{
    if (room)
        kernel_call(SYS_munmap, room, room->size);
}

/* A place for a child's room, with the room that an earlier child of the same thread has left. That child is no more,
 * or it would run here in place of us; but if it is our parent, it waits for us in the middle of its own. */
static struct left *place_for(uintptr_t thread, pid_t child)
{
    for (int i = 0; i < LEFT; i++) {
        pid_t other = left[i].child;
        if (left[i].thread == thread && other && other != child && other != (pid_t)kernel_call(SYS_getppid))
            return &left[i];
    }
    for (int i = 0; i < LEFT; i++) {
        uintptr_t nobody = 0;
        if (atomic_compare_exchange_strong(&left[i].thread, &nobody, thread))
            return &left[i];
    }
    return NULL;  /* then the room is lost when the child goes, which harms nobody */
}

void *room_take(size_t size)
{
    bool child = !process_counted();
    struct left *place = child ? place_for((uintptr_t)&counters_mine, process_self()) : NULL;
    if (place) {
        place->child = process_self();
        unmap(place->room);
        place->room = NULL;
    }
    size += sizeof(struct room);
    long memory = kernel_call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (kernel_failed(memory))
        return NULL;
    struct room *room = (struct room *)memory;
    room->size = size;
    if (place)
        place->room = room;
    return room + 1;
}

void room_give_back(void *memory)
{
    if (!memory)
        return;
    struct room *room = (struct room *)memory - 1;
    for (int i = 0; i < LEFT; i++) {
        if (left[i].room == room) {
            left[i].room = NULL;
            left[i].child = 0;
            left[i].thread = 0;
        }
    }
    unmap(room);
}
