/* What was asked for by which path. */
#ifndef FILES_FILES_H
#define FILES_FILES_H

#include <stdbool.h>

/* Whether a system call has anything to do with paths or with descriptors that have one. */
bool files_concern(long number);

/* Around a system call, where files are told apart: its arguments, from the first on. */
void files_before(long number, const long argument[6]);
void files_after(long number, const long argument[6], long result);

#endif
