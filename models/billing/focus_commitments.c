/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/focus_commitments.h"

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static enum focus_party party_of(const struct focus_making *m, size_t k)
{
    return k < m->w->plan->count ? FOCUS_PLAN : FOCUS_EXISTING;
}

/* ---- commitments ---- */

static void put_purchases(struct focus_making *m, size_t k)
{
    const struct commitment *c = &matched_items(m->w->matched)[k];
    const bool existing = party_of(m, k) == FOCUS_EXISTING;
    int64_t end_us = sooner(c->end_us, m->w->frame->horizon_us);
    /* Of one from before the plan the cost an hour is known, and what of it is still billed. */
    struct commitment paid = *c;
    if (existing) {
        paid.recurring_per_hour = m->w->plan->account->billed_per_hour[k - m->w->plan->count];
    }
    struct focus_row row = {.commitment = k,
                            .item = SIZE_MAX,
                            .party = party_of(m, k),
                            .payer = m->w->charges->workload_count,
                            .from_us = existing && c->start_us < 0 ? 0 : c->start_us};
    if (c->start_us < m->w->frame->horizon_us && c->upfront > 0 && !existing) {
        row.kind = FOCUS_UPFRONT;
        row.to_us = c->start_us + HOUR_US;
        row.billed = row.list = row.contracted = c->upfront;
        row.units_us = c->count * (c->end_us - c->start_us);
        focus_put(m, &row);
    }
    row.kind = FOCUS_RECURRING;
    while (row.from_us < end_us && paid.recurring_per_hour > 0 && m->end == FOCUS_DONE) {
        row.to_us = sooner(end_us, focus_next_cut_us(m, row.from_us));
        row.billed = commitment_paid(&paid, row.from_us, row.to_us) -
                     (row.from_us == c->start_us ? c->upfront : 0);
        row.per_hour = paid.recurring_per_hour;
        row.list = row.contracted = row.billed;
        row.used_us = row.to_us - row.from_us;
        row.units_us = c->count * row.used_us;
        if (row.billed > 0) {
            focus_put(m, &row);
        }
        row.from_us = row.to_us;
    }
}

/* In a stretch in which nothing at all is used. */
static void put_idle(struct focus_making *m, size_t k, int64_t from_us, int64_t to_us)
{
    const struct commitment *c = &matched_items(m->w->matched)[k];
    from_us = from_us > c->start_us ? from_us : c->start_us;
    from_us = from_us < 0 && party_of(m, k) == FOCUS_EXISTING ? 0 : from_us;
    to_us = sooner(sooner(to_us, c->end_us), m->w->frame->horizon_us);
    while (from_us < to_us && m->end == FOCUS_DONE) {
        int64_t until_us = sooner(to_us, focus_next_cut_us(m, from_us));
        struct focus_row row = {.kind = FOCUS_UNUSED,
                                .commitment = k,
                                .party = party_of(m, k),
                                .item = SIZE_MAX,
                                .payer = m->w->charges->workload_count,
                                .from_us = from_us,
                                .to_us = until_us,
                                .units_us = c->count * (until_us - from_us),
                                .effective = commitment_amortised(c, from_us, until_us)};
        if (row.effective > 0) {
            focus_put(m, &row);
        }
        from_us = until_us;
    }
}

void focus_put_commitment(struct focus_making *m, size_t k)
{
    const struct commitment *c = &matched_items(m->w->matched)[k];
    const struct focus_unused *unused = m->hours.unused;
    if (!commitment_is_reserved(c) && !commitment_is_savings_plan(c)) {
        focus_fail(m, FOCUS_WRONG);
        return;
    }
    put_purchases(m, k);
    put_idle(m, k, INT64_MIN, 0);
    for (size_t i = 0; i < m->hours.unused_count && m->end == FOCUS_DONE; i++) {
        if (unused[i].commitment == k) {
            struct focus_row row = {.kind = FOCUS_UNUSED,
                                    .commitment = k,
                                    .party = party_of(m, k),
                                    .item = SIZE_MAX,
                                    .payer = m->w->charges->workload_count,
                                    .from_us = unused[i].from_us,
                                    .to_us = unused[i].to_us,
                                    .units_us = unused[i].units_us,
                                    .effective = unused[i].money};
            focus_put(m, &row);
        }
    }
    put_idle(m, k, m->hours.until_us, INT64_MAX);
}
