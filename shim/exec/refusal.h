/* Programs into which the loader will not put the library. */
#ifndef EXEC_REFUSAL_H
#define EXEC_REFUSAL_H

#include "exec/environment.h"

/* Before execveat(folder, path, arguments): what that must find of us in its environment. What will not be counted
 * there is said. `in_place`: in this process, whose root has to report now. */
enum environment_kind refusal_judge(int folder, const char *path, char *const *arguments, bool in_place);

#endif
