/* The token's file. */
#include "token.h"

#include "common/errors.h"
#include "common/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_LENGTH (2 * TOKEN_BYTES + 1)  /* hexadecimal digits and a newline */

char *token_default_path(const char *port)
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (runtime && *runtime == '/')
        return memory_format("%s/reckon-gauss-%s.token", runtime, port);
    char *folder = memory_format("/tmp/reckon-%u", (unsigned)getuid()), *path = NULL;
    struct stat status;
    if (mkdir(folder, 0700) && errno != EEXIST)
        errors_say_errno(errno, "token: %s", folder);
    else if (lstat(folder, &status))
        errors_say_errno(errno, "token: %s", folder);
    else if (!S_ISDIR(status.st_mode) || status.st_uid != getuid() || status.st_mode & 077)
        errors_say("token: %s: is not a folder of yours alone", folder);
    else
        path = memory_format("%s/reckon-gauss-%s.token", folder, port);
    free(folder);
    return path;
}

static void to_text(const struct token *token, char text[TEXT_LENGTH + 1])
{
    for (int i = 0; i < TOKEN_BYTES; i++)
        sprintf(text + 2 * i, "%02x", token->bytes[i]);
    strcpy(text + 2 * TOKEN_BYTES, "\n");
}

int token_create(const char *path, struct token *token)
{
    char text[TEXT_LENGTH + 1], *temporary = memory_format("%s.XXXXXX", path);
    int descriptor = -1, number = 0;
    if (getrandom(token->bytes, TOKEN_BYTES, 0) != TOKEN_BYTES || (descriptor = mkostemp(temporary, O_CLOEXEC)) < 0) {
        number = errno;
    } else {
        to_text(token, text);
        if (write(descriptor, text, TEXT_LENGTH) != TEXT_LENGTH || rename(temporary, path)) {
            number = errno;
            unlink(temporary);
        }
        close(descriptor);
    }
    free(temporary);
    if (number)
        errors_say_errno(number, "token: %s", path);
    return number ? -1 : 0;
}

int token_read(const char *path, struct token *token)
{
    char text[TEXT_LENGTH + 1] = "";
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0 || fstat(descriptor, &status)) {
        errors_say_errno(errno, "token: %s", path);
        if (descriptor >= 0)
            close(descriptor);
        return -1;
    }
    ssize_t length = read(descriptor, text, TEXT_LENGTH);
    close(descriptor);
    if (status.st_mode & 077) {
        errors_say("token: %s: others may read or write it; it must have mode 0600", path);
        return -1;
    }
    for (int i = 0; i < TOKEN_BYTES; i++) {
        if (length < TEXT_LENGTH - 1 || sscanf(text + 2 * i, "%2hhx", &token->bytes[i]) != 1) {
            errors_say("token: %s: is not a token", path);
            return -1;
        }
    }
    return 0;
}

bool token_equal(const void *a, const void *b)
{
    const volatile unsigned char *x = a, *y = b;
    unsigned difference = 0;
    for (int i = 0; i < TOKEN_BYTES; i++)
        difference |= x[i] ^ y[i];
    return !difference;
}
