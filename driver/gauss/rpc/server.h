/* The listening process of `reckon gauss serve`: each connection is served by a process of its own. */
#ifndef GAUSS_RPC_SERVER_H
#define GAUSS_RPC_SERVER_H

#include "token.h"

#include <stdbool.h>
#include <stdint.h>

struct server {
    int listener;         /* as listen_on() makes it */
    struct token token;
    uint64_t count_max;   /* most variates of a call */
    bool once;            /* end when the first client that was served has left */
};

/* Keep the signals that end a server, and SIGCHLD, until server_run() looks at them: call it before telling anybody. */
void server_block_signals(void);

/* Serve until SIGTERM, SIGINT or SIGHUP; calls that are being computed then are dropped. 0, or -1 after an error. */
int server_run(const struct server *server);

#endif
