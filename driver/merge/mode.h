/* The mode that adds up the reports of other modes; the one wing that looks into its neighbours. */
#ifndef MERGE_MODE_H
#define MERGE_MODE_H

int merge_mode(int argc, char **argv);

#endif
