/* A listening socket, and its address as text. */
#ifndef GAUSS_RPC_LISTEN_H
#define GAUSS_RPC_LISTEN_H

/* A non-blocking socket that listens on a numeric address or a name, port 0 for any. -1 after saying what is wrong. */
int listen_on(const char *host, const char *port);

/* "HOST:PORT" of a socket, brackets around an IPv6 address; and its port alone. New strings, NULL on failure. */
char *listen_address(int socket);
char *listen_port(int socket);

#endif
