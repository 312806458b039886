/* Fuzz the RPC service on one connection: requests, changed in a few places or cut and joined at random, go through a
 * socket to connection_serve() in a child, which may refuse and end but neither crash, hang nor grow.
 * Argument: seconds. Exit status 1 and the seed where something went wrong. */
#include "common/timing.h"
#include "gauss/rpc/connection.h"
#include "gauss/rpc/gauss.h"

#include <arpa/inet.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define HANG_S 5.0
#define GROWTH_KIB (64 * 1024)

static const unsigned char token[TOKEN_BYTES] = "secret";

/* A whole call of procedure 0 to 2 with its record mark; its length. */
static size_t make_call(unsigned char *record, unsigned procedure)
{
    XDR xdr;
    gauss_request request = { .generator = (int)(random() % 2), .seed = 1, .count = 1 + (u_quad_t)(random() % 1000), .mean = 6,
                              .sd = 1, .width = 1, .threads = 1 };
    u_int header[] = { (u_int)random(), 0, 2, GAUSS_PROGRAM, GAUSS_VERSION, procedure, 0, 0, 0, 0 };
    memcpy(request.token, token, TOKEN_BYTES);
    xdrmem_create(&xdr, (char *)record + 4, 1000, XDR_ENCODE);
    for (size_t i = 0; i < 10; i++)
        xdr_u_int(&xdr, &header[i]);
    if (procedure == GAUSS_RUN)
        xdr_gauss_request(&xdr, &request);
    else if (procedure == GAUSS_IDENTIFY)
        xdr_gauss_key(&xdr, (gauss_key *)request.token);
    u_int length = xdr_getpos(&xdr), mark = htonl(length | 0x80000000);
    memcpy(record, &mark, 4);
    return length + 4;
}

/* Change a few bytes; now and then the length in the mark, too. */
static void spoil(unsigned char *bytes, size_t length)
{
    for (long changes = random() % 4; changes > 0; changes--) {
        size_t place = (size_t)random() % length;
        switch (random() % 4) {
        case 0: bytes[place] = (unsigned char)random(); break;
        case 1: bytes[place] ^= (unsigned char)(1 << random() % 8); break;
        case 2: bytes[place] = 0xff; break;
        default: memset(bytes + place, 0xff, length - place < 4 ? length - place : 4); break;
        }
    }
}

static size_t make_input(unsigned char *input, size_t most)
{
    size_t length = 0;
    for (long calls = 1 + random() % 3; calls > 0 && length + 1100 < most; calls--) {
        size_t size = make_call(input + length, (unsigned)(random() % 4));
        spoil(input + length, size);
        length += random() % 8 ? size : (size_t)random() % (size + 1);
    }
    return length;
}

static void serve(int socket, atomic_bool *trusted)
{
    struct connection connection = { .socket = socket, .count_max = 100000, .trusted = trusted };
    memcpy(connection.token.bytes, token, TOKEN_BYTES);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    connection_serve(&connection);
    _exit(0);
}

/* Send the input, read what comes, wait for the end. NULL, or what went wrong. */
static const char *run(const unsigned char *input, size_t length, atomic_bool *trusted)
{
    int ends[2], status;
    char answer[4096];
    struct rusage usage;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return "socketpair";
    pid_t child = fork();
    if (!child) {
        close(ends[0]);
        serve(ends[1], trusted);
    }
    close(ends[1]);
    send(ends[0], input, length, MSG_NOSIGNAL);
    struct pollfd peer = { .fd = ends[0], .events = POLLIN };
    while (poll(&peer, 1, (int)(random() % 4)) > 0 && recv(ends[0], answer, sizeof answer, 0) > 0)
        continue;
    close(ends[0]);
    for (double until = timing_wall() + HANG_S; wait4(child, &status, WNOHANG, &usage) == 0; usleep(200)) {
        if (timing_wall() > until) {
            kill(child, SIGKILL);
            waitpid(child, NULL, 0);
            return "hangs";
        }
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGPIPE)
        return strsignal(WTERMSIG(status));
    if (WIFEXITED(status) && WEXITSTATUS(status))
        return "ends with an error";
#ifndef __SANITIZE_ADDRESS__
    if (usage.ru_maxrss > GROWTH_KIB)
        return "grows";
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    double until = timing_wall() + (argc > 1 ? atof(argv[1]) : 10);
    atomic_bool *trusted = mmap(NULL, sizeof *trusted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : 1, inputs = 0;
    for (; timing_wall() < until; seed++, inputs++) {
        unsigned char input[4096];
        srandom(seed);
        const char *wrong = run(input, make_input(input, sizeof input), trusted);
        if (wrong) {
            printf("seed %u: the service %s\n", seed, wrong);
            return 1;
        }
    }
    printf("%u inputs\n", inputs);
    return 0;
}
