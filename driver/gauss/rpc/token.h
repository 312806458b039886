/* The secret that a server writes to a file of mode 0600 and its callers present: on TCP any local user can connect. */
#ifndef GAUSS_RPC_TOKEN_H
#define GAUSS_RPC_TOKEN_H

#include <stdbool.h>

#define TOKEN_BYTES 32

struct token {
    unsigned char bytes[TOKEN_BYTES];
};

/* Where server and caller look when they are not told: $XDG_RUNTIME_DIR/reckon-gauss-PORT.token, or the same in
 * /tmp/reckon-UID (mode 0700, made where it is missing, refused where it isn't ours). NULL after saying what is wrong. */
char *token_default_path(const char *port);

/* Draw a token and write it; an old file is replaced. 0, or -1 after saying what is wrong. */
int token_create(const char *path, struct token *token);

/* Read it; a file that others can read is refused. 0, or -1 after saying what is wrong. */
int token_read(const char *path, struct token *token);

/* In a time that doesn't depend on where they differ. */
bool token_equal(const void *a, const void *b);

#endif
