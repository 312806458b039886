/* Where calls of an exported name go. */
#ifndef WRAP_ENTRIES_H
#define WRAP_ENTRIES_H

void entries_fill(void);   /* all now, not each at its first call */

#endif
