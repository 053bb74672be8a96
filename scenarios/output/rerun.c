/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/rerun.h"

#include <string.h>

/* Beside the result directory, which a run must not write into. */
#define OUTPUT "../rerun"

#define START "fleetcast run"

/* What needs no quotes. */
static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_-+./,:=@%";

/* As one word of a POSIX shell (XCU 2.2.2): in single quotes only the single quote is special. */
static void add_word(struct text *out, const char *word)
{
    if (word[0] != '\0' && strspn(word, plain) == strlen(word)) {
        text_add(out, word);
        return;
    }
    text_add(out, "'");
    for (const char *quote; (quote = strchr(word, '\'')) != NULL; word = quote + 1) {
        text_add_bytes(out, word, (size_t)(quote - word));
        text_add(out, "'\\''");
    }
    text_add(out, word);
    text_add(out, "'");
}

static void add_option(struct text *out, const char *option, const char *value)
{
    text_format(out, " %s ", option);
    add_word(out, value);
}

/* As a YAML scalar in single quotes, in which only the single quote is special. */
static void add_scalar(struct text *out, const char *value)
{
    text_add(out, "'");
    for (; *value != '\0'; value++) {
        text_add_bytes(out, value, 1);
        if (*value == '\'') {
            text_add(out, "'");
        }
    }
    text_add(out, "'");
}

/* Where a price file lies, seen from the scenarios. */
static const char *seen_from(const struct input_copies *c, const struct input_copy *i)
{
    return i->moved ? i->copy + strlen(c->folder) : i->name;
}

/* All price files in their order, when one of them lies elsewhere. */
static void add_price_files(struct text *out, const struct input_copies *c)
{
    struct text set;
    bool moved = false;
    text_init(&set, 0);
    text_add(&set, "price_files=[");
    const char *comma = "";
    for (size_t k = 0; k < c->count; k++) {
        const struct input_copy *i = &c->items[k];
        if (i->kind == INPUT_PRICES) {
            moved = moved || i->moved;
            text_add(&set, comma);
            add_scalar(&set, seen_from(c, i));
            comma = ", ";
        }
    }
    text_add(&set, "]");
    if (moved) {
        add_option(out, "--set", set.data);
    }
    out->overflow = out->overflow || set.overflow;
    text_release(&set);
}

void rerun_command(struct text *out, const struct input_copies *c, const struct rerun_request *r)
{
    text_add(out, START);
    for (size_t k = 0; k < c->count; k++) {
        const struct input_copy *i = &c->items[k];
        if (i->kind == INPUT_SCENARIO) {
            struct text path;
            text_init(&path, 0);
            text_format(&path, "inputs/%s", i->copy);
            text_add(out, " ");
            add_word(out, path.data);
            out->overflow = out->overflow || path.overflow;
            text_release(&path);
        }
    }
    for (size_t k = 0; k < r->set_count; k++) {
        add_option(out, "--set", r->sets[k]);
    }
    add_price_files(out, c);
    for (size_t k = 0; k < r->strategy_count; k++) {
        add_option(out, "--strategy", r->strategies[k]);
    }
    if (r->replications > 0) {
        text_format(out, " --replications %u", r->replications);
    }
    add_option(out, "-o", OUTPUT);
}

/* ---- taken apart ---- */

/* The next word, unquoted, into *word (of at least strlen(s) + 1 bytes); behind it, or NULL when it
 * is none that add_word writes. */
static const char *next_word(const char *s, char *word)
{
    while (*s != '\0' && *s != ' ') {
        if (*s == '\'') {
            const char *end = strchr(s + 1, '\'');
            if (end == NULL) {
                return NULL;
            }
            word = mempcpy(word, s + 1, (size_t)(end - s - 1));
            s = end + 1;
        } else if (*s == '\\' && s[1] == '\'') {
            *word++ = '\'';
            s += 2;
        } else if (strchr(plain, *s) != NULL) {
            *word++ = *s++;
        } else {
            return NULL;
        }
    }
    *word = '\0';
    return s;
}

char **rerun_words(struct arena *a, const char *command, size_t *count)
{
    size_t length = strlen(command);
    char *bytes = arena_alloc(a, length + 1);
    char **words = arena_array(a, length / 2 + 2, sizeof *words);
    *count = 0;
    if (bytes == NULL || words == NULL || strncmp(command, START, strlen(START)) != 0) {
        return NULL;
    }
    for (const char *s = command; s != NULL && *s != '\0';) {
        words[(*count)++] = bytes;
        s = next_word(s, bytes);
        if (s == NULL) {
            return NULL;
        }
        bytes += strlen(bytes) + 1;
        s += *s == ' ';
    }
    return words;
}
