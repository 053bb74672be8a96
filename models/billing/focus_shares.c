/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/focus_shares.h"

#include "engine/civil_time.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool focus_shares_init(struct focus_shares *s, size_t payers, const struct rating_frame *f)
{
    assert(f->months > 0);
    *s = (struct focus_shares){.frame = f, .payers = payers, .cells = 2 * payers * f->months};
    bool ok = true;
    for (int i = 0; i < FOCUS_SUMS; i++) {
        s->sums[i] = calloc(s->cells, sizeof(money_t));
        s->base[i] = calloc(s->cells, sizeof(money_t));
        s->parts[i] = calloc(s->cells, sizeof(money_t));
        ok = ok && s->sums[i] != NULL && s->base[i] != NULL && s->parts[i] != NULL;
    }
    s->by_month = calloc(f->months, sizeof *s->by_month);
    s->weights = calloc(s->cells, sizeof *s->weights);
    s->scratch = calloc(s->cells, sizeof *s->scratch);
    return ok && s->by_month != NULL && s->weights != NULL && s->scratch != NULL;
}

void focus_shares_release(struct focus_shares *s)
{
    for (int i = 0; i < FOCUS_SUMS; i++) {
        free(s->sums[i]);
        free(s->base[i]);
        free(s->parts[i]);
    }
    free(s->by_month);
    free(s->weights);
    free(s->scratch);
}

/* ---- cells ---- */

static size_t inside_cells(const struct focus_shares *s)
{
    return s->cells / 2;
}

static size_t cell_of(const struct focus_shares *s, const struct focus_row *row)
{
    size_t cell = row->payer * s->frame->months + bill_month(s->frame, row->from_us);
    return row->inside ? cell : inside_cells(s) + cell;
}

size_t focus_shares_payer(const struct focus_shares *s, size_t cell)
{
    return cell % inside_cells(s) / s->frame->months;
}

void focus_shares_period(const struct focus_shares *s, size_t cell, int64_t *from_us,
                         int64_t *to_us)
{
    const struct rating_frame *f = s->frame;
    const bool inside = cell < inside_cells(s);
    const int64_t low_us = inside ? 0 : f->horizon_us;
    const int64_t month_us = f->month_start_us[cell % f->months];
    *from_us = month_us > low_us ? month_us : low_us;
    int64_t from_s = civil_month_start(f->start_unix_s + *from_us / MICROSECONDS);
    *to_us = (civil_add_months(from_s, 1) - f->start_unix_s) * MICROSECONDS;
    *to_us = inside && f->horizon_us < *to_us ? f->horizon_us : *to_us;
}

void focus_shares_add(struct focus_shares *s, const struct focus_row *row)
{
    const bool purchase =
        row->kind == FOCUS_UPFRONT || row->kind == FOCUS_RECURRING || row->kind == FOCUS_BLOCK;
    const bool own = row->party == FOCUS_PLAN;
    const size_t cell = cell_of(s, row);
    accumulate(&s->sums[SUM_BILLED][cell], row->plan_billed, &s->overflow);
    accumulate(&s->sums[SUM_EFFECTIVE][cell], row->plan_effective, &s->overflow);
    if (!purchase) { /* its list price is that of the usage it covers */
        accumulate(&s->sums[SUM_LIST][cell], own ? row->list : row->plan_billed, &s->overflow);
        accumulate(&s->sums[SUM_CONTRACTED][cell], own ? row->contracted : row->plan_billed,
                   &s->overflow);
    }
}

void focus_shares_owe(struct focus_shares *s, money_t amount)
{
    accumulate(&s->elsewhere, amount, &s->overflow);
}

void focus_shares_mark(struct focus_shares *s)
{
    s->elsewhere_base = s->elsewhere;
    for (int i = 0; i < FOCUS_SUMS; i++) {
        memcpy(s->base[i], s->sums[i], s->cells * sizeof(money_t));
    }
}

/* ---- splitting ---- */

static bool meets(const struct focus_shares *s, size_t cell, const struct focus_share *share)
{
    int64_t from_us, to_us;
    focus_shares_period(s, cell, &from_us, &to_us);
    return from_us < share->to_us && share->from_us < to_us;
}

/* Of a month; some of it is above nothing, since its sum is. */
static void split_month(struct focus_shares *s, const struct focus_share *share,
                        enum focus_sum which, size_t month)
{
    const size_t months = s->frame->months;
    money_t *parts = s->weights + s->payers;
    for (size_t payer = 0; payer < s->payers; payer++) {
        const size_t cell = payer * months + month;
        s->weights[payer] = meets(s, cell, share) ? s->base[which][cell] : 0;
    }
    if (money_split(s->by_month[month], s->weights, s->payers, parts, s->scratch)) {
        for (size_t payer = 0; payer < s->payers; payer++) {
            s->parts[which][payer * months + month] = parts[payer];
        }
    }
}

/* Inside the horizon, to each month what the bill charges in it: what is taken off on one payer's
 * part, such as a credit, makes the month's share less. When there is nothing to follow, all to
 * what is shared, at first. */
static void split_inside(struct focus_shares *s, const struct focus_share *share,
                         enum focus_sum which, money_t total)
{
    const size_t n = inside_cells(s), months = s->frame->months;
    memset(s->weights, 0, months * sizeof(money_t));
    memset(s->parts[which], 0, n * sizeof(money_t));
    for (size_t i = 0; i < n; i++) {
        if (meets(s, i, share)) {
            accumulate(&s->weights[i % months], s->base[which][i], &s->overflow);
        }
    }
    if (!money_split(total, s->weights, months, s->by_month, s->scratch)) {
        s->parts[which][n - months + bill_month(s->frame, share->from_us)] = total;
        return;
    }
    for (size_t month = 0; month < months; month++) {
        if (s->by_month[month] != 0) {
            split_month(s, share, which, month);
        }
    }
}

static void split_later(struct focus_shares *s, money_t later)
{
    const size_t n = inside_cells(s);
    const money_t *base = s->base[SUM_BILLED] + n;
    for (int i = 0; i < FOCUS_SUMS; i++) {
        memset(s->parts[i] + n, 0, n * sizeof(money_t));
    }
    money_t all = s->elsewhere_base, here = 0;
    for (size_t i = 0; i < n; i++) {
        accumulate(&here, base[i], &s->overflow);
    }
    accumulate(&all, here, &s->overflow);
    if (s->elsewhere_base != 0) {
        const money_t part = 0 < here && here < all ? money_share(later, here, all) : 0;
        accumulate(&s->elsewhere, later - part, &s->overflow);
        later = part;
    }
    if (money_split(later, base, n, s->parts[SUM_BILLED] + n, s->scratch)) {
        memcpy(s->parts[SUM_EFFECTIVE] + n, s->parts[SUM_BILLED] + n, n * sizeof(money_t));
    }
}

/* The same share of what it would be at list prices. Rounding may leave a base of some nano-units
 * below nothing. */
static void share_prices(struct focus_shares *s, enum focus_sum which)
{
    for (size_t i = 0; i < s->cells; i++) {
        const money_t base = s->base[SUM_EFFECTIVE][i];
        const money_t priced = s->base[which][i] > 0 ? s->base[which][i] : 0;
        s->parts[which][i] = base > 0 ? money_share(priced, s->parts[SUM_EFFECTIVE][i], base)
                                      : s->parts[SUM_BILLED][i];
        if (which == SUM_CONTRACTED && s->parts[which][i] > s->parts[SUM_LIST][i]) {
            s->parts[which][i] = s->parts[SUM_LIST][i];
        }
    }
}

void focus_shares_split(struct focus_shares *s, const struct focus_share *share)
{
    split_inside(s, share, SUM_BILLED, share->billed);
    split_inside(s, share, SUM_EFFECTIVE, share->effective);
    split_later(s, share->later);
    share_prices(s, SUM_LIST);
    share_prices(s, SUM_CONTRACTED);
}
