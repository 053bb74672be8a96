/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/kept_usage.h"

#include <stdlib.h>
#include <string.h>

bool kept_worlds_init(struct kept_worlds *k, size_t count, size_t most_bytes)
{
    k->of = calloc(count + 1, sizeof *k->of);
    k->count = count;
    k->most_bytes = most_bytes;
    atomic_init(&k->bytes, 0);
    return k->of != NULL;
}

static void usage_release(struct kept_usage *u, size_t workloads)
{
    for (size_t w = 0; u->works != NULL && w < workloads; w++) {
        free((void *)u->works[w].queue); /* copies of this module's own */
        free((void *)u->works[w].service);
        free((void *)u->works[w].sessions);
        free((void *)u->works[w].items);
        free((void *)u->works[w].stopped);
    }
    free(u->records);
    free(u->works);
    free(u->submit_s);
    *u = (struct kept_usage){0};
}

void kept_worlds_release(struct kept_worlds *k)
{
    for (size_t i = 0; k->of != NULL && i < k->count; i++) {
        usage_release(&k->of[i], k->of[i].workloads);
    }
    free(k->of);
    k->of = NULL;
    k->count = 0;
}

/* Points *part to a copy of its own; NULL stays NULL. */
static bool own(const void **part, size_t bytes)
{
    if (*part == NULL) {
        return true;
    }
    void *copy = malloc(bytes + 1);
    if (copy != NULL) {
        memcpy(copy, *part, bytes);
    }
    *part = copy;
    return copy != NULL;
}

#define OWN(ok, work, member, n)                                                                   \
    do {                                                                                           \
        const void *part = (work)->member;                                                         \
        ok = own(&part, (n) * sizeof *(work)->member) && (ok);                                     \
        (work)->member = part;                                                                     \
    } while (0)

/* All that a result borrows. What cannot be copied is NULL afterwards, never another's. */
static bool own_parts(struct work_result *work)
{
    bool ok = true;
    OWN(ok, work, queue, 1);
    OWN(ok, work, service, 1);
    OWN(ok, work, sessions, 1);
    OWN(ok, work, items, 1);
    OWN(ok, work, stopped, work->stopped_count);
    return ok;
}

static size_t bytes_of(const struct usage_log *log, const struct work_result *works,
                       size_t workloads)
{
    size_t bytes = log->count * sizeof *log->records;
    for (size_t w = 0; w < workloads; w++) {
        bytes += sizeof *works + sizeof(double) + works[w].stopped_count * sizeof *works->stopped;
        bytes += (works[w].queue != NULL) * sizeof *works->queue +
                 (works[w].service != NULL) * sizeof *works->service +
                 (works[w].sessions != NULL) * sizeof *works->sessions +
                 (works[w].items != NULL) * sizeof *works->items;
    }
    return bytes;
}

static bool can_be_kept(const struct work_result *works, size_t workloads)
{
    for (size_t w = 0; w < workloads; w++) {
        if (works[w].checkpoint_at_s != NULL) {
            return false;
        }
    }
    return true;
}

void kept_worlds_take(struct kept_worlds *k, size_t slot, const struct usage_log *log,
                      const struct work_result *works, const double *submit_s, size_t workloads)
{
    struct kept_usage *u = &k->of[slot];
    const size_t bytes = bytes_of(log, works, workloads);
    if (u->is_there || !can_be_kept(works, workloads)) {
        return;
    }
    if (atomic_fetch_add(&k->bytes, bytes) + bytes > k->most_bytes) {
        atomic_fetch_sub(&k->bytes, bytes);
        return;
    }
    u->workloads = workloads;
    u->records = malloc((log->count + 1) * sizeof *u->records);
    u->works = calloc(workloads + 1, sizeof *u->works);
    u->submit_s = calloc(workloads + 1, sizeof *u->submit_s);
    bool ok = u->records != NULL && u->works != NULL && u->submit_s != NULL;
    if (ok) {
        u->count = log->count;
        if (log->count > 0) {
            memcpy(u->records, log->records, log->count * sizeof *u->records);
        }
        memcpy(u->submit_s, submit_s, workloads * sizeof *u->submit_s);
    }
    for (size_t w = 0; ok && w < workloads; w++) {
        u->works[w] = works[w];
        ok = own_parts(&u->works[w]);
    }
    u->is_there = ok;
    if (!ok) {
        usage_release(u, workloads);
        atomic_fetch_sub(&k->bytes, bytes);
    }
}
