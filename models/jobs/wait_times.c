/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/wait_times.h"

#include "engine/double_sort.h"

#include <math.h>
#include <stdlib.h>

void times_list_release(struct times_list *t)
{
    free(t->items);
    free(t->spare);
    *t = (struct times_list){0};
}

bool times_list_add(struct times_list *t, double s)
{
    if (t->count == t->capacity) {
        size_t capacity = t->capacity == 0 ? 256 : 2 * t->capacity;
        double *items = realloc(t->items, capacity * sizeof *items);
        if (items == NULL) {
            return false;
        }
        t->items = items;
        double *spare = realloc(t->spare, capacity * sizeof *spare);
        if (spare == NULL) {
            return false;
        }
        t->spare = spare;
        t->capacity = capacity;
    }
    t->items[t->count++] = s;
    return true;
}

static double mean(const struct times_list *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->count; i++) {
        sum += t->items[i];
    }
    return t->count == 0 ? 0 : sum / (double)t->count;
}

/* Of a sorted list. */
static double quantile(const struct times_list *t, double p)
{
    if (t->count == 0) {
        return 0;
    }
    double rank = ceil(p * (double)t->count - 1e-9);
    size_t index = rank < 1 ? 0 : (size_t)rank - 1;
    return t->items[index < t->count ? index : t->count - 1];
}

void wait_times_tell(struct times_list *waits, struct times_list *turnarounds,
                     struct work_queue *queue)
{
    if (waits->count > 0) {
        double_sort(waits->items, waits->spare, waits->count);
    }
    if (turnarounds->count > 0) {
        double_sort(turnarounds->items, turnarounds->spare, turnarounds->count);
    }
    queue->wait_mean_s = mean(waits);
    queue->wait_p50_s = quantile(waits, 0.5);
    queue->wait_p95_s = quantile(waits, 0.95);
    queue->wait_max_s = waits->count == 0 ? 0 : waits->items[waits->count - 1];
    queue->turnaround_mean_s = mean(turnarounds);
    queue->turnaround_p95_s = quantile(turnarounds, 0.95);
    queue->waited = 0;
    for (size_t i = waits->count; i > 0 && waits->items[i - 1] > 0; i--) {
        queue->waited++;
    }
}
