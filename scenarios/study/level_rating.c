/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/level_rating.h"

#include <stdlib.h>
#include <string.h>

/* Bills of workloads, the shared one and, where it is summed, that of all. */
struct bill_copies {
    struct bill *bills;
    money_t *months, *by_month, *others;
};

struct level_rating {
    const struct study *study;
    size_t rows;                    /* workloads + 2 */
    struct bill_copies held, level; /* before commitments; of the level under way */
    struct committed ***committed;  /* [strategy][level] */
};

static bool copies_init(struct bill_copies *c, const struct study *study, size_t rows)
{
    const struct rating_frame *f = &study->frame;
    c->bills = calloc(rows, sizeof *c->bills);
    c->months = calloc(rows * f->months + 1, sizeof *c->months);
    c->by_month = calloc(rows * BILL_ROWS * f->months + 1, sizeof *c->by_month);
    c->others = calloc(rows * f->others + 1, sizeof *c->others);
    if (c->bills == NULL || c->months == NULL || c->by_month == NULL || c->others == NULL) {
        return false;
    }
    for (size_t row = 0; row < rows; row++) {
        c->bills[row].month = c->months + row * f->months;
        c->bills[row].by_month = c->by_month + row * BILL_ROWS * f->months;
        c->bills[row].other = c->others + row * f->others;
        bill_clear(&c->bills[row], f);
    }
    return true;
}

static void copies_release(struct bill_copies *c)
{
    free(c->bills);
    free(c->months);
    free(c->by_month);
    free(c->others);
}

static bool make_committed(struct level_rating *r, struct account_world *account)
{
    const struct study *study = r->study;
    r->committed = calloc(study->strategy_count, sizeof *r->committed);
    for (size_t k = 0; r->committed != NULL && k < study->strategy_count; k++) {
        const struct commitment_levels *levels = &study->strategies[k].levels;
        r->committed[k] = calloc(levels->count + 1, sizeof *r->committed[k]);
        if (r->committed[k] == NULL) {
            return false;
        }
        for (size_t i = 0; i < levels->count; i++) {
            r->committed[k][i] = committed_new(&levels->levels[i].plan, account);
            if (r->committed[k][i] == NULL) {
                return false;
            }
        }
    }
    return r->committed != NULL;
}

struct level_rating *level_rating_new(const struct study *study, struct account_world *account)
{
    struct level_rating *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return NULL;
    }
    r->study = study;
    r->rows = study->workload_count + 2;
    if (!copies_init(&r->held, study, r->rows) || !copies_init(&r->level, study, r->rows) ||
        !make_committed(r, account)) {
        level_rating_free(r);
        return NULL;
    }
    return r;
}

void level_rating_free(struct level_rating *r)
{
    if (r == NULL) {
        return;
    }
    for (size_t k = 0; r->committed != NULL && k < r->study->strategy_count; k++) {
        for (size_t i = 0; r->committed[k] != NULL && i < r->study->strategies[k].levels.count;
             i++) {
            committed_free(r->committed[k][i]);
        }
        free(r->committed[k]);
    }
    free(r->committed);
    copies_release(&r->held);
    copies_release(&r->level);
    free(r);
}

/* All of a bill but where its amounts are kept. */
static void copy_bill(struct bill *to, const struct bill *from, const struct rating_frame *f)
{
    struct bill copy = *from;
    copy.month = to->month;
    copy.by_month = to->by_month;
    copy.other = to->other;
    *to = copy;
    memcpy(to->month, from->month, f->months * sizeof *to->month);
    memcpy(to->by_month, from->by_month, BILL_ROWS * f->months * sizeof *to->by_month);
    memcpy(to->other, from->other, f->others * sizeof *to->other);
}

bool level_rating_hold(struct level_rating *r, const struct bill *bills,
                       struct other_charges *charges)
{
    for (size_t row = 0; row <= r->study->workload_count; row++) {
        copy_bill(&r->held.bills[row], &bills[row], &r->study->frame);
    }
    return other_charges_hold(charges);
}

static void fill_cell(struct level_cell *cell, const struct bill *all,
                      const struct committed *committed, size_t count)
{
    const struct committed_account *accounts = committed_accounts(committed);
    *cell = (struct level_cell){.cost = all->cost};
    for (size_t k = 0; k < count; k++) {
        cell->used_inside += accounts[k].used_inside; /* parts of totals that fit */
        cell->unused += accounts[k].unused;
        cell->covered_us += accounts[k].covered_us;
    }
}

static enum matched_status rate_level(struct level_rating *r, struct committed *committed,
                                      struct other_charges *charges, const struct level_world *w,
                                      size_t count, struct level_cell *cell)
{
    struct charge_world world = w->charges;
    const struct rating_frame *f = world.frame;
    const size_t shared = r->study->workload_count;
    struct bill *bills = r->level.bills, *all = &bills[shared + 1];
    for (size_t row = 0; row <= shared; row++) {
        copy_bill(&bills[row], &r->held.bills[row], f);
    }
    other_charges_again(charges);
    if (!committed_begin(committed, world.market, world.drawn, world.signed_until_us)) {
        return MATCHED_NO_MEMORY;
    }
    enum matched_status status = committed_rate(committed, f, world.market, world.log, w->on_demand,
                                                w->discount, &bills[shared], NULL);
    if (status != MATCHED_OK) {
        return status;
    }
    world.commitments = committed_items(committed);
    world.commitment_count = count;
    if (!other_charges_shares(charges, &world, bills)) {
        return MATCHED_NO_MEMORY;
    }
    bill_clear(all, f);
    for (size_t row = 0; row <= shared; row++) {
        bill_add(all, &bills[row], f);
    }
    accumulate(&all->cost, w->apart, &all->overflow);
    fill_cell(cell, all, committed, count);
    return all->overflow ? MATCHED_OVERFLOW : MATCHED_OK;
}

enum matched_status level_rating_rate(struct level_rating *r, size_t strategy,
                                      struct other_charges *charges, const struct level_world *w,
                                      struct level_cell *cells)
{
    const struct study_strategy *of = &r->study->strategies[strategy];
    enum matched_status status = MATCHED_OK;
    for (size_t i = 0; status == MATCHED_OK && i < of->levels.count; i++) {
        status =
            rate_level(r, r->committed[strategy][i], charges, w, of->commitments.count, &cells[i]);
    }
    return status;
}
