/* The list that loaders keep for debuggers: glibc's has it under one name, musl's under another. References that are
 * weak bind to either, and need no library of glibc's loader, which musl's would look for in vain. */
#include "objects.h"

#include <stddef.h>

#pragma weak _r_debug
extern __attribute__((weak)) struct r_debug *_dl_debug_addr;

const struct link_map *objects_first(void)
{
    if (&_r_debug)
        return _r_debug.r_map;
    return &_dl_debug_addr ? _dl_debug_addr->r_map : NULL;
}

bool objects_musl(void)
{
    return !&_r_debug;
}
