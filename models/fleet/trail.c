/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/trail.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char *const trail_state_names[] = {"none",    "idle", "gather",     "boot",  "down", "resize",
                                         "restore", "work", "checkpoint", "saved", NULL};
static_assert(sizeof trail_state_names / sizeof trail_state_names[0] == TRAIL_STATES + 1,
              "a name for each state");
const char *const trail_mark_names[] = {
    "checkpoint-written", "interrupted", "failed", "done", "cut", NULL};
static_assert(sizeof trail_mark_names / sizeof trail_mark_names[0] == TRAIL_MARKS + 1,
              "a name for each mark");

struct trail_item {
    struct trail_entry entry;
    size_t number; /* as they came: qsort is not stable everywhere */
};

struct trail {
    struct trail_item *entries;
    size_t count, capacity, limit, dropped;
    struct trail_entry *open; /* by workload: the stretch under way */
    size_t workloads;
};

struct trail *trail_new(size_t limit)
{
    struct trail *t = calloc(1, sizeof *t);
    if (t != NULL) {
        t->limit = limit;
    }
    return t;
}

void trail_free(struct trail *t)
{
    if (t != NULL) {
        free(t->entries);
        free(t->open);
        free(t);
    }
}

static bool reserve(struct trail *t)
{
    if (t->count < t->capacity) {
        return true;
    }
    size_t capacity = t->capacity == 0 ? 64 : 2 * t->capacity;
    capacity = capacity < t->limit ? capacity : t->limit;
    struct trail_item *grown =
        t->count < t->limit ? realloc(t->entries, capacity * sizeof *grown) : NULL;
    if (grown == NULL) {
        return false;
    }
    t->entries = grown;
    t->capacity = capacity;
    return true;
}

static void add(struct trail *t, struct trail_entry entry)
{
    if (!reserve(t)) {
        t->dropped++;
        return;
    }
    t->entries[t->count] = (struct trail_item){entry, t->count};
    t->count++;
}

/* NULL when out of memory. */
static struct trail_entry *open_of(struct trail *t, uint32_t workload)
{
    if (workload >= t->workloads) {
        struct trail_entry *grown = realloc(t->open, ((size_t)workload + 1) * sizeof *grown);
        if (grown == NULL) {
            return NULL;
        }
        memset(grown + t->workloads, 0, (workload + 1 - t->workloads) * sizeof *grown);
        t->open = grown;
        t->workloads = (size_t)workload + 1;
    }
    return &t->open[workload];
}

/* What lasts no time, or is nothing, is not kept. */
static void close_stretch(struct trail *t, struct trail_entry *open, double end_s)
{
    if (open->state != TRAIL_NONE && end_s > open->start_s) {
        open->end_s = end_s;
        add(t, *open);
    }
    open->state = TRAIL_NONE;
}

void trail_enter(struct trail *t, double now_s, uint32_t workload, enum trail_state state, int pool,
                 uint32_t nodes)
{
    struct trail_entry *open = t == NULL ? NULL : open_of(t, workload);
    if (t != NULL && open == NULL) {
        t->dropped++;
    }
    if (open == NULL || (open->state == state && open->pool == pool && open->nodes == nodes)) {
        return;
    }
    close_stretch(t, open, now_s);
    *open = (struct trail_entry){
        .start_s = now_s, .workload = workload, .state = state, .pool = pool, .nodes = nodes};
}

void trail_mark(struct trail *t, double at_s, uint32_t workload, enum trail_mark mark, int pool)
{
    if (t != NULL) {
        add(t, (struct trail_entry){.start_s = at_s,
                                    .end_s = at_s,
                                    .workload = workload,
                                    .is_mark = true,
                                    .mark = mark,
                                    .pool = pool});
    }
}

static int by_time(const void *a, const void *b)
{
    const struct trail_item *x = a, *y = b;
    const struct trail_entry *e = &x->entry, *f = &y->entry;
    if (e->workload != f->workload) {
        return e->workload < f->workload ? -1 : 1;
    }
    if (e->start_s < f->start_s || e->start_s > f->start_s) {
        return e->start_s < f->start_s ? -1 : 1;
    }
    if (e->is_mark != f->is_mark) {
        return e->is_mark ? 1 : -1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

void trail_close(struct trail *t, double end_s)
{
    for (size_t w = 0; t != NULL && w < t->workloads; w++) {
        close_stretch(t, &t->open[w], end_s);
    }
    if (t != NULL && t->count > 1) {
        qsort(t->entries, t->count, sizeof *t->entries, by_time);
    }
}

size_t trail_count(const struct trail *t)
{
    return t == NULL ? 0 : t->count;
}

size_t trail_dropped(const struct trail *t)
{
    return t == NULL ? 0 : t->dropped;
}

const struct trail_entry *trail_at(const struct trail *t, size_t index)
{
    return index < trail_count(t) ? &t->entries[index].entry : NULL;
}
