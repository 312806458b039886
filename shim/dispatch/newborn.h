/* A task whose dispatch the kernel has switched off, for it is new. */
#ifndef DISPATCH_NEWBORN_H
#define DISPATCH_NEWBORN_H

void newborn_count(void);      /* it counts from here on */

/* A signal has struck in our code behind a call whose result is 0, so perhaps in a new task that has not armed dispatch
 * yet. Its handler's calls count, and the rt_sigreturn has to come to us: the way back to our code is lost without. */
void newborn_struck(void);

#endif
