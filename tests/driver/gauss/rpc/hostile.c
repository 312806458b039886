/* Clients that are silent, slow, malformed, or many: they harm themselves only. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver/gauss/rpc/fixture.h"

/* Seconds within which a connection closes that is not dropped for its silence. */
#define AT_ONCE (CONNECTION_PATIENCE - 2)

static void two_bytes_of_a_record_mark_and_silence_block_nobody(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    int descriptor = connect_raw(&server);
    say(descriptor, "\x80\x00", 2);
    assert_int_equal(call(&server, 1000, 60, NULL), 0);
    assert_true(is_open(descriptor));  /* nobody waited until it was dropped */
    close(descriptor);
    fixture_stop(&server);
}

static void a_record_that_is_never_finished_is_dropped_in_time(void **state)
{
    (void)state;
    struct fixture server = start(0, false);
    int partial = connect_raw(&server), silent = connect_raw(&server), shown = connect_raw(&server);
    say_null_call(partial, 20);
    say_null_call(shown, 44);  /* a null call shows no token */
    double begin = timing_wall();
    assert_true(closes(partial, 60) && closes(silent, 60) && closes(shown, 60));
    assert_true(timing_wall() - begin > CONNECTION_PATIENCE - 3);
    close(partial), close(silent), close(shown);
    fixture_stop(&server);
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
    assert_true(closes(first, AT_ONCE) && closes(second, AT_ONCE));
    close(first), close(second);
    fixture_stop(&server);
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
    assert_int_equal(call(&server, 1000, 60, NULL), 0);  /* the flood is on: it does not hold up a call either */
    fixture_stop(&server);
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
    assert_true(closes(descriptor, AT_ONCE));
    close(descriptor);
    fixture_stop(&server);
}

static void what_is_no_request_ends_its_connection_only(void **state)
{
    (void)state;
    static const char *const texts[] = { "GET / HTTP/1.0\r\n\r\n", "\x80\x00\x00\x01x", "\x00\x00\x00\x28", "\x80\x00\x40\x00" };
    struct fixture server = start(0, false);
    for (size_t i = 0; i < 4; i++) {
        int descriptor = connect_raw(&server);
        say(descriptor, texts[i], i ? 4 : strlen(texts[i]));
        assert_true(closes(descriptor, AT_ONCE));
        close(descriptor);
    }
    assert_int_equal(call(&server, 1000, 20, NULL), 0);
    fixture_stop(&server);
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
    fixture_stop(&server);
}

static void floods_of_idle_connections_lock_nobody_out(void **state)
{
    (void)state;
    struct fixture server = start(64, false);
    int idle[300];
    for (int i = 0; i < 300; i++) {
        idle[i] = connect_raw(&server);
        if (i % 3 == 1)
            say_null_call(idle[i], 30);
        if (i % 3 == 2)
            say_null_call(idle[i], 44);
    }
    assert_int_equal(call(&server, 1000, 60, NULL), 0);
    assert_true(is_open(idle[297]));  /* the call came through before time had dropped the others */
    for (int i = 0; i < 300; i++)
        close(idle[i]);
    fixture_stop(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_bytes_of_a_record_mark_and_silence_block_nobody),
        cmocka_unit_test(a_record_that_is_never_finished_is_dropped_in_time),
        cmocka_unit_test(half_a_request_and_no_more_to_come_is_dropped_at_once),
        cmocka_unit_test(a_busy_server_still_ends_when_told_to),
        cmocka_unit_test(a_huge_record_is_not_swallowed),
        cmocka_unit_test(what_is_no_request_ends_its_connection_only),
        cmocka_unit_test(clients_that_close_early_do_not_end_the_server),
        cmocka_unit_test(floods_of_idle_connections_lock_nobody_out),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
