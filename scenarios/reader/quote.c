/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/quote.h"

#include "engine/text.h"

#include <stddef.h>

enum { LONGEST_QUOTE = 60, LONGEST_LIST = 1000 };

/* Moves the text into the arena and releases it. */
static const char *settle(struct arena *a, struct text *t)
{
    const char *copy = arena_copy(a, t->data, t->length);

    text_release(t);
    return copy == NULL ? "'...'" : copy;
}

const char *quote(struct arena *a, const char *text)
{
    struct text t;

    text_init(&t, 0);
    text_add(&t, "'");
    text_add_visible(&t, text, LONGEST_QUOTE);
    text_add(&t, "'");
    return settle(a, &t);
}

const char *quote_choices(struct arena *a, const char *const *choices)
{
    struct text t;

    text_init(&t, LONGEST_LIST);
    for (size_t i = 0; choices[i] != NULL; i++) {
        if (i > 0)
            text_add(&t, choices[i + 1] == NULL ? " or " : ", ");
        text_format(&t, "'%s'", choices[i]);
    }
    return settle(a, &t);
}
