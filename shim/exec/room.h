/* Memory for what is given to a program that is about to be executed: not on the stack of the caller, which may be
 * small while an environment may be large. */
#ifndef EXEC_ROOM_H
#define EXEC_ROOM_H

#include <stddef.h>

/* At least `size` bytes, or NULL. What a child of vfork takes, and never gives back because it became another program, is
 * its parent's for the next time. */
void *room_take(size_t size);
void room_give_back(void *room);

#endif
