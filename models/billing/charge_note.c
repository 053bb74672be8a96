/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/charge_note.h"

#include <stdlib.h>
#include <string.h>

void charge_notes_release(struct charge_notes *n)
{
    free(n->items);
    free(n->measures);
    free(n->first);
    *n = (struct charge_notes){0};
}

static bool room_for_note(struct charge_notes *n)
{
    if (n->count < n->capacity) {
        return true;
    }
    size_t capacity = n->capacity == 0 ? 256 : 2 * n->capacity;
    struct charge_note *items = realloc(n->items, capacity * sizeof *items);
    n->items = items == NULL ? n->items : items;
    size_t *first = realloc(n->first, capacity * sizeof *first);
    n->first = first == NULL ? n->first : first;
    if (items == NULL || first == NULL) {
        return false;
    }
    n->capacity = capacity;
    return true;
}

static bool room_for_measures(struct charge_notes *n, size_t more)
{
    if (n->measure_count + more <= n->measure_capacity) {
        return true;
    }
    size_t capacity = 2 * n->measure_capacity + more + 256;
    struct charge_measure *grown = realloc(n->measures, capacity * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    n->measures = grown;
    n->measure_capacity = capacity;
    return true;
}

void charge_notes_take(void *context, const struct charge_note *note)
{
    struct charge_notes *n = context;
    if (n->failed || n->count == CHARGE_NOTES_MAX || !room_for_note(n) ||
        !room_for_measures(n, note->measure_count)) {
        n->failed = true;
        return;
    }
    if (note->measure_count > 0) {
        memcpy(n->measures + n->measure_count, note->measures,
               note->measure_count * sizeof *note->measures);
    }
    n->items[n->count] = *note;
    n->items[n->count].measures = NULL;
    n->first[n->count++] = n->measure_count;
    n->measure_count += note->measure_count;
}

struct charge_note charge_notes_at(const struct charge_notes *n, size_t index)
{
    struct charge_note note = n->items[index];
    note.measures = note.measure_count > 0 ? n->measures + n->first[index] : NULL;
    return note;
}
