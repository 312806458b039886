/* By which path a descriptor of this process was opened, and its working directory. */
#ifndef FILES_DESCRIPTORS_H
#define FILES_DESCRIPTORS_H

#include <stdint.h>

/* Numbers of places for files. Whoever is not known yet is asked of the kernel. */
uint32_t descriptors_file(int descriptor);
uint32_t descriptors_folder(int descriptor);             /* AT_FDCWD is the working directory */

void descriptors_opened(int descriptor, uint32_t file);
void descriptors_copied(int old, int new);
void descriptors_closing(unsigned first, unsigned last);
void descriptors_moved(void);                            /* the working directory is another */

/* From here on this thread's memory is that of a child of vfork, too, which has descriptors of its own; until then. */
void descriptors_lend(void);
void descriptors_take_back(void);

#endif
