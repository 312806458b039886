/* The constructor. The library is linked with -z initfirst, so this runs before all other constructors, libc's own
 * included: `environ` is still NULL, and the environment comes as the third argument. Whatever fails here leaves the
 * program uncounted and running. */
#include "table/kernel.h"
#include "shim.h"

#include <errno.h>
#include <sys/auxv.h>

static void begin(int argc, char **argv, char **environment)
{
    const char *table_name = NULL;
    pid_t self = (pid_t)kernel_call(SYS_getpid);
    settings_read(environment);
    if (settings.disabled && settings.debug)
        kernel_call(SYS_close, -59);  /* where counting would begin, for who compares with strace */
    if (settings.disabled || getauxval(AT_SECURE) || real_second_copy())
        return;
    struct counters_table *table = table_begin(self, environment, &table_name);
    if (!table)
        return;
    counters_begin(table);
    environment_begin(environment, table_name);
    report_root = !(table->flags & COUNTERS_DRIVER) && table->root == self;
    process_begin(settings.counted == self && settings.table ? self : 0);
    if (report_root)
        report_begin(argc, argv, table_name);
    if (table->flags & COUNTERS_SYSCALLS)
        dispatch_begin();
}

static __attribute__((constructor)) void constructor(int argc, char **argv, char **environment)
{
    int before = errno;
    begin(argc, argv, environment);
    errno = before;
}
