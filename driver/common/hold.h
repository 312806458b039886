/* Hold all signals back for a short while, in which something must not be left half done. */
#ifndef COMMON_HOLD_H
#define COMMON_HOLD_H

#include <signal.h>
#include <stdbool.h>

/* What comes from now on waits until hold_end(); `before` keeps the mask. */
void hold_begin(sigset_t *before);
void hold_end(const sigset_t *before);

/* Whether a signal waits that will end us. */
bool hold_pending(void);

/* In a child, before it becomes another program: none of ours are held any more. */
void hold_nothing(void);

#endif
