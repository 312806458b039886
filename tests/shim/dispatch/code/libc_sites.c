/* Every site of the libc at hand is patched in one process, those across pages too, and the process works on. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "moved.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Every `syscall` of libc's text, by objdump: where it ends, as an offset. */
static size_t calls_of_libc(const char *path, uintptr_t *calls, size_t room)
{
    char command[512], line[512];
    size_t count = 0;
    snprintf(command, sizeof command, "objdump -d '%s'", path);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    while (fgets(line, sizeof line, stream)) {
        unsigned long address;
        if (strstr(line, "\tsyscall") && sscanf(line, "%lx:", &address) == 1 && count < room)
            calls[count++] = address + 2;
    }
    assert_int_equal(pclose(stream), 0);
    return count;
}

static void *work_in_thread(void *unused)
{
    struct timespec soon = { 0, 1000 };
    nanosleep(&soon, NULL);
    free(malloc(1 << 20));
    return unused;
}

/* What ls, a shell and a server do, more or less. 0: all went well. */
static int work(void)
{
    int wrong = 0, status, ends[2];
    DIR *folder = opendir("/");
    while (readdir(folder)) {
    }
    wrong += closedir(folder);
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    while (fgets(line, sizeof line, file)) {
    }
    wrong += fclose(file) + pipe(ends);
    wrong += write(ends[1], "x", 1) != 1 || read(ends[0], line, 1) != 1;
    for (int i = 0; i < 8; i++) {
        pthread_t thread;
        wrong += pthread_create(&thread, NULL, work_in_thread, NULL) || pthread_join(thread, NULL);
    }
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    wrong += waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7;
    return wrong + (WEXITSTATUS(system("exit 5")) != 5);
}

struct libc {
    uintptr_t calls[2048];
    size_t count, proved, across, patched;
};

/* Patch all of them in this process and go on working. */
static _Noreturn void patch_all(struct libc *libc, uintptr_t base, bool threads)
{
    uint8_t *room = NULL, *end = NULL;
    if (threads)
        patch_expect_threads(true);
    for (size_t i = 0; i < libc->count; i++) {
        struct site site;
        if (!proves((uint8_t *)base + libc->calls[i], &site))
            continue;
        libc->proved++;
        libc->across += ((uintptr_t)site.start & 4095) > 4096 - 5 || ((uintptr_t)site.call & 4095) == 4095;
        if (end - room < 128) {
            room = near_page(site.start);
            end = room + 4096;
        }
        libc->patched += patch(&site, &room, end);
    }
    _exit(work());
}

static void every_site_of_libc_patched_in_one_process_works(void **state)
{
    struct libc *libc = mmap(NULL, sizeof *libc, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    Dl_info info;
    (void)state;
    assert_int_not_equal(dladdr(dlsym(RTLD_NEXT, "getppid"), &info), 0);
    libc->count = calls_of_libc(info.dli_fname, libc->calls, 2048);
    assert_true(libc->count > 400);
    for (int threads = 0; threads < 2; threads++) {
        int status;
        libc->proved = libc->across = libc->patched = 0;
        pid_t child = fork();
        if (child == 0)
            patch_all(libc, (uintptr_t)info.dli_fbase, threads);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        print_message("%zu sites, %zu proved, %zu patched, %zu across pages%s\n", libc->count, libc->proved,
                      libc->patched, libc->across, threads ? ", beside threads" : "");
        assert_true(libc->proved * 10 > libc->count * 9);
        assert_true(threads ? libc->patched * 10 > libc->proved * 9 : libc->patched == libc->proved);
    }
    munmap(libc, sizeof *libc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_site_of_libc_patched_in_one_process_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
