/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/command.h"

#include "engine/text.h"
#include "scenarios/cli/help.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct place nowhere = {NULL, 0, 0};

bool command_tell(struct command *c)
{
    int code = diagnostics_exit_code(c->d);
    fflush(stdout);
    diagnostics_write(c->d, stderr);
    fflush(stderr);
    if (c->told == 0) {
        c->told = code;
    }
    struct diagnostics *next = diagnostics_new();
    if (next != NULL) {
        diagnostics_free(c->d);
        c->d = next;
    } else {
        c->told = EXIT_FAILED;
    }
    return c->told == 0;
}

void command_complain(struct command *c, enum diagnostic_kind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(c->d, kind, nowhere, format, args);
    va_end(args);
}

void command_print(const char *text)
{
    struct text visible;
    text_init(&visible, 0);
    text_add_visible(&visible, text, strlen(text));
    fputs(visible.data, stdout);
    text_release(&visible);
}

/* A result file must never take the number of a closed standard stream: what is printed would land
 * in it. Standing in is read only, so that printing fails and is told. */
static bool open_standard_streams(void)
{
    int fd;
    do {
        fd = open("/dev/null", O_RDONLY);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    return fd >= 0 && close(fd) == 0;
}

/* By the environment's own words: the C library is left in the locale "C", so that numbers are
 * printed the same everywhere. */
static bool locale_is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        if (value == NULL || value[0] == '\0') {
            continue;
        }
        char flat[64];
        size_t length = 0;
        for (; *value != '\0' && length + 1 < sizeof flat; value++) {
            if (*value != '-') {
                flat[length++] = (char)tolower((unsigned char)*value);
            }
        }
        flat[length] = '\0';
        return strstr(flat, "utf8") != NULL;
    }
    return false;
}

static int run_verb(struct command *c)
{
    const struct arguments *a = c->arguments;
    if (a->value[OPTION_VERSION] != NULL) {
        return cmd_version(c);
    }
    if (a->value[OPTION_HELP] != NULL) {
        return a->verb == NULL ? help_print_program(stdout) : help_print_verb(stdout, a->verb);
    }
    if (a->verb == NULL) {
        help_print_program(stderr);
        return EXIT_USAGE;
    }
    return a->verb->run(c);
}

static int finish(struct command *c, int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "cannot write to standard output: %s",
                         strerror(errno != 0 ? errno : EIO));
    }
    command_tell(c);
    return c->told != 0 ? c->told : code;
}

int command_main(int argc, char *const *argv)
{
    struct arguments arguments;
    struct command c = {.arguments = &arguments, .ascii = !locale_is_utf8()};
    if (!open_standard_streams()) {
        return EXIT_FAILED;
    }
    c.arena = arena_new(0);
    c.d = diagnostics_new();
    if (c.arena == NULL || c.d == NULL) {
        fputs("fleetcast: error: out of memory\n", stderr);
        arena_free(c.arena);
        diagnostics_free(c.d);
        return EXIT_FAILED;
    }
    int code = EXIT_USAGE;
    if (arguments_parse(&arguments, c.arena, argc, argv, c.d)) {
        c.quiet = arguments.value[OPTION_QUIET] != NULL;
        code = run_verb(&c);
    }
    code = finish(&c, code);
    diagnostics_free(c.d);
    arena_free(c.arena);
    return code;
}
