/* New tasks. */
#ifndef DISPATCH_TASKS_H
#define DISPATCH_TASKS_H

/* A signal has struck in our code behind a call whose result is 0, so perhaps in a new task that has not armed dispatch
 * yet. Its handler's calls count, and the rt_sigreturn has to come to us: the way back to our code is lost without. */
void tasks_struck(void);

#endif
