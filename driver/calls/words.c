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

/* One word in single quotes if a shell would not take it as it is. */
static char *quoted(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (*word && !word[strspn(word, plain)])
        return memory_strdup(word);
    char *text = memory_calloc(4 * strlen(word) + 3, 1), *end = text;
    *end++ = '\'';
    for (; *word; word++)
        end = *word == '\'' ? stpcpy(end, "'\\''") : (*end = *word, end + 1);
    *end = '\'';
    return text;
}

char *words_text(char *const *words)
{
    char *text = memory_strdup("");
    for (size_t i = 0; words[i]; i++) {
        char *word = quoted(words[i]);
        char *longer = memory_format("%s%s%s", text, i ? " " : "", word);
        free(word);
        free(text);
        text = longer;
    }
    return text;
}

void words_free(char **words)
{
    for (char **word = words; word && *word; word++)
        free(*word);
    free(words);
}
