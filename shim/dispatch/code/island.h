/* Room near a site for what a jump of five bytes has to reach. */
#ifndef DISPATCH_ISLAND_H
#define DISPATCH_ISLAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool island_reaches(uintptr_t from, uintptr_t to);
uint8_t *island_room(uintptr_t site, size_t bytes);         /* not writable yet; NULL: none within reach */
bool island_holds(uintptr_t address);
void island_repair(void);      /* none is writable any more */
void island_use(const uint8_t *room, size_t bytes);

#endif
