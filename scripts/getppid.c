/* getppid [counted]: nanoseconds a system call, the best of many short stretches. Without an argument also in a thread
 * under dispatch whose calls the kernel is told to let pass: the part of the price that is the kernel's own. */
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static double each(void)
{
    double best = 1e9;
    for (int stretch = 0; stretch < 200; stretch++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        for (int i = 0; i < 5000; i++)
            getppid();
        clock_gettime(CLOCK_MONOTONIC, &end);
        double ns = ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) / 5000;
        best = ns < best ? ns : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return printf("%.1f counted\n", each()) < 0;
    printf("%.1f alone\n", each());
    prctl(59, 1, 4096, 0x7ffffffff000 - 4096, NULL);
    printf("%.1f let_pass_by_dispatch\n", each());
    fflush(stdout);
    _exit(0);
}
