/* The listening process of `reckon gauss serve`: it accepts, waits until a whole request has arrived, and hands the
 * connection to a process of its own. It reads nothing that a client sends. */
#ifndef GAUSS_SERVER_H
#define GAUSS_SERVER_H

#include "token.h"

#include <stdbool.h>
#include <stdint.h>

struct server {
    int listener;         /* listening, non-blocking */
    struct token token;
    uint64_t count_max;   /* most variates of a call */
    bool once;            /* end when the first client that was served has left */
};

/* A socket that listens on a numeric address or a name, port 0 for any. -1 after saying what is wrong. */
int server_listen(const char *host, const char *port);

/* "HOST:PORT" of a socket, brackets around an IPv6 address; and its port alone. New strings, NULL on failure. */
char *server_address(int socket);
char *server_port(int socket);

/* Keep the signals that end a server, and SIGCHLD, until server_run() looks at them: call it before telling anybody. */
void server_block_signals(void);

/* Serve until SIGTERM, SIGINT or SIGHUP; calls that are being computed then are dropped. 0, or -1 after an error. */
int server_run(const struct server *server);

#endif
