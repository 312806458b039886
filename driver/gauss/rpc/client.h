/* The caller's side: a connection to a server, and its procedures. Functions say themselves what is wrong. */
#ifndef GAUSS_RPC_CLIENT_H
#define GAUSS_RPC_CLIENT_H

#include <stdbool.h>

#include "token.h"
#include "gauss/workload/workload.h"

struct client;

/* What the server measured of a call. */
struct client_figures {
    double wall_s, cpu_s;
    double fastest_s;  /* CPU time of its third fastest whole block; NaN where there are fewer */
    unsigned first_cpu, last_cpu;
    uint64_t preemptions;
};

/* Connect to "HOST:PORT" ("[::1]:PORT" for IPv6). A call may take `timeout` seconds. NULL on failure. */
struct client *client_open(const char *address, const struct token *token, double timeout);
void client_close(struct client *client);

/* The port of an address, in a new string; NULL where it has none. */
char *client_port(const char *address);

/* Whether there is such a host; else it is said. For use before anything that only a server's caller needs. */
bool client_resolves(const char *address);

/* Each 0, or -1 after saying what is wrong. The histogram must be new and of the same workload. */
int client_run(struct client *client, const struct workload *workload, struct workload_histogram *histogram,
               struct client_figures *figures);
int client_null(struct client *client);                   /* a call without arguments, result or work */
int client_identity(struct client *client, char **text);  /* identity_text() of the server; a new string */

#endif
