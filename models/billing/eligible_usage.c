/* SPDX-License-Identifier: GPL-3.0-or-later
 * See eligible_usage.h. */
#include "models/billing/eligible_usage.h"

#include <stdlib.h>
#include <string.h>

struct eligible_usage {
    const struct commitment_plan *plan;
    size_t slots;
    bool *meets; /* commitment × slot */
};

struct eligible_usage *eligible_usage_new(const struct commitment_plan *plan)
{
    struct eligible_usage *e = calloc(1, sizeof *e);
    if (e == NULL) {
        return NULL;
    }
    e->plan = plan;
    e->slots = coverage_slots(plan->coverage);
    e->meets = calloc(plan->count * e->slots + 1, sizeof *e->meets);
    if (e->meets == NULL) {
        eligible_usage_free(e);
        return NULL;
    }
    for (size_t k = 0; k < plan->count; k++) {
        for (size_t slot = 0; slot < e->slots; slot++) {
            e->meets[k * e->slots + slot] = coverage_reach(plan->coverage, k, slot) > 0;
        }
    }
    return e;
}

void eligible_usage_free(struct eligible_usage *e)
{
    if (e != NULL) {
        free(e->meets);
        free(e);
    }
}

/* The start of the clock hour that holds the instant. */
static int64_t hour_start(int64_t at_us, int64_t phase_us)
{
    int64_t into_us = (at_us + phase_us) % HOUR_US;
    return at_us - (into_us < 0 ? into_us + HOUR_US : into_us);
}

static int64_t overlap(const struct usage *u, int64_t from_us, int64_t to_us)
{
    int64_t from = u->start_us > from_us ? u->start_us : from_us;
    int64_t to = u->end_us < to_us ? u->end_us : to_us;
    return to > from ? to - from : 0;
}

void eligible_usage_sum(const struct eligible_usage *e, const struct usage_log *log,
                        int64_t start_unix_s, int64_t *sum_us)
{
    const int64_t phase_us = start_unix_s % 3600 * MICROSECONDS;
    memset(sum_us, 0, e->plan->count * sizeof *sum_us);
    for (size_t k = 0; k < e->plan->count; k++) {
        const struct commitment *c = &e->plan->items[k];
        const int64_t from_us = hour_start(c->start_us, phase_us);
        const int64_t to_us = hour_start(c->end_us + HOUR_US - 1, phase_us);
        for (size_t i = 0; i < log->count; i++) {
            const struct usage *u = &log->records[i];
            int slot = e->plan->slot_of_pool[u->pool];
            if (slot >= 0 && e->meets[k * e->slots + (size_t)slot]) {
                sum_us[k] += overlap(u, from_us, to_us) * usage_nodes(u);
            }
        }
    }
}

void eligible_usage_sum_walked(const struct eligible_usage *e, const struct matched_hours *h,
                               int64_t start_unix_s, int64_t *sum_us)
{
    const int64_t phase_us = start_unix_s % 3600 * MICROSECONDS;
    memset(sum_us, 0, e->plan->count * sizeof *sum_us);
    for (size_t k = 0; k < e->plan->count; k++) {
        const struct commitment *c = &e->plan->items[k];
        const int64_t from_us = hour_start(c->start_us, phase_us);
        const int64_t to_us = hour_start(c->end_us + HOUR_US - 1, phase_us);
        for (size_t slot = 0; slot < e->slots; slot++) {
            if (e->meets[k * e->slots + slot] && !e->plan->others[slot]) {
                sum_us[k] += matched_ran_us(h, (uint32_t)slot, from_us, to_us);
            }
        }
    }
}
