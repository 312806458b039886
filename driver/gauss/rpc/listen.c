/* A listening socket, and its address as text. */
#include "listen.h"

#include "common/errors.h"
#include "common/memory.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int listen_on(const char *host, const char *port)
{
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV };
    struct addrinfo *addresses = NULL;
    int fault = getaddrinfo(host, port, &hints, &addresses), on = 1, number = 0, descriptor = -1;
    if (fault) {
        errors_say("serve: %s: %s", host, gai_strerror(fault));
        return -1;
    }
    for (struct addrinfo *address = addresses; address && descriptor < 0; address = address->ai_next) {
        descriptor = socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->ai_protocol);
        number = errno;
        if (descriptor < 0)
            continue;
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        if (bind(descriptor, address->ai_addr, address->ai_addrlen) || listen(descriptor, 128)) {
            number = errno;
            close(descriptor);
            descriptor = -1;
        }
    }
    freeaddrinfo(addresses);
    if (descriptor < 0)
        errors_say_errno(number, "serve: %s port %s", host, port);
    return descriptor;
}

static int name(int descriptor, char host[NI_MAXHOST], char port[NI_MAXSERV])
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length))
        return -1;
    return getnameinfo((struct sockaddr *)&address, length, host, NI_MAXHOST, port, NI_MAXSERV,
                       NI_NUMERICHOST | NI_NUMERICSERV);
}

char *listen_address(int descriptor)
{
    char host[NI_MAXHOST], port[NI_MAXSERV];
    if (name(descriptor, host, port))
        return NULL;
    return memory_format(strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
}

char *listen_port(int descriptor)
{
    char host[NI_MAXHOST], port[NI_MAXSERV];
    return name(descriptor, host, port) ? NULL : memory_strdup(port);
}
