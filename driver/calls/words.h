/* Words of a command that was given as one text. */
#ifndef CALLS_WORDS_H
#define CALLS_WORDS_H

/* The words of `text` as a shell would split and expand them (quotes, $NAME, ~, patterns), without running one. Ends
 * with NULL; NULL where it takes a shell (|;&<>(){}, command substitution, NAME=value, #) or the text is no command. */
char **words_split(const char *text);

/* The command that runs `text`: its words, or `sh -c text` where it takes a shell. NULL for a text without words. */
char **words_command(const char *text);

/* Words as one text, quoted where a shell would need it. A new string. */
char *words_text(char *const *words);

void words_free(char **words);

#endif
