/* reckon gauss: the Gaussian workload, in process (local), over RPC (serve, call), one against the other (compare),
 * and the article's question (--article). */
#ifndef GAUSS_MODE_H
#define GAUSS_MODE_H

int gauss_mode(int argc, char **argv);

/* Its parts; argv[0] is "reckon gauss local" and so on. They return the exit status. */
int gauss_local(int argc, char **argv);
int gauss_serve(int argc, char **argv);
int gauss_call(int argc, char **argv);
int gauss_compare(int argc, char **argv);
int gauss_article(int argc, char **argv);

/* One block of pairs for gauss_compare, in a process of its own (pairs/trial.c); not for people. */
int gauss_trial(int argc, char **argv);

#endif
