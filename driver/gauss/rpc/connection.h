/* The server's side of one connection, in a process of its own: what a client does wrong is its own connection's end. */
#ifndef GAUSS_RPC_CONNECTION_H
#define GAUSS_RPC_CONNECTION_H

#include "token.h"

#include <stdatomic.h>
#include <stdint.h>

#define CONNECTION_RECORD_MAX 1024   /* bytes of a request; ours has some 150 */
#define CONNECTION_PATIENCE 10       /* seconds until a client must have shown the token */
#define CONNECTION_IDLE 600          /* seconds without a call until one that has is dropped */

struct connection {
    int socket;
    struct token token;
    uint64_t count_max;              /* most variates of a call */
    atomic_bool *trusted;            /* set once the token was shown; shared with the listening process */
};

/* Answer calls until the client leaves or must leave. */
void connection_serve(const struct connection *connection);

#endif
