/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/training_making.h"

#include <stdio.h>
#include <string.h>

struct place making_place(const struct making *m)
{
    return m->terms.item.place.file != NULL ? m->terms.item.place : m->strategy->item.place;
}

bool making_complain(const struct making *m, enum diagnostic_kind kind, struct place where,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(m->context->diagnostics, kind, where, format, args);
    va_end(args);
    return false;
}

static bool same_place(const struct place *a, const struct place *b)
{
    bool same_file =
        a->file == NULL || b->file == NULL ? a->file == b->file : strcmp(a->file, b->file) == 0;
    return same_file && a->line == b->line && a->column == b->column;
}

/* Diagnostics are few: at most some hundreds are kept. */
static bool is_told(const struct diagnostics *d, const struct place *where, const char *text)
{
    struct place told_at;
    const char *told;
    for (size_t i = 0; (told = diagnostics_text(d, i, NULL, &told_at)) != NULL; i++) {
        if (same_place(&told_at, where) && strcmp(told, text) == 0) {
            return true;
        }
    }
    return false;
}

bool making_complain_once(const struct making *m, enum diagnostic_kind kind, struct place where,
                          const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!is_told(m->context->diagnostics, &where, text)) {
        diagnostics_add(m->context->diagnostics, kind, where, "%s", text);
    }
    return false;
}

const char *making_name(const struct making *m, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *name = arena_string(m->context->arena, text);
    return name != NULL ? name : "";
}
