/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/metrics.h"

#include "scenarios/study/item_metrics.h"
#include "scenarios/study/queue_metrics.h"
#include "scenarios/study/service_metrics.h"
#include "scenarios/study/session_metrics.h"

#include <math.h>

const struct shared_line metric_shared_lines[] = {
    {"covered", METRIC_COVERED, -1, BILL_ON_DEMAND, false},
    {"used", METRIC_COMMITMENT_USED, 1, BILL_COMMITMENTS_USED, false},
    {"unused", METRIC_COMMITMENT_UNUSED, 1, BILL_COMMITMENTS_UNUSED, false},
    {"later", METRIC_COMMITMENT_LATER, 1, BILL_COMMITMENTS_LATER, false},
    {"displaced", METRIC_DISPLACED, 1, BILL_DISPLACED, true},
    {NULL, METRIC_COST, 0, BILL_FEES, false}};

const struct shared_line metric_owned_lines[] = {
    {"capital", METRIC_OWNED_CAPITAL, 1, BILL_OWNED, false},
    {"power", METRIC_OWNED_POWER, 1, BILL_OWNED, false},
    {"staff", METRIC_OWNED_STAFF, 1, BILL_OWNED, false},
    {"colocation", METRIC_OWNED_COLOCATION, 1, BILL_OWNED, false},
    {NULL, METRIC_COST, 0, BILL_FEES, false}};

const struct shared_line metric_reservation_line = {"idle", METRIC_RESERVATION_IDLE, 1,
                                                    BILL_RESERVATIONS, false};

const struct shared_line metric_block_line = {"unused", METRIC_BLOCK_UNUSED, 1, BILL_BLOCKS, false};

double metric_number(const struct metric_cells *c, enum metric m)
{
    return metric_table[m].kind == METRIC_MONEY ? money_to_double(c->value[m].money)
                                                : c->value[m].number;
}

bool metric_cut(const struct metric_cells *c)
{
    return c->value[METRIC_FINISHED].number <= 0 && !metric_cancelled(c);
}

bool metric_cancelled(const struct metric_cells *c)
{
    return c->value[METRIC_CANCELLED].number > 0;
}

bool metric_censored(const struct metric_cells *c, enum metric m)
{
    const struct metric_row *row = &metric_table[m];
    return row->grows_with_the_end && metric_cut(c) &&
           !(row->kind == METRIC_YES_NO && !(c->value[m].number <= 0));
}

/* What follows from the bill alone. */
static void fill_bill(struct metric_cells *c, const struct bill *b)
{
    c->value[METRIC_COST].money = b->cost;
    c->value[METRIC_CASH].money = b->cash;
    c->value[METRIC_AMORTISED].money = b->amortised;
    c->value[METRIC_OBLIGATION].money = b->obligation;
    money_t by_purchase[PURCHASE_COUNT] = {0};
    double held_h[PURCHASE_COUNT] = {0};
    double activity_h[ACTIVITY_COUNT] = {0};
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        for (int a = 0; a < ACTIVITY_COUNT; a++) {
            double h = (double)b->node_us[p][a] / (double)HOUR_US;
            c->line[p][a] = b->line[p][a];
            c->node_h[p][a] = h;
            (void)money_add(&by_purchase[p], b->line[p][a]);
            held_h[p] += h;
            activity_h[a] += h;
        }
    }
    c->value[METRIC_ON_DEMAND_COST].money = by_purchase[PURCHASE_ON_DEMAND] - b->committed.covered;
    c->value[METRIC_COVERED].money = b->committed.covered;
    c->value[METRIC_COMMITMENT_USED].money = b->committed.used;
    c->value[METRIC_COMMITMENT_UNUSED].money = b->committed.unused;
    c->value[METRIC_COMMITMENT_LATER].money = b->committed.later;
    c->value[METRIC_DISPLACED].money = b->committed.displaced;
    c->value[METRIC_SPOT_COST].money = by_purchase[PURCHASE_SPOT];
    c->value[METRIC_BLOCK_USED].money = by_purchase[PURCHASE_BLOCK];
    c->value[METRIC_BLOCK_UNUSED].money = b->windows_unused;
    c->value[METRIC_RESERVATION_IDLE].money = b->reserved_idle;
    for (int i = 0; i < OWNED_LINES; i++) {
        c->value[METRIC_OWNED_CAPITAL + i].money = b->owned[i];
    }
    /* Apart, so that both grow with the work: of what was cut off either is a lower bound. */
    money_t other = 0, discount = 0;
    for (size_t i = 0; i < b->others; i++) {
        bool less = b->other[i] < 0;
        (void)money_add(less ? &discount : &other, less ? -b->other[i] : b->other[i]);
    }
    c->value[METRIC_OTHER_COST].money = other;
    c->value[METRIC_DISCOUNT].money = discount;
    static const enum metric of_activity[ACTIVITY_COUNT] = {
        [ACTIVITY_USEFUL] = METRIC_USEFUL,   [ACTIVITY_CHECKPOINT] = METRIC_CHECKPOINT,
        [ACTIVITY_RESTORE] = METRIC_RESTORE, [ACTIVITY_BOOT] = METRIC_BOOT,
        [ACTIVITY_LOST] = METRIC_LOST,       [ACTIVITY_WAITING] = METRIC_WAITING,
        [ACTIVITY_STAGING] = METRIC_STAGING, [ACTIVITY_EVALUATION] = METRIC_EVALUATION,
        [ACTIVITY_DOWN] = METRIC_DOWN,
    };
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        c->value[of_activity[a]].number = activity_h[a];
    }
    double all_h = 0;
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        all_h += held_h[p];
    }
    c->value[METRIC_NODE_HOURS].number = all_h;
    c->value[METRIC_SPOT_NODE_HOURS].number = held_h[PURCHASE_SPOT];
    c->value[METRIC_FREE_NODE_HOURS].number = (double)b->free_us / (double)HOUR_US;
    c->value[METRIC_GOODPUT].number = all_h > 0 ? activity_h[ACTIVITY_USEFUL] / all_h : (double)NAN;
}

/* What is cancelled has no end that could be early or late. */
static void leave_times(struct metric_cells *c)
{
    if (metric_cancelled(c)) {
        c->value[METRIC_TIME_TO_TRAIN].number = (double)NAN;
        c->value[METRIC_MAKESPAN].number = (double)NAN;
        c->value[METRIC_FINISHED].number = (double)NAN;
        c->value[METRIC_LATE].number = (double)NAN;
    }
}

bool metric_endless(const struct metric_cells *c)
{
    return isnan(c->value[METRIC_FINISHED].number);
}

/* Tiny differences of the sums are no unmet need. */
static void fill_served(struct metric_cells *c, const struct work_result *r)
{
    double needed_h = r->needed_node_s / 3600, served_h = r->served_node_s / 3600;
    c->value[METRIC_NEEDED].number = r->needs ? needed_h : (double)NAN;
    c->value[METRIC_SERVED].number = r->needs ? served_h : (double)NAN;
    c->value[METRIC_UNMET].number = r->needs ? fmax(0, needed_h - served_h) : (double)NAN;
}

static void fill_served_share(struct metric_cells *c)
{
    double needed_h = c->value[METRIC_NEEDED].number;
    c->value[METRIC_SERVED_SHARE].number =
        needed_h > 0 ? c->value[METRIC_SERVED].number / needed_h : (double)NAN;
}

void metric_fill(struct metric_cells *c, const struct work_result *r, const struct bill *b,
                 double deadline_s)
{
    fill_bill(c, b);
    bool ends = !r->by_clock;
    c->value[METRIC_TIME_TO_TRAIN].number = ends ? r->end_s / 3600 : (double)NAN;
    c->value[METRIC_MAKESPAN].number =
        ends ? fmax(0, r->end_s - r->handed_in_s) / 3600 : (double)NAN;
    c->value[METRIC_FINISHED].number = ends ? (double)r->finished : (double)NAN;
    c->value[METRIC_LATE].number =
        !ends || isinf(deadline_s) ? (double)NAN : (double)(!r->finished || r->end_s > deadline_s);
    c->value[METRIC_CANCELLED].number = r->cancelled;
    c->value[METRIC_BEYOND_TRACE].number = (double)NAN; /* of the world, which is the study's */
    leave_times(c);
    c->value[METRIC_OVER_BUDGET].number = (double)NAN;
    c->value[METRIC_INTERRUPTIONS].number = r->interruptions;
    c->value[METRIC_FAILURES].number = r->may_fail ? (double)r->failures : (double)NAN;
    double elapsed_s = r->end_s - r->handed_in_s;
    c->value[METRIC_EFFECTIVE_TIME].number =
        ends && elapsed_s > 0 ? fmin(1, r->kept_s / elapsed_s) : (double)NAN;
    c->value[METRIC_LAUNCHES].number = r->launches;
    c->value[METRIC_LOSSES].number = r->losses;
    c->value[METRIC_RESTARTS].number = r->restarts;
    c->value[METRIC_SWITCHES].number = r->switches;
    c->value[METRIC_RESIZES].number = r->resizes;
    c->value[METRIC_MEAN_NODES].number =
        ends && elapsed_s > 0 ? c->value[METRIC_NODE_HOURS].number * 3600 / elapsed_s : (double)NAN;
    c->value[METRIC_CHECKPOINTS].number = (double)r->checkpoints;
    c->value[METRIC_IDLE].number = r->idle_s / 3600;
    c->value[METRIC_SHARED_NODES_COST].money = r->hosted_cost;
    c->value[METRIC_SHARED_NODE_HOURS].number = r->hosted ? r->hosted_node_s / 3600 : (double)NAN;
    fill_served(c, r);
    queue_metrics_fill(c, r->queue);
    service_metrics_fill(c, r->service, r->hosted);
    session_metrics_fill(c, r->sessions);
    item_metrics_fill(c, r->items);
    fill_served_share(c);
}

/* From the first beginning to the last end of work that has one. */
static double makespan_of_all(const struct metric_cells *workloads, size_t count)
{
    double first_h = HUGE_VAL, last_h = -HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        double end_h = workloads[i].value[METRIC_TIME_TO_TRAIN].number;
        double span_h = workloads[i].value[METRIC_MAKESPAN].number;
        if (!isnan(end_h)) {
            first_h = fmin(first_h, end_h - span_h);
            last_h = fmax(last_h, end_h);
        }
    }
    return last_h < first_h ? (double)NAN : last_h - first_h;
}

/* NaN is "does not exist": it joins as if the workload were not there. */
static double join(enum metric m, const struct metric_cells *workloads, size_t count)
{
    double joined = (double)NAN;
    for (size_t i = 0; i < count; i++) {
        double v = workloads[i].value[m].number;
        if (isnan(v)) {
            continue;
        }
        if (isnan(joined)) {
            joined = v;
        } else if (metric_table[m].join == JOIN_SUM) {
            joined += v;
        } else if (metric_table[m].join == JOIN_ALL) {
            joined = fmin(joined, v);
        } else {
            joined = fmax(joined, v);
        }
    }
    return joined;
}

void metric_fill_all(struct metric_cells *all, const struct metric_cells *workloads, size_t count,
                     const struct bill *b, double budget)
{
    fill_bill(all, b);
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (metric_table[m].join != JOIN_OWN) {
            all->value[m].number = join((enum metric)m, workloads, count);
        }
    }
    all->value[METRIC_SHARED_NODES_COST].money = 0;
    for (size_t i = 0; i < count; i++) {
        (void)money_add(&all->value[METRIC_SHARED_NODES_COST].money,
                        workloads[i].value[METRIC_SHARED_NODES_COST].money);
    }
    queue_metrics_join(all, workloads, count);
    service_metrics_join(all, workloads, count);
    session_metrics_join(all, workloads, count);
    item_metrics_join(all, workloads, count);
    all->value[METRIC_MAKESPAN].number = makespan_of_all(workloads, count);
    leave_times(all);
    fill_served_share(all);
    all->value[METRIC_OVER_BUDGET].number =
        isnan(budget) ? (double)NAN : (double)(money_to_double(b->cost) > budget);
}
