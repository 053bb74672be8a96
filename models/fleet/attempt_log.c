/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/attempt_log.h"

#include <stdlib.h>

const char *const attempt_outcome_names[] = {"finished", "stopped",   "lost", "left",
                                             "cut",      "preempted", NULL};

struct attempt_log {
    struct attempt *items;
    size_t count, capacity, limit, dropped;
};

struct attempt_log *attempt_log_new(size_t limit)
{
    struct attempt_log *log = calloc(1, sizeof *log);
    if (log != NULL) {
        log->limit = limit;
    }
    return log;
}

void attempt_log_free(struct attempt_log *log)
{
    if (log != NULL) {
        free(log->items);
        free(log);
    }
}

void attempt_log_clear(struct attempt_log *log)
{
    log->count = log->dropped = 0;
}

static bool grow(struct attempt_log *log)
{
    size_t capacity = log->capacity == 0 ? 64 : 2 * log->capacity;
    struct attempt *grown = realloc(log->items, capacity * sizeof *grown);
    if (grown != NULL) {
        log->items = grown;
        log->capacity = capacity;
    }
    return grown != NULL;
}

void attempt_log_add(struct attempt_log *log, const struct attempt *a)
{
    if (log == NULL) {
        return;
    }
    if (log->count == log->limit || (log->count == log->capacity && !grow(log))) {
        log->dropped++;
        return;
    }
    log->items[log->count++] = *a;
}

size_t attempt_log_count(const struct attempt_log *log)
{
    return log->count;
}

size_t attempt_log_dropped(const struct attempt_log *log)
{
    return log->dropped;
}

static int by_number(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *left, const void *right)
{
    const struct attempt *a = left, *b = right;
    int order = by_number(a->workload, b->workload);
    order = order != 0 ? order : by_number(a->job, b->job);
    return order != 0 ? order : by_number(a->attempt, b->attempt);
}

void attempt_log_sort(struct attempt_log *log)
{
    if (log->count > 0) {
        qsort(log->items, log->count, sizeof *log->items, compare);
    }
}

const struct attempt *attempt_log_at(const struct attempt_log *log, size_t index)
{
    return index < log->count ? &log->items[index] : NULL;
}
