/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/binder_walk.h"

#include "scenarios/reader/quote.h"

enum { ENOUGH_ERRORS = 200 };

size_t binder_push(struct binder_walk *w, const char *part)
{
    const size_t length = w->path.length;

    if (length > 0)
        text_add(&w->path, ".");
    text_add(&w->path, part);
    return length;
}

void binder_pop(struct binder_walk *w, size_t length)
{
    if (w->path.length > length) { /* else memory was out when it was to grow */
        w->path.length = length;
        w->path.data[length] = '\0';
    }
}

bool binder_tell(struct binder_walk *w, struct place where, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    diagnostics_addv(w->b->d, w->is_default ? DIAGNOSTIC_FAILURE : DIAGNOSTIC_ERROR, where, format,
                     args);
    va_end(args);
    return false;
}

bool binder_out_of_memory(struct binder_walk *w, struct place where)
{
    diagnostics_add(w->b->d, DIAGNOSTIC_FAILURE, where, "out of memory");
    return false;
}

const char *binder_in_path(struct binder_walk *w)
{
    const char *text = w->path.length == 0
                           ? ""
                           : arena_format(w->b->arena, " in %s", quote(w->b->arena, w->path.data));

    return text == NULL ? "" : text;
}

bool binder_still_guesses(const struct binder_walk *w)
{
    return diagnostics_count(w->b->d, DIAGNOSTIC_ERROR) < ENOUGH_ERRORS;
}
