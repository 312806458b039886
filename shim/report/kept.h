/* Descriptors that the report keeps where the program does not see them. */
#ifndef REPORT_KEPT_H
#define REPORT_KEPT_H

#include <stdbool.h>
#include <sys/stat.h>

/* A descriptor, and the file that it was: another file may get its number. */
struct kept {
    int number;
    struct stat status;
};
extern struct kept kept_error, kept_output, kept_folder;  /* standard error, the report's file, the table's folder */

void kept_begin(void);                   /* standard error is what it is now */
int kept_standard_error(void);           /* wherever it is, or -1 */
bool kept_is(int number, const struct kept *kept);
struct kept kept_take(int descriptor);   /* keep a copy and close it */

/* The program closes, or puts files at, these numbers. */
void kept_closing(unsigned first, unsigned last);
unsigned kept_lowest(unsigned first, unsigned last);     /* of those kept there, or ~0u */
void kept_move(unsigned number);

#endif
