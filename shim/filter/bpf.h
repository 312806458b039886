/* Classic BPF as seccomp runs it: pure, no input or output. */
#ifndef FILTER_BPF_H
#define FILTER_BPF_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

/* What the filter returns for a call (SECCOMP_RET_*). A program that the kernel would refuse gives SECCOMP_RET_KILL.
 * Source: Linux, Documentation/networking/filter.rst and kernel/seccomp.c. */
uint32_t bpf_run(const struct sock_filter *program, size_t length, const struct seccomp_data *data);

#endif
