/* The seccomp filter that asks a supervisor about each call (seccomp(2), SECCOMP_RET_USER_NOTIF; seccomp_unotify(2)), and
 * how its listener gets from the supervised process to others. */
#ifndef CALLS_WHOLE_FILTER_H
#define CALLS_WHOLE_FILTER_H

#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>

/* In the child that is about to execute the command, after vfork: install the filter. From then on each system call is
 * notified, but filter_send(). Returns the listener, or -1 with errno. */
int filter_install(bool library);

/* What stands in the way when filter_install() failed with `number`: a sentence. */
const char *filter_obstacle(int number);

/* Send the listener through a socket; where that fails the process ends, for nobody would answer its calls. */
void filter_send(int listener, int socket);

/* The listener, or -1 where the child ended without sending one. */
int filter_receive(int socket);

/* Room for a notification and an answer, whose sizes the kernel tells; false where it does not. */
struct filter_buffers {
    size_t size;                          /* of a notification */
    struct seccomp_notif *notification;
    struct seccomp_notif_resp *answer;
};
bool filter_buffers(struct filter_buffers *buffers);
void filter_free(struct filter_buffers *buffers);

/* A task that wakes us is put to sleep on the processor where we then run, which is faster (Linux 6.6). */
void filter_hasten(int listener);

/* Receive the next notification. False where there is none: a signal came, or the task was killed meanwhile. */
bool filter_next(int listener, struct filter_buffers *buffers);

/* Whether all who were supervised have ended, so that nothing will come (Linux 5.9). */
bool filter_deserted(int listener);

/* Let the call of notification `id` go on. An errno. */
int filter_pass(int listener, struct filter_buffers *buffers, __u64 id);

#endif
