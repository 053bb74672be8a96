/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/node_table.h"

#include "engine/text.h"
#include "models/billing/rating.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Pieces that are told one by one; a node whose price changed more often has the rest summed up. */
#define MOST_PIECES 4

/* "12.1 h at 8.59 USD/h, 3 h at 9.02 USD/h" */
struct pricing {
    struct text text;
    const char *currency;
    size_t pieces;
};

static void add_piece(void *context, const struct charge_piece *p)
{
    struct pricing *pricing = context;
    char price[32];
    pricing->pieces++;
    if (pricing->pieces > MOST_PIECES) {
        return;
    }
    text_format(&pricing->text, "%s%.4g h at %s %s/h", pricing->pieces == 1 ? "" : ", ",
                (double)(p->to_us - p->from_us) / (double)HOUR_US, money_text(p->per_hour, price),
                pricing->currency);
}

static void finish_pricing(struct pricing *p, struct market *market, const struct usage *u)
{
    const struct pool_info *info = market_pool_info(market_plan_of(market), u->pool);
    if (p->pieces > MOST_PIECES) {
        text_format(&p->text, ", %zu more price%s", p->pieces - MOST_PIECES,
                    text_plural((double)(p->pieces - MOST_PIECES)));
    }
    if (rating_is_free(market, u)) {
        text_clear(&p->text);
        text_add(&p->text, "free: within the first hour");
    } else if (info->purchase == PURCHASE_ON_DEMAND && p->pieces > 0 &&
               u->end_us - u->start_us < RATING_MINIMUM_US) {
        text_add(&p->text, ", 60 s at least");
    }
}

enum usage_column { WORKLOAD, NODES, PURCHASE, TYPE, FROM, HOURS, ENDED, PRICED, EACH, COST };

/* "3", "1-4": a gang that came and went together is one record. */
static const char *nodes_text(const struct usage *u, char out[32])
{
    unsigned long first = (unsigned long)u->slot + 1;
    if (u->twins == 0) {
        snprintf(out, 32, "%lu", first);
    } else {
        snprintf(out, 32, "%lu-%lu", first, first + u->twins);
    }
    return out;
}

static void fill_usage_row(struct table *t, size_t row, const struct study *s,
                           struct market *market, const struct usage *u)
{
    const struct pool_info *info = market_pool_info(s->market, u->pool);
    struct pricing pricing = {.currency = s->scenario->currency};
    char nodes[32];
    text_init(&pricing.text, 1000);
    money_t each = rating_pieces(market, u, s->scenario->start.unix_s, add_piece, &pricing);
    finish_pricing(&pricing, market, u);
    table_set_text(t, row, WORKLOAD, study_workload_name(s, u->workload));
    table_set_text(t, row, NODES, nodes_text(u, nodes));
    table_set_text(t, row, PURCHASE, purchase_names[info->purchase]);
    table_set_text(t, row, TYPE, info->type->name);
    table_set_number(t, row, FROM, (double)u->start_us / (double)HOUR_US);
    table_set_number(t, row, HOURS, (double)(u->end_us - u->start_us) / (double)HOUR_US);
    table_set_text(t, row, ENDED, end_reason_names[u->reason]);
    table_set_text(t, row, PRICED, pricing.text.data);
    table_set_money(t, row, EACH, each);
    table_set_money(t, row, COST, money_times(each, usage_nodes(u)));
    text_release(&pricing.text);
}

/* ---- order ---- */

static int by_start(const void *a, const void *b)
{
    const struct usage *x = *(const struct usage *const *)a, *y = *(const struct usage *const *)b;
    if (x->start_us != y->start_us) {
        return x->start_us < y->start_us ? -1 : 1;
    }
    if (x->workload != y->workload) {
        return x->workload < y->workload ? -1 : 1;
    }
    if (x->slot != y->slot) {
        return x->slot < y->slot ? -1 : 1;
    }
    return x < y ? -1 : x > y; /* records of one slot stand in the order of their launches */
}

/* The log has the order in which nodes ended. The caller frees; NULL when out of memory. */
static const struct usage **sorted(const struct usage_log *log)
{
    const struct usage **records = calloc(log->count + 1, sizeof(struct usage *));
    for (size_t i = 0; records != NULL && i < log->count; i++) {
        records[i] = &log->records[i];
    }
    if (records != NULL) {
        qsort(records, log->count, sizeof(struct usage *), by_start);
    }
    return records;
}

struct table *node_table_usage(const struct study *s, struct market *market,
                               const struct usage_log *log, size_t count)
{
    char each[64], cost[64], column[64];
    snprintf(each, sizeof each, "each_%s", metric_unit(METRIC_COST, s->scenario->currency, column));
    metric_column(METRIC_COST, s->scenario->currency, cost);
    const struct column columns[] = {
        [WORKLOAD] = {"workload", "", "Name of the workload", COLUMN_TEXT, -1},
        [NODES] = {"nodes", "", "Places in the gang, from 1", COLUMN_TEXT, -1},
        [PURCHASE] = {"purchase", "", "Way to buy", COLUMN_TEXT, -1},
        [TYPE] = {"instance_type", "", "Instance type", COLUMN_TEXT, -1},
        [FROM] = {"from_h", "h", "Launch, hours after the start", COLUMN_NUMBER, 3},
        [HOURS] = {"used_h", "h", "Hours from launch to end", COLUMN_NUMBER, 3},
        [ENDED] = {"ended", "", "Why it ended", COLUMN_TEXT, -1},
        [PRICED] = {"priced", "", "Hours and price per hour", COLUMN_TEXT, -1},
        [EACH] = {each, s->scenario->currency, "What one of these nodes cost", COLUMN_MONEY, 4},
        [COST] = {cost, s->scenario->currency, "What they cost together", COLUMN_MONEY, 4},
    };
    struct table *t = table_new("usage", columns, sizeof columns / sizeof columns[0]);
    const struct usage **records = sorted(log);
    bool ok = t != NULL && records != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        size_t row = table_add_row(t);
        ok = row != SIZE_MAX;
        if (ok) {
            fill_usage_row(t, row, s, market, records[i]);
        }
    }
    free(records);
    if (!ok) {
        table_free(t);
        return NULL;
    }
    return t;
}

static bool add_line(struct table *t, const char *purchase, const char *activity, double node_h,
                     money_t cost)
{
    size_t row = table_add_row(t);
    if (row == SIZE_MAX) {
        return false;
    }
    table_set_text(t, row, 0, purchase);
    table_set_text(t, row, 1, activity);
    table_set_number(t, row, 2, node_h);
    table_set_money(t, row, 3, cost);
    return true;
}

/* What every bill has is shown if it is zero too. */
static bool add_others(struct table *t, const struct study *s, const money_t *others)
{
    bool ok = true;
    for (size_t i = 0; ok && i < s->charges.count; i++) {
        money_t sum = 0;
        for (size_t row = 0; row <= s->workload_count; row++) {
            (void)money_add(&sum, others[row * s->charges.count + i]);
        }
        ok = add_line(t, "other", s->charges.items[i].name, (double)NAN, sum);
    }
    return ok;
}

struct table *node_table_lines(const struct study *s, const struct metric_cells *all,
                               const money_t *others)
{
    char cost[64];
    metric_column(METRIC_COST, s->scenario->currency, cost);
    const struct column columns[] = {
        {"purchase", "", "Way to buy", COLUMN_TEXT, -1},
        {"activity", "", "What the time went to", COLUMN_TEXT, -1},
        {"node_h", "h", "Node-hours, billed or not", COLUMN_NUMBER, 3},
        {cost, s->scenario->currency, "What they cost", COLUMN_MONEY, 4},
    };
    struct table *t = table_new("lines", columns, sizeof columns / sizeof columns[0]);
    bool ok = t != NULL;
    for (int p = 0; p < PURCHASE_COUNT; p++) {
        for (int a = 0; ok && a < ACTIVITY_COUNT; a++) {
            double node_h = (double)all->node_h[p][a];
            if (node_h > 0 || all->line[p][a] != 0) {
                ok = add_line(t, purchase_names[p], activity_names[a], node_h, all->line[p][a]);
            }
        }
    }
    ok = ok && (others == NULL || add_others(t, s, others));
    const money_t blocks =
        all->value[METRIC_BLOCK_USED].money + all->value[METRIC_BLOCK_UNUSED].money;
    if (ok && blocks != 0) {
        ok = add_line(t, purchase_names[PURCHASE_BLOCK], metric_block_line.activity, (double)NAN,
                      all->value[METRIC_BLOCK_UNUSED].money);
    }
    const money_t idle = all->value[METRIC_RESERVATION_IDLE].money;
    if (ok && idle != 0) {
        ok = add_line(t, METRIC_RESERVED_PURCHASE, metric_reservation_line.activity, (double)NAN,
                      idle);
    }
    for (size_t i = 0; ok && metric_owned_lines[i].activity != NULL; i++) {
        money_t part = all->value[metric_owned_lines[i].metric].money;
        ok = part == 0 || add_line(t, purchase_names[PURCHASE_OWNED],
                                   metric_owned_lines[i].activity, (double)NAN, part);
    }
    bool signs = all->value[METRIC_COMMITMENT_USED].money != 0 ||
                 all->value[METRIC_COMMITMENT_UNUSED].money != 0 ||
                 all->value[METRIC_COMMITMENT_LATER].money != 0 || account_matters(&s->account);
    for (size_t i = 0; ok && signs && study_shared_line(s, i) != NULL; i++) {
        const struct shared_line *line = study_shared_line(s, i);
        ok = add_line(t, METRIC_SHARED_PURCHASE, line->activity, (double)NAN,
                      line->sign * all->value[line->metric].money);
    }
    ok = ok && add_line(t, "all", "", all->value[METRIC_NODE_HOURS].number,
                        all->value[METRIC_COST].money);
    if (!ok) {
        table_free(t);
        return NULL;
    }
    return t;
}
