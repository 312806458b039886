/* What a process runs: its executable and libraries, with a digest of the code of each as it lies in memory. */
#ifndef GAUSS_RPC_IDENTITY_H
#define GAUSS_RPC_IDENTITY_H

/* One line "DIGEST NAME" per loaded object, the executable first, and one for the vector code chosen. The same text
 * from two processes means the same code. A new string. */
char *identity_text(void);

#endif
