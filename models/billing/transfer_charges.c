/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/transfer_charges.h"

#include "models/billing/charging.h"

#include "engine/civil_time.h"

#include <math.h>
#include <stdlib.h>

/* Something that moved, at a price in tiers. */
struct moved {
    int64_t at_us, month_unix_s;
    size_t workload, order; /* order: in which it was remembered, for equal times */
    const char *product;
    double gib, before_gib; /* before: what the month had moved until then */
    const struct storage_price *price;
};

struct transfers {
    struct moved *items;
    size_t count, capacity;
    bool failed, sorted;
};

struct transfers *transfers_new(void)
{
    return calloc(1, sizeof(struct transfers));
}

void transfers_free(struct transfers *t)
{
    if (t != NULL) {
        free(t->items);
        free(t);
    }
}

void transfers_clear(struct transfers *t)
{
    t->count = 0;
    t->failed = t->sorted = false;
}

bool transfers_failed(const struct transfers *t)
{
    return t->failed;
}

/* ---- one transfer ---- */

/* Of one item of a workload, under way. */
struct moving {
    struct transfers *t;
    const struct charge_price *price;
    const struct charge_target *target;
    const struct charge_world *world;
    size_t workload;
    const char *product; /* of notes: the route */
    double factor;       /* directions that are charged */
    double gib;
};

static void remember(const struct moving *m, int64_t at_us, double gib)
{
    struct transfers *t = m->t;
    if (t->count == t->capacity) {
        size_t capacity = t->capacity == 0 ? 64 : 2 * t->capacity;
        struct moved *grown = realloc(t->items, capacity * sizeof *grown);
        if (grown == NULL) {
            t->failed = true;
            return;
        }
        t->items = grown;
        t->capacity = capacity;
    }
    t->items[t->count] = (struct moved){
        .at_us = at_us,
        .month_unix_s = civil_month_start(m->world->frame->start_unix_s + at_us / MICROSECONDS),
        .workload = m->workload,
        .order = t->count,
        .product = m->product,
        .gib = gib,
        .price = &m->price->listed,
    };
    t->count++;
}

static void move(const struct moving *m, int64_t at_us, int64_t nodes)
{
    double gib = m->gib * (double)nodes;
    if (m->price->stated == NULL && m->price->listed.tier_count > 1) {
        remember(m, at_us, gib);
        return;
    }
    double price = charge_price_value(m->price, m->world->drawn);
    double units = gib * m->factor * price;
    const struct charge_measure measure = {METER_GB, m->product, gib * m->factor, price};
    struct charge_target target = *m->target;
    target.measures = &measure;
    target.measure_count = 1;
    charge_put(&target, at_us, at_us, charge_money(&target, units));
}

/* ---- when ---- */

static void move_at_launches(const struct moving *m)
{
    const struct usage_log *log = m->world->log;
    for (size_t i = 0; i < log->count; i++) {
        if (log->records[i].workload == m->workload && charging_launched(&log->records[i])) {
            move(m, log->records[i].start_us, usage_nodes(&log->records[i]));
        }
    }
}

/* What a gang has synchronised across zones, once it has ended, out of one and into another. */
static void move_between_zones(struct transfers *t, const struct workload_charges *one,
                               size_t workload, const struct charge_world *w,
                               const struct charge_target *target)
{
    const struct work_result *work = &w->works[workload];
    const struct moving m = {
        .t = t,
        .price = &one->crossing,
        .target = target,
        .world = w,
        .workload = workload,
        .product = transfer_route_names[ROUTE_CROSS_AZ],
        .factor = 2,
        .gib = work->crossed_bytes / STORAGE_GIB_BYTES,
    };
    int64_t end_us = microseconds(work->end_s);
    move(&m, work->finished || end_us == 0 ? end_us : end_us - 1, 1);
}

void transfers_of_workload(struct transfers *t, const struct charge_plan *plan, size_t workload,
                           const struct charge_world *w, const struct charge_target *targets)
{
    const struct workload_charges *one = &plan->workloads[workload];
    const struct transfer_spec *specs = one->data.transfer->items;
    const struct work_result *work = &w->works[workload];
    if (one->data.crosses_zones && work->crossed_bytes > 0) {
        move_between_zones(t, one, workload, w, &targets[ROUTE_CROSS_AZ]);
    }
    int64_t first_us = one->data.transfer->count > 0 ? charging_first_launch(w, workload) : -1;
    for (size_t i = 0; first_us >= 0 && i < one->data.transfer->count; i++) {
        const struct transfer_spec *s = &specs[i];
        struct moving m = {
            .t = t,
            .price = &one->transfer[i],
            .target = &targets[s->route],
            .world = w,
            .workload = workload,
            .product = transfer_route_names[s->route],
            .factor = s->route == ROUTE_CROSS_AZ && !s->per_gb.given ? 2 : 1,
            .gib = number_value(&s->size, w->drawn) / STORAGE_GIB_BYTES,
        };
        if (s->when == TRANSFER_PER_LAUNCH) {
            move_at_launches(&m);
        } else if (s->when == TRANSFER_AT_START) {
            move(&m, first_us, 1);
        } else if (work->finished) {
            move(&m, microseconds(work->end_s), 1);
        }
    }
}

/* ---- tiers ---- */

static int compare_moved(const void *left, const void *right)
{
    const struct moved *a = left, *b = right;
    if (a->at_us != b->at_us) {
        return a->at_us < b->at_us ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

static void count_months(struct transfers *t)
{
    qsort(t->items, t->count, sizeof *t->items, compare_moved);
    double sum_gib = 0;
    for (size_t i = 0; i < t->count; i++) {
        struct moved *m = &t->items[i];
        if (i > 0 && m->month_unix_s != m[-1].month_unix_s) {
            sum_gib = 0;
        }
        m->before_gib = sum_gib;
        sum_gib += m->gib;
    }
    t->sorted = true;
}

/* The part of [before, before + gib) in each tier, as measures; returns how many there are. */
static size_t in_tiers(const struct moved *m, struct charge_measure measures[STORAGE_TIERS])
{
    const struct storage_price *p = m->price;
    const double end = m->before_gib + m->gib;
    double from = 0;
    size_t count = 0;
    for (size_t i = 0; i < p->tier_count && from < end; i++) {
        double to = i + 1 == p->tier_count ? end : fmin(end, p->tiers[i].up_to);
        double low = fmax(from, m->before_gib);
        if (to > low) {
            measures[count++] = (struct charge_measure){METER_GB, m->product, to - low,
                                                        money_to_double(p->tiers[i].price)};
        }
        from = to;
    }
    return count;
}

void transfers_in_tiers(struct transfers *t, size_t workload, const struct charge_target *target)
{
    if (t->count > 0 && !t->sorted) {
        count_months(t);
    }
    for (size_t i = 0; i < t->count; i++) {
        const struct moved *m = &t->items[i];
        if (m->workload == workload) {
            double units = storage_price_of_first(m->price, m->before_gib + m->gib) -
                           storage_price_of_first(m->price, m->before_gib);
            struct charge_measure measures[STORAGE_TIERS];
            struct charge_target of_tiers = *target;
            of_tiers.measure_count = target->sink == NULL ? 0 : in_tiers(m, measures);
            of_tiers.measures = measures;
            charge_put(&of_tiers, m->at_us, m->at_us, charge_money(target, units));
        }
    }
}
