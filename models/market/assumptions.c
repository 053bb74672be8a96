/* SPDX-License-Identifier: GPL-3.0-or-later
 * Kept in the order in which they were made; a linear search finds repetitions, since there are
 * tens of them, not thousands. */
#include "models/market/assumptions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 0))) static const char *format_value(struct arena *arena,
                                                                      const char *format,
                                                                      va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    char *value = length < 0 ? NULL : arena_alloc(arena, (size_t)length + 1);
    if (value != NULL) {
        vsnprintf(value, (size_t)length + 1, format, again);
    }
    va_end(again);
    return value;
}

static bool grow(struct assumptions *a)
{
    size_t capacity = a->capacity == 0 ? 16 : 2 * a->capacity;
    struct assumption *items = arena_array(a->arena, capacity, sizeof *items);
    if (items == NULL) {
        return false;
    }
    if (a->count > 0) {
        memcpy(items, a->items, a->count * sizeof *items);
    }
    a->items = items;
    a->capacity = capacity;
    return true;
}

void assumptions_add(struct assumptions *a, bool extrapolated, const char *source, const char *what,
                     const char *value_format, ...)
{
    if (a == NULL) {
        return;
    }
    va_list args;
    va_start(args, value_format);
    const char *value = format_value(a->arena, value_format, args);
    va_end(args);
    if (value == NULL) {
        return;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (strcmp(a->items[i].what, what) == 0 && strcmp(a->items[i].value, value) == 0) {
            return;
        }
    }
    if (a->count == a->capacity && !grow(a)) {
        return;
    }
    struct assumption one = {
        .what = arena_string(a->arena, what),
        .value = value,
        .source = arena_string(a->arena, source == NULL ? "default" : source),
        .extrapolated = extrapolated,
    };
    if (one.what != NULL && one.source != NULL) {
        a->items[a->count++] = one;
    }
}
