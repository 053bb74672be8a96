/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/simulation_rating.h"

#include "models/billing/other_charges.h"
#include "models/billing/owned_charges.h"
#include "models/billing/rating.h"
#include "models/billing/window_charges.h"
#include "scenarios/study/cost_sharing.h"
#include "scenarios/study/level_rating.h"

#include <math.h>
#include <string.h>

static struct bill *bill_shared(const struct simulation *s)
{
    return &s->bills[s->study->workload_count];
}

struct bill *simulation_bill_of_all(const struct simulation *s)
{
    return &s->bills[s->study->workload_count + 1];
}

static void clear_bills(struct simulation *s, const struct rating_frame *frame)
{
    for (size_t row = 0; row < s->study->workload_count + 2; row++) {
        s->bills[row].month = s->months + row * frame->months;
        s->bills[row].by_month = s->by_month + row * BILL_ROWS * frame->months;
        s->bills[row].other = s->others + row * frame->others;
        bill_clear(&s->bills[row], frame);
    }
}

/* What is charged of all on-demand records, before commitments. */
static money_t charged_on_demand(const struct simulation *s)
{
    money_t charged = 0;
    for (size_t row = 0; row < s->study->workload_count; row++) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            (void)money_add(&charged, s->bills[row].line[PURCHASE_ON_DEMAND][a]);
        }
    }
    return charged;
}

static struct covered_discount discount_of(const struct simulation *s)
{
    return (struct covered_discount){.of_pool = other_charges_discounts(s->charges),
                                     .whole = SHARE_WHOLE,
                                     .given = other_charges_discounted(s->charges),
                                     .item = s->study->charges.discount_item};
}

/* What commitments cover and cost is nobody's in particular. */
static enum matched_status rate_commitments(struct simulation *s, size_t strategy,
                                            const struct charge_world *w)
{
    struct committed *committed = s->casts[strategy].committed;
    const struct covered_discount discount = discount_of(s);
    if (committed != NULL && !committed_begin(committed, s->market, w->drawn, w->signed_until_us)) {
        return MATCHED_NO_MEMORY;
    }
    return committed == NULL
               ? MATCHED_OK
               : committed_rate(committed, w->frame, s->market, &s->usage, charged_on_demand(s),
                                discount.item == SIZE_MAX ? NULL : &discount, bill_shared(s),
                                w->spend_units);
}

/* The same usage at other levels of commitment. */
static bool rate_levels(struct simulation *s, size_t strategy, const struct charge_world *w,
                        money_t apart, struct level_cell *cells)
{
    struct rating_frame frame = *w->frame;
    struct level_world world = {.charges = *w, .on_demand = charged_on_demand(s), .apart = apart};
    const struct covered_discount discount = discount_of(s);
    frame.buckets = 0;
    world.charges.frame = &frame;
    world.charges.spend_units = NULL;
    world.charges.sink = NULL;
    world.discount = discount.item == SIZE_MAX ? NULL : &discount;
    enum matched_status status = level_rating_rate(s->levels, strategy, s->charges, &world, cells);
    return status == MATCHED_OK ||
           simulation_refuse(
               s, "%s for another level of the commitments of strategy '%s' in replication %u",
               status == MATCHED_NO_MEMORY ? "out of memory"
                                           : "more than can be counted is charged",
               study_strategy_name(s->study, strategy), s->world.replication);
}

/* Last of all: neither support nor tax is taken on it. The bill of all serves as scratch. Returns
 * what it costs. */
static money_t rate_owned(struct simulation *s, const struct study_strategy *made,
                          const struct charge_world *w)
{
    const struct owned_world world = {
        .frame = w->frame, .log = w->log, .drawn = w->drawn, .spend_units = w->spend_units};
    const money_t before = bill_shared(s)->cost;
    for (size_t i = 0; i < made->owned_count; i++) {
        owned_charges_rate(&made->owned[i], &world, simulation_bill_of_all(s), bill_shared(s));
    }
    bill_clear(simulation_bill_of_all(s), w->frame);
    return bill_shared(s)->cost - before; /* both fit, or the bill is refused */
}

/* The bill of all; false when it cannot be counted. */
static bool sum_bills(struct simulation *s, size_t strategy, const struct rating_frame *frame)
{
    struct bill *all = simulation_bill_of_all(s);
    for (size_t row = 0; row <= s->study->workload_count; row++) {
        bill_add(all, &s->bills[row], frame);
    }
    return !all->overflow ||
           simulation_refuse(
               s,
               "the cost of strategy '%s' in replication %u passes 9.2 billion %s, more than "
               "can be counted exactly",
               study_strategy_name(s->study, strategy), s->world.replication,
               s->study->scenario->currency);
}

/* Who cancels a project signs nothing for it any more. A world in which all work was done before
 * is not cancelled. */
static int64_t signed_until_us(const struct simulation *s)
{
    const double cancel_s = project_cancel_s(&s->study->project, s->drawn);
    for (size_t w = 0; w < s->study->workload_count; w++) {
        if (s->works[w].cancelled) {
            return microseconds(cancel_s);
        }
    }
    return INT64_MAX;
}

/* Records that are alike follow each other when nodes came and went together but not side by side:
 * to the nano-unit their bill is that of one record for all of their nodes. Not so the rows over
 * time, which are sums of doubles: these take one by one, so that their order stays. */
static void rate_nodes(struct simulation *s, const struct rating_frame *frame,
                       const struct simulation_outputs *out)
{
    const struct usage_log *log = &s->usage;
    const bool join = out->spend_units == NULL && out->nodes == NULL;
    for (size_t i = 0; i < log->count;) {
        const struct usage *u = &log->records[i];
        struct usage joined;
        for (i++; join && i < log->count && usage_alike(u, &log->records[i]); i++) {
            if (u != &joined) {
                joined = *u;
                u = &joined;
            }
            joined.twins += 1 + log->records[i].twins;
        }
        rating_rate(frame, s->market, u, &s->bills[u->workload], out->spend_units, out->nodes);
    }
}

/* Rates all records and all that is charged beside them: into a bill for each workload, one for
 * what they share, and their sum. */
bool simulation_rate(struct simulation *s, size_t strategy, const struct simulation_outputs *out)
{
    const struct study *study = s->study;
    struct rating_frame frame = study->frame;
    frame.buckets = out->buckets;
    frame.bucket_us = out->bucket_us;
    clear_bills(s, &frame);
    rate_nodes(s, &frame, out);
    const struct study_strategy *made = &study->strategies[strategy];
    s->signed_until_us = signed_until_us(s);
    struct charge_world world = {.frame = &frame,
                                 .market = s->market,
                                 .log = &s->usage,
                                 .works = s->works,
                                 .windows = made->windows,
                                 .window_count = made->window_count,
                                 .signed_until_us = s->signed_until_us,
                                 .submit_s = s->submit_s,
                                 .drawn = s->drawn,
                                 .spend_units = out->spend_units,
                                 .sink = s->sharing == NULL || out->holders == NULL
                                             ? out->charges
                                             : cost_sharing_begin(s->sharing, out->charges)};
    if (!other_charges_rate(s->charges, &world, s->bills) ||
        !window_charges_rate(s->windows, &frame, s->market, made->windows, made->window_count,
                             s->signed_until_us, &s->usage, bill_shared(s), out->spend_units)) {
        return simulation_refuse(s, "out of memory for the bill of strategy '%s'",
                                 study_strategy_name(study, strategy));
    }
    if (out->levels != NULL && !level_rating_hold(s->levels, s->bills, s->charges)) {
        return simulation_refuse(s, "out of memory for the levels of commitment of strategy '%s'",
                                 study_strategy_name(study, strategy));
    }
    enum matched_status status = rate_commitments(s, strategy, &world);
    if (status != MATCHED_OK) {
        return simulation_refuse(s, "%s for the commitments of strategy '%s' in replication %u",
                                 status == MATCHED_TOO_MANY
                                     ? "more than a million nodes run at once, too many"
                                     : "out of memory",
                                 study_strategy_name(study, strategy), s->world.replication);
    }
    const struct committed *committed = s->casts[strategy].committed;
    if (committed != NULL) {
        world.commitments = committed_items(committed);
        world.commitment_count = made->commitments.count;
    }
    if (!other_charges_shares(s->charges, &world, s->bills)) {
        return simulation_refuse(s, "out of memory for the bill of strategy '%s'",
                                 study_strategy_name(study, strategy));
    }
    const money_t owned = rate_owned(s, made, &world);
    if (!sum_bills(s, strategy, &frame)) {
        return false;
    }
    if (s->sharing != NULL && out->holders != NULL &&
        !cost_sharing_end(s->sharing, strategy, s->bills, s->works, &s->usage,
                          s->casts[strategy].committed, s->drawn, out->holders)) {
        return simulation_refuse(s,
                                 "the cost of strategy '%s' could not be split in replication %u",
                                 study_strategy_name(study, strategy), s->world.replication);
    }
    return out->levels == NULL || rate_levels(s, strategy, &world, owned, out->levels);
}
