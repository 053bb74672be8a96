/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/kept_volumes.h"

#include "models/billing/charging.h"

#include <stdlib.h>

/* Records of the workload, and when each slot's last node ended (-1: never launched). */
struct volumes {
    const struct usage **records;
    size_t count, slots;
    int64_t *last_end_us;
};

static int compare_starts(const void *left, const void *right)
{
    const struct usage *a = *(const struct usage *const *)left;
    const struct usage *b = *(const struct usage *const *)right;
    if (a->start_us != b->start_us) {
        return a->start_us < b->start_us ? -1 : 1;
    }
    return (a > b) - (a < b); /* both are of one list: its order */
}

static bool gather(struct volumes *v, const struct usage_log *log, size_t workload)
{
    v->records = calloc(log->count + 1, sizeof *v->records);
    if (v->records == NULL) {
        return false;
    }
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        size_t slots = (size_t)u->slot + (size_t)usage_nodes(u);
        if (u->workload == workload && charging_launched(u)) {
            v->records[v->count++] = u;
            v->slots = slots > v->slots ? slots : v->slots;
        }
    }
    v->last_end_us = calloc(v->slots + 1, sizeof *v->last_end_us);
    for (size_t i = 0; v->last_end_us != NULL && i < v->slots; i++) {
        v->last_end_us[i] = -1;
    }
    qsort(v->records, v->count, sizeof *v->records, compare_starts);
    return v->last_end_us != NULL;
}

bool kept_volumes(const struct usage_log *log, size_t workload, int64_t end_us,
                  void (*hold)(void *context, int64_t from_us, int64_t to_us, int64_t count),
                  void *context)
{
    struct volumes v = {0};
    bool ok = gather(&v, log, workload);
    for (size_t i = 0; ok && i <= v.count; i++) {
        /* At last, what is left until the end of the work. */
        const struct usage *u = i < v.count ? v.records[i] : NULL;
        size_t from = u != NULL ? u->slot : 0;
        size_t to = u != NULL ? from + (size_t)usage_nodes(u) : v.slots;
        int64_t until_us = u != NULL ? u->start_us : end_us;
        for (size_t s = from, next; s < to; s = next) {
            int64_t since_us = v.last_end_us[s];
            for (next = s; next < to && v.last_end_us[next] == since_us; next++) {
                if (u != NULL && u->end_us > since_us) {
                    v.last_end_us[next] = u->end_us;
                }
            }
            if (since_us >= 0 && since_us < until_us) {
                hold(context, since_us, until_us, (int64_t)(next - s));
            }
        }
    }
    free(v.records);
    free(v.last_end_us);
    return ok;
}
