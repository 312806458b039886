/* Server and client as processes: hostile, slow and dying peers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "common/errors.h"
#include "common/timing.h"
#include "gauss/client.h"
#include "gauss/connection.h"
#include "gauss/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct fixture {
    pid_t pid;
    char *address;
    uint16_t port;
    struct token token;
};

/* A server process on a free port; `descriptors` limits its open files (0: as they are). */
static struct fixture start(rlim_t descriptors, bool once)
{
    struct fixture fixture = { .token = { "secret" } };
    struct server server = { .listener = server_listen("127.0.0.1", "0"), .token = fixture.token, .count_max = 2000000000,
                             .once = once };
    assert_true(server.listener >= 0);
    fixture.address = server_address(server.listener);
    fixture.port = (uint16_t)atoi(strrchr(fixture.address, ':') + 1);
    sigset_t mask;
    sigprocmask(SIG_BLOCK, NULL, &mask);
    server_block_signals();
    fixture.pid = fork();
    assert_true(fixture.pid >= 0);
    if (!fixture.pid) {
        struct rlimit limit = { descriptors, descriptors };
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (descriptors)
            setrlimit(RLIMIT_NOFILE, &limit);
        _exit(server_run(&server) ? 1 : 0);
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(server.listener);
    return fixture;
}

/* End it by SIGTERM, which it must follow at once and with status 0. */
static void stop(struct fixture *fixture)
{
    int status;
    kill(fixture->pid, SIGTERM);
    assert_int_equal(waitpid(fixture->pid, &status, 0), fixture->pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    free(fixture->address);
}

/* Make a call; its status, and the seconds it took where wanted. */
static int call(const struct fixture *fixture, uint64_t count, double timeout, double *seconds)
{
    struct workload workload = workload_default();
    struct client_figures figures;
    double begin = timing_wall();
    workload.count = count;
    workload.generator = WORKLOAD_FAST;
    struct workload_histogram mine = workload_histogram_new(&workload), theirs = workload_histogram_new(&workload);
    struct client *client = client_open(fixture->address, &fixture->token, timeout);
    int status = client ? client_run(client, &workload, &theirs, &figures) : -1;
    if (seconds)
        *seconds = timing_wall() - begin;
    if (!status) {
        workload_run(&workload, &mine, NULL, NULL);
        assert_true(workload_equal(&mine, &theirs));
    }
    client_close(client);
    workload_histogram_free(&mine);
    workload_histogram_free(&theirs);
    return status;
}

static int connect_raw(const struct fixture *fixture)
{
    struct sockaddr_in peer = { .sin_family = AF_INET, .sin_port = htons(fixture->port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(descriptor >= 0 && connect(descriptor, (struct sockaddr *)&peer, sizeof peer) == 0);
    return descriptor;
}

static void say(int descriptor, const void *bytes, size_t count)
{
    assert_int_equal(send(descriptor, bytes, count, MSG_NOSIGNAL), count);
}

/* True when the peer closes within `seconds`. */
static bool closes(int descriptor, double seconds)
{
    char bytes[256];
    struct pollfd peer = { .fd = descriptor, .events = POLLIN };
    double until = timing_wall() + seconds;
    while (timing_wall() < until) {
        if (poll(&peer, 1, 100) > 0 && recv(descriptor, bytes, sizeof bytes, 0) <= 0)
            return true;
    }
    return false;
}

/* A null call of this program, record mark included. */
static const uint32_t null_call[] = { 0x80000028, 7, 0, 2, 0x20090602, 1, 0, 0, 0, 0, 0 };

static void say_null_call(int descriptor, size_t bytes)
{
    uint32_t record[11];
    for (size_t i = 0; i < 11; i++)
        record[i] = htonl(null_call[i]);
    say(descriptor, record, bytes);
}

static void a_call_returns_the_histogram_of_a_local_run(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    assert_int_equal(call(&server, 1000003, 20, NULL), 0);
    assert_int_equal(call(&server, 1, 20, NULL), 0);
    stop(&server);
}

static void several_clients_are_served_at_once(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    pid_t callers[6];
    int status;
    for (int i = 0; i < 6; i++) {
        callers[i] = fork();
        if (!callers[i])
            _exit(call(&server, 3000000 + (uint64_t)i, 30, NULL) ? 1 : 0);
    }
    for (int i = 0; i < 6; i++) {
        assert_int_equal(waitpid(callers[i], &status, 0), callers[i]);
        assert_int_equal(status, 0);
    }
    stop(&server);
}

static void a_long_call_does_not_hold_up_a_short_one(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    pid_t busy = fork();
    if (!busy)
        _exit(call(&server, 2000000000, 60, NULL) ? 1 : 0);
    usleep(200000);
    assert_int_equal(call(&server, 1000, 20, NULL), 0);
    assert_int_equal(waitpid(busy, NULL, WNOHANG), 0);  /* the long one is still at it */
    kill(busy, SIGKILL);
    waitpid(busy, NULL, 0);
    stop(&server);
}

static void a_wrong_token_is_refused(void **state)
{
    (void)state;
    struct fixture server = start(0, false), stranger = server;
    stranger.token.bytes[31] ^= 1;
    assert_int_equal(call(&stranger, 1000, 20, NULL), -1);
    assert_int_equal(call(&server, 1000, 20, NULL), 0);
    stop(&server);
}

static void the_servers_limit_holds(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    assert_int_equal(call(&server, 2000000001, 20, NULL), -1);
    stop(&server);
}

/* A child of process `parent` that uses the processor; 0 for none. */
static pid_t child_of(pid_t parent)
{
    char path[64];
    int child = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%d", &child) != 1)
        child = 0;
    if (file)
        fclose(file);
    return child;
}

static bool no_child_within(pid_t parent, double seconds)
{
    double until = timing_wall() + seconds;
    while (child_of(parent) && timing_wall() < until)
        usleep(20000);
    return !child_of(parent);
}

static void a_call_whose_client_has_gone_is_abandoned(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    assert_int_equal(call(&server, 2000000000, 0.3, NULL), -1);  /* time-out */
    assert_true(no_child_within(server.pid, 3));                 /* it would compute for some 4 s and more */
    pid_t victim = fork();
    if (!victim)
        _exit(call(&server, 2000000000, 60, NULL) ? 1 : 0);
    usleep(300000);
    kill(victim, SIGKILL);
    waitpid(victim, NULL, 0);
    assert_true(no_child_within(server.pid, 3));
    assert_int_equal(call(&server, 1000, 20, NULL), 0);
    stop(&server);
}

static void a_server_killed_in_the_middle_of_a_call_is_an_error_at_once(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    double seconds;
    pid_t killer = fork();
    if (!killer) {
        usleep(300000);
        kill(server.pid, SIGKILL);
        _exit(0);
    }
    assert_int_equal(call(&server, 2000000000, 60, &seconds), -1);
    assert_true(seconds < 20);
    waitpid(killer, NULL, 0);
    waitpid(server.pid, NULL, 0);
    free(server.address);
}

static void two_bytes_of_a_record_mark_and_silence_block_nobody(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    int descriptor = connect_raw(&server);
    double seconds;
    say(descriptor, "\x80\x00", 2);
    assert_int_equal(call(&server, 1000, 20, &seconds), 0);
    assert_true(seconds < 5);
    close(descriptor);
    stop(&server);
}

static void a_record_that_is_never_finished_is_dropped_in_time(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    int partial = connect_raw(&server), silent = connect_raw(&server), shown = connect_raw(&server);
    say_null_call(partial, 20);
    say_null_call(shown, 44);  /* a null call shows no token */
    double begin = timing_wall();
    assert_true(closes(partial, CONNECTION_PATIENCE + 5) && closes(silent, 5) && closes(shown, 5));
    assert_true(timing_wall() - begin > CONNECTION_PATIENCE - 3);
    close(partial), close(silent), close(shown);
    stop(&server);
}

static void half_a_request_and_no_more_to_come_is_dropped_at_once(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    int first = connect_raw(&server), second = connect_raw(&server);
    say(first, "\x80\x00", 2);
    shutdown(first, SHUT_WR);
    say_null_call(second, 44);  /* the second half comes to its own process */
    say_null_call(second, 30);
    shutdown(second, SHUT_WR);
    assert_true(closes(first, 3) && closes(second, 3));
    close(first), close(second);
    stop(&server);
}

static void a_busy_server_still_ends_when_told_to(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    pid_t flood = fork();
    if (!flood) {
        for (;;) {  /* ready all the time, never whole */
            int descriptor = connect_raw(&server);
            say_null_call(descriptor, 44);
            close(descriptor);
        }
    }
    usleep(200000);
    double begin = timing_wall();
    stop(&server);
    assert_true(timing_wall() - begin < 5);
    kill(flood, SIGKILL);
    waitpid(flood, NULL, 0);
}

static void a_huge_record_is_not_swallowed(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    int descriptor = connect_raw(&server);
    char zeros[65536] = { 0 };
    say(descriptor, "\xff\xff\xff\xff", 4);
    send(descriptor, zeros, sizeof zeros, MSG_NOSIGNAL | MSG_DONTWAIT);
    assert_true(closes(descriptor, 3));
    close(descriptor);
    stop(&server);
}

static void what_is_no_request_ends_its_connection_only(void **state)
{
    (void)state;
    static const char *const texts[] = { "GET / HTTP/1.0\r\n\r\n", "\x80\x00\x00\x01x", "\x00\x00\x00\x28", "\x80\x00\x40\x00" };
    struct fixture server = start(0, false);
    for (size_t i = 0; i < 4; i++) {
        int descriptor = connect_raw(&server);
        say(descriptor, texts[i], i ? 4 : strlen(texts[i]));
        assert_true(closes(descriptor, 3));
        close(descriptor);
    }
    assert_int_equal(call(&server, 1000, 20, NULL), 0);
    stop(&server);
}

static void clients_that_close_early_do_not_end_the_server(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    for (int i = 0; i < 200; i++) {  /* calls in the pipe, and nobody to read the answers */
        int descriptor = connect_raw(&server);
        struct linger at_once = { 1, 0 };
        say_null_call(descriptor, 44);
        say_null_call(descriptor, 44);
        if (i % 2)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        close(descriptor);
    }
    assert_int_equal(call(&server, 1000, 20, NULL), 0);
    assert_int_equal(waitpid(server.pid, NULL, WNOHANG), 0);
    stop(&server);
}

static void floods_of_idle_connections_lock_nobody_out(void **state)
{
    (void)state;
    struct fixture server = start(64, false);
    int idle[300];
    double seconds;
    for (int i = 0; i < 300; i++) {
        idle[i] = connect_raw(&server);
        if (i % 3 == 1)
            say_null_call(idle[i], 30);
        if (i % 3 == 2)
            say_null_call(idle[i], 44);
    }
    assert_int_equal(call(&server, 1000, 20, &seconds), 0);
    assert_true(seconds < CONNECTION_PATIENCE - 2);
    for (int i = 0; i < 300; i++)
        close(idle[i]);
    stop(&server);
}

static void a_server_for_one_caller_ends_after_it(void **state)
{
    (void)state;
    struct fixture server = start(0, true), stranger = server;
    int status;
    stranger.token.bytes[0] ^= 1;
    assert_int_equal(call(&stranger, 1000, 20, NULL), -1);
    usleep(200000);
    assert_int_equal(waitpid(server.pid, &status, WNOHANG), 0);
    assert_int_equal(call(&server, 1000, 20, NULL), 0);
    assert_int_equal(waitpid(server.pid, &status, 0), server.pid);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    free(server.address);
}

static void nobody_listening_is_an_error(void **state)
{
    (void)state;
    struct fixture server = start(0, false), gone = server;
    gone.address = errors_strdup(server.address);
    stop(&server);
    assert_int_equal(call(&gone, 1000, 5, NULL), -1);
    free(gone.address);
}

static void a_server_that_never_answers_is_a_time_out(void **state)
{
    (void)state;
    int listener = server_listen("127.0.0.1", "0");
    struct fixture mute = { .address = server_address(listener) };
    double seconds;
    assert_int_equal(call(&mute, 1000, 0.5, &seconds), -1);
    assert_true(seconds >= 0.5 && seconds < 5);
    close(listener);
    free(mute.address);
}

static void a_port_in_use_is_an_error(void **state)
{
    (void)state;
    int listener = server_listen("127.0.0.1", "0");
    char *port = server_port(listener);
    assert_int_equal(server_listen("127.0.0.1", port), -1);
    free(port);
    close(listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_returns_the_histogram_of_a_local_run),
        cmocka_unit_test(several_clients_are_served_at_once),
        cmocka_unit_test(a_long_call_does_not_hold_up_a_short_one),
        cmocka_unit_test(a_wrong_token_is_refused),
        cmocka_unit_test(the_servers_limit_holds),
        cmocka_unit_test(a_call_whose_client_has_gone_is_abandoned),
        cmocka_unit_test(a_server_killed_in_the_middle_of_a_call_is_an_error_at_once),
        cmocka_unit_test(two_bytes_of_a_record_mark_and_silence_block_nobody),
        cmocka_unit_test(a_record_that_is_never_finished_is_dropped_in_time),
        cmocka_unit_test(half_a_request_and_no_more_to_come_is_dropped_at_once),
        cmocka_unit_test(a_busy_server_still_ends_when_told_to),
        cmocka_unit_test(a_huge_record_is_not_swallowed),
        cmocka_unit_test(what_is_no_request_ends_its_connection_only),
        cmocka_unit_test(clients_that_close_early_do_not_end_the_server),
        cmocka_unit_test(floods_of_idle_connections_lock_nobody_out),
        cmocka_unit_test(a_server_for_one_caller_ends_after_it),
        cmocka_unit_test(nobody_listening_is_an_error),
        cmocka_unit_test(a_server_that_never_answers_is_a_time_out),
        cmocka_unit_test(a_port_in_use_is_an_error),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
