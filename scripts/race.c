/* race ROUNDS LIMIT TITLE 'COMMAND #NAME' ...: the commands in turns, standard output and error to /dev/null; each
 * one's median, and the median over the rounds of its time by the first one's. Settings before a command (NAME=value)
 * are its environment. Ends with 1 where the second one's ratio is above LIMIT (0: none). No shell is between. */
#include "common/statistics.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

enum { COMMANDS = 8, MOST = 1000 };

struct command {
    char **words, **environment;
    double seconds[MOST], ratio[MOST];
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void parse(struct command *command, const char *text)
{
    wordexp_t split;
    size_t settings = 0, count = 0;
    char *words = strndup(text, strcspn(text, "#"));
    if (!words || wordexp(words, &split, WRDE_NOCMD)) {
        fprintf(stderr, "race: %s: not a command\n", text);
        exit(2);
    }
    free(words);
    while (settings < split.we_wordc && strchr(split.we_wordv[settings], '='))
        settings++;
    while (environ[count])
        count++;
    command->words = split.we_wordv + settings;
    command->environment = calloc(count + settings + 1, sizeof(char *));
    if (!command->environment)
        exit(2);
    memcpy(command->environment, split.we_wordv, settings * sizeof(char *));
    memcpy(command->environment + settings, environ, count * sizeof(char *));
}

static double run(const struct command *command)
{
    pid_t child;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    double start = now();
    errno = posix_spawnp(&child, command->words[0], &actions, NULL, command->words, command->environment);
    if (errno) {
        fprintf(stderr, "race: %s: %s\n", command->words[0], strerror(errno));
        exit(2);
    }
    waitpid(child, NULL, 0);
    posix_spawn_file_actions_destroy(&actions);
    return now() - start;
}

int main(int argc, char **argv)
{
    static struct command commands[COMMANDS];
    int rounds = argc > 4 ? atoi(argv[1]) : 0, count = argc - 4;
    if (rounds < 1 || rounds > MOST || count > COMMANDS)
        return fprintf(stderr, "usage: race ROUNDS LIMIT TITLE 'COMMAND #NAME'...\n"), 2;
    for (int i = 0; i < count; i++)
        parse(&commands[i], argv[4 + i]);
    for (int round = -1; round < rounds; round++) {  /* one to warm up */
        for (int i = 0; i < count; i++) {
            double seconds = run(&commands[i]);
            if (round < 0)
                continue;
            commands[i].seconds[round] = seconds;
            commands[i].ratio[round] = seconds / commands[0].seconds[round];
        }
    }
    double limit = atof(argv[2]), second = 0;
    for (int i = 0; i < count; i++) {
        struct statistics_spread time = statistics_spread(commands[i].seconds, (size_t)rounds);
        double ratio = statistics_spread(commands[i].ratio, (size_t)rounds).median;
        char name[64];
        snprintf(name, sizeof name, "%s", strrchr(argv[4 + i], '#') ? strrchr(argv[4 + i], '#') + 1 : "");
        printf("%-26s %-14s %9.2f ms [%.2f .. %.2f]  %6.3f", i ? "" : argv[3], name, 1e3 * time.median,
               1e3 * time.minimum, 1e3 * time.maximum, ratio);
        second = i == 1 ? ratio : second;
        printf("%s\n", i == 1 && limit > 0 ? ratio <= limit ? "  ok" : "  MISSED" : "");
    }
    return limit > 0 && second > limit;
}
