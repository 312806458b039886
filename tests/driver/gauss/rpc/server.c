/* Server and client as processes: calls, limits, and ends on either side. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/common/memory.h"
#include "driver/gauss/rpc/fixture.h"

static void a_call_returns_the_histogram_of_a_local_run(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    assert_int_equal(call(&server, 1000003, 20, NULL), 0);
    assert_int_equal(call(&server, 1, 20, NULL), 0);
    fixture_stop(&server);
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
    fixture_stop(&server);
}

/* A child of process `parent`; 0 for none. */
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

/* Seconds of processor time that a process has used, to a hundredth. */
static double used(pid_t pid)
{
    char path[64];
    unsigned long ticks = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &ticks) != 1)
        ticks = 0;
    if (file)
        fclose(file);
    return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

/* A caller whose call is being computed, and will be for long. */
static pid_t long_call(const struct fixture *server)
{
    pid_t caller = fork();
    if (!caller)
        _exit(call(server, COUNT_MAX, 3600, NULL) ? 1 : 0);
    while (used(child_of(server->pid)) < 0.05)
        usleep(2000);
    return caller;
}

/* Whether the server's processes end long before their calls are computed. */
static bool ends_its_calls(pid_t server)
{
    double until = timing_wall() + 60;
    while (child_of(server) && timing_wall() < until)
        usleep(2000);
    return !child_of(server);
}

static void a_long_call_does_not_hold_up_a_short_one(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    pid_t busy = long_call(&server);
    assert_int_equal(call(&server, 1000, 60, NULL), 0);
    assert_int_equal(waitpid(busy, NULL, WNOHANG), 0);  /* the long one is still at it */
    kill(busy, SIGKILL);
    waitpid(busy, NULL, 0);
    fixture_stop(&server);
}

static void a_wrong_token_is_refused(void **state)
{
    (void)state;
    struct fixture server = start(0, false), stranger = server;
    stranger.token.bytes[31] ^= 1;
    assert_int_equal(call(&stranger, 1000, 20, NULL), -1);
    assert_int_equal(call(&server, 1000, 20, NULL), 0);
    fixture_stop(&server);
}

static void the_servers_limit_holds(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    assert_int_equal(call(&server, COUNT_MAX + 1, 20, NULL), -1);
    fixture_stop(&server);
}

static void a_call_whose_client_has_gone_is_abandoned(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    assert_int_equal(call(&server, COUNT_MAX, 0.3, NULL), -1);  /* time-out */
    assert_true(ends_its_calls(server.pid));
    pid_t victim = long_call(&server);
    kill(victim, SIGKILL);
    waitpid(victim, NULL, 0);
    assert_true(ends_its_calls(server.pid));
    assert_int_equal(call(&server, 1000, 20, NULL), 0);
    fixture_stop(&server);
}

static void a_server_killed_in_the_middle_of_a_call_is_an_error_at_once(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    int status;
    pid_t caller = long_call(&server);
    kill(server.pid, SIGKILL);
    waitpid(server.pid, NULL, 0);
    assert_int_equal(waitpid(caller, &status, 0), caller);
    assert_int_equal(WEXITSTATUS(status), 1);  /* an hour before its time-out */
    free(server.address);
}

static void a_server_for_one_caller_ends_after_it(void **state)
{
    (void)state;
    struct fixture server = start(0, true), stranger = server;
    int status;
    stranger.token.bytes[0] ^= 1;
    assert_int_equal(call(&stranger, 1000, 20, NULL), -1);
    assert_true(ends_its_calls(server.pid));
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
    gone.address = memory_strdup(server.address);
    fixture_stop(&server);
    assert_int_equal(call(&gone, 1000, 5, NULL), -1);
    free(gone.address);
}

static void a_server_that_never_answers_is_a_time_out(void **state)
{
    (void)state;
    int listener = listen_on("127.0.0.1", "0");
    struct fixture mute = { .address = listen_address(listener) };
    double seconds;
    assert_int_equal(call(&mute, 1000, 0.5, &seconds), -1);
    assert_true(seconds >= 0.5);
    close(listener);
    free(mute.address);
}

static void a_port_in_use_is_an_error(void **state)
{
    (void)state;
    int listener = listen_on("127.0.0.1", "0");
    char *port = listen_port(listener);
    assert_int_equal(listen_on("127.0.0.1", port), -1);
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
        cmocka_unit_test(a_server_for_one_caller_ends_after_it),
        cmocka_unit_test(nobody_listening_is_an_error),
        cmocka_unit_test(a_server_that_never_answers_is_a_time_out),
        cmocka_unit_test(a_port_in_use_is_an_error),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
