/* Words of a command that was given as one text, by wordexp(3). */
#include "words.h"

#include "common/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

/* What wordexp takes for a word and a shell does not: an assignment, a comment, a reserved `!`. */
static bool needs_shell(const char *text)
{
    text += strspn(text, " \t");
    size_t name = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return (name && text[name] == '=') || *text == '#' || *text == '!' || strstr(text, " #") || strchr(text, '\n');
}

char **words_split(const char *text)
{
    wordexp_t expansion = { 0 };
    if (needs_shell(text))
        return NULL;
    int failure = wordexp(text, &expansion, WRDE_NOCMD);
    char **words = NULL;
    if (!failure) {
        words = memory_calloc(expansion.we_wordc + 1, sizeof *words);
        for (size_t i = 0; i < expansion.we_wordc; i++)
            words[i] = memory_strdup(expansion.we_wordv[i]);
    }
    if (!failure || failure == WRDE_NOSPACE)
        wordfree(&expansion);
    return words;
}

char **words_command(const char *text)
{
    if (!text[strspn(text, " \t\n")])
        return NULL;
    char **words = words_split(text);
    if (words && words[0])
        return words;
    words_free(words);
    words = memory_calloc(4, sizeof *words);
    words[0] = memory_strdup("sh");
    words[1] = memory_strdup("-c");
    words[2] = memory_strdup(text);
    return words;
}

void words_free(char **words)
{
    for (char **word = words; word && *word; word++)
        free(*word);
    free(words);
}
