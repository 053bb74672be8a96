/* SPDX-License-Identifier: GPL-3.0-or-later
 * The event log of one world. Entries come nearly in order of time, but not quite (a job tells the
 * end of a checkpoint when it plans it), so they are numbered as they come and sorted once, by time
 * and then by number: a sort that is stable whatever the C library's qsort is. Texts lie in one
 * arena. Beyond the limit nothing is kept but the count. */
#include "models/fleet/journal.h"

#include "engine/arena.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 64,
    TEXT_SIZE = 1024 /* a longer text is cut */
};

struct numbered {
    struct journal_entry entry;
    size_t number;
};

struct journal {
    struct arena *texts;
    struct numbered *entries;
    size_t count, capacity, limit, dropped;
};

struct journal *journal_new(size_t limit)
{
    struct journal *j = calloc(1, sizeof *j);
    if (!j) {
        return NULL;
    }
    j->limit = limit;
    j->texts = arena_new(0); /* capped by limit × TEXT_SIZE */
    if (!j->texts) {
        free(j);
        return NULL;
    }
    return j;
}

void journal_free(struct journal *j)
{
    if (!j) {
        return;
    }
    arena_free(j->texts);
    free(j->entries);
    free(j);
}

static bool reserve(struct journal *j)
{
    if (j->count < j->capacity) {
        return true;
    }
    if (j->count >= j->limit) {
        return false;
    }
    size_t capacity = j->capacity > 0 ? 2 * j->capacity : FIRST_CAPACITY;
    if (capacity > j->limit) {
        capacity = j->limit;
    }
    if (capacity > SIZE_MAX / sizeof *j->entries) {
        return false;
    }
    struct numbered *entries = realloc(j->entries, capacity * sizeof *entries);
    if (!entries) {
        return false;
    }
    j->entries = entries;
    j->capacity = capacity;
    return true;
}

/* Ends a text that did not fit with an ellipsis, never inside a UTF-8 sequence. */
static size_t cut(char text[TEXT_SIZE])
{
    static const char ellipsis[] = "…";
    size_t length = TEXT_SIZE - sizeof ellipsis;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) {
        length--;
    }
    memcpy(text + length, ellipsis, sizeof ellipsis);
    return length + sizeof ellipsis - 1;
}

void(journal_add)(struct journal *j, double time_s, uint32_t workload, const char *format, ...)
{
    if (!j) {
        return;
    }
    if (!isfinite(time_s) || !reserve(j)) {
        j->dropped++;
        return;
    }
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t length = 0;
    if (written > 0) {
        length = (size_t)written < sizeof text ? (size_t)written : cut(text);
    }
    const char *what = written < 0 ? NULL : arena_copy(j->texts, text, length);
    if (!what) {
        j->dropped++;
        return;
    }
    j->entries[j->count] = (struct numbered){
        .entry = {.time_s = time_s, .workload = workload, .what = what},
        .number = j->count,
    };
    j->count++;
}

size_t journal_count(const struct journal *j)
{
    return j ? j->count : 0;
}

size_t journal_dropped(const struct journal *j)
{
    return j ? j->dropped : 0;
}

static int by_time_then_number(const void *left, const void *right)
{
    const struct numbered *a = left, *b = right;
    if (a->entry.time_s < b->entry.time_s) {
        return -1;
    }
    if (a->entry.time_s > b->entry.time_s) {
        return 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

void journal_sort(struct journal *j)
{
    if (j && j->count > 1) {
        qsort(j->entries, j->count, sizeof *j->entries, by_time_then_number);
    }
}

const struct journal_entry *journal_at(const struct journal *j, size_t index)
{
    return j && index < j->count ? &j->entries[index].entry : NULL;
}
