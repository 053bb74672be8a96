/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/commit_tables.h"

#include "models/commitments/commitment_keys.h"

#include <assert.h>
#include <math.h>

enum {
    OFFER,
    IS,
    UNIT,
    SIZE,
    MEAN,
    REGRET,
    REGRET_LOW,
    REGRET_HIGH,
    P50,
    P90,
    CVAR90,
    UNUSED_FRAC,
    P_BADLY,
    OBLIGATION,
    LEVEL_COLUMNS
};
static_assert(LEVEL_COLUMNS == (int)COMMIT_LEVEL_COLUMNS, "every column has its place");
#define MONEY_ROW(name, meaning)                                                                   \
    {                                                                                              \
        name, "currency", meaning, COLUMN_NUMBER, 2                                                \
    }
#define SHARE_ROW(name, meaning)                                                                   \
    {                                                                                              \
        name, "frac", meaning, COLUMN_NUMBER, 3                                                    \
    }
const struct column commit_level_columns[COMMIT_LEVEL_COLUMNS] = {
    {"offer", "", "Number of the commitment in the strategy's list, from 1", COLUMN_INTEGER, 0},
    {"is", "", "What it is: instance type, term, class, payment", COLUMN_TEXT, 0},
    {"unit", "", "Of its size: instances, or currency an hour", COLUMN_TEXT, 0},
    {"size", "", "How much of it is signed, and nothing else", COLUMN_NUMBER, -2},
    MONEY_ROW("mean", "Mean cost over the worlds of the search"),
    MONEY_ROW("regret", "Mean by which that is more than at the best size of this offer"),
    MONEY_ROW("regret_low", "Lower end of its 95 % interval, world against world"),
    MONEY_ROW("regret_high", "Upper end"),
    MONEY_ROW("p50", "P50 of the cost"),
    MONEY_ROW("p90", "P90 of the cost"),
    MONEY_ROW("cvar90", "Mean of the dearest tenth of worlds"),
    SHARE_ROW("unused_frac", "What of its cost inside the horizon nobody uses"),
    SHARE_ROW("p_badly_used", "Share of worlds in which more than 20 % of that is unused"),
    MONEY_ROW("obligation", "Signed, to the end of the term"),
};

enum {
    PORTFOLIO,
    SIGNS,
    PF_MEAN,
    SAVES,
    SAVES_LOW,
    SAVES_HIGH,
    CHEAPER,
    PF_P50,
    PF_P90,
    PF_CVAR90,
    PF_UNUSED,
    PF_BADLY,
    PF_OBLIGATION,
    WORLDS,
    PORTFOLIO_COLUMNS
};
static_assert(PORTFOLIO_COLUMNS == (int)COMMIT_PORTFOLIO_COLUMNS, "every column has its place");
const struct column commit_portfolio_columns[COMMIT_PORTFOLIO_COLUMNS] = {
    {"portfolio", "",
     "nothing; as listed: the scenario's sizes; least mean, p90, cvar90: what was found",
     COLUMN_TEXT, 0},
    {"signs", "", "Sizes of what is signed", COLUMN_TEXT, 0},
    MONEY_ROW("mean", "Mean cost over fresh worlds, which the search did not see"),
    MONEY_ROW("saves", "Mean by which that is less than with nothing signed"),
    MONEY_ROW("saves_low", "Lower end of its 95 % interval, world against world"),
    MONEY_ROW("saves_high", "Upper end"),
    SHARE_ROW("cheaper_frac", "Share of worlds in which it is cheaper than nothing"),
    MONEY_ROW("p50", "P50 of the cost"),
    MONEY_ROW("p90", "P90 of the cost"),
    MONEY_ROW("cvar90", "Mean of the dearest tenth of worlds"),
    SHARE_ROW("unused_frac", "What of the commitments' cost inside the horizon nobody uses"),
    SHARE_ROW("p_badly_used", "Share of worlds in which more than 20 % of that is unused"),
    MONEY_ROW("obligation", "Signed, to the end of the terms"),
    {"worlds", "", "Fresh worlds", COLUMN_INTEGER, 0},
};

/* ---- words ---- */

static const struct commitment *listed(const struct commit_worlds *w, size_t item)
{
    return &w->study->strategies[w->strategy].commitments.later.listed[item];
}

void commit_offer_text(const struct commit_worlds *w, size_t item, struct text *out)
{
    const struct commitment *c = listed(w, item);
    if (commitment_is_reserved(c)) {
        text_format(out, "%s, %d-year %s %s", c->type, c->term_years,
                    offering_class_names[c->offering_class], payment_option_names[c->payment]);
        if (c->zone != NULL) {
            text_format(out, " in %s", c->zone);
        }
    } else {
        text_format(out, "%d-year %s%s%s %s", c->term_years, c->family != NULL ? c->family : "",
                    c->family != NULL ? " " : "", commitment_kind_names[c->kind],
                    payment_option_names[c->payment]);
    }
    if (c->start_us > 0) {
        text_format(out, " bought after %.4g d", (double)c->start_us / 8.64e10);
    }
}

void commit_sizes_text(const struct commit_worlds *w, const double *sizes, struct text *out)
{
    bool any = false;
    for (size_t k = 0; k < w->items; k++) {
        if (sizes[k] > 0) {
            text_add(out, any ? "; " : "");
            any = true;
            text_format(out, commitment_is_savings_plan(listed(w, k)) ? "%.10g/h of " : "%.0f x ",
                        sizes[k]);
            commit_offer_text(w, k, out);
        }
    }
    text_add(out, any ? "" : "nothing");
}

/* ---- tables ---- */

static bool add_level(struct table *t, const struct commit_search *s, size_t item,
                      const struct commit_point *p, const char *is)
{
    const struct commit_curve *c = &s->curves[item];
    const struct commitment *of = listed(s->worlds, item);
    const struct commit_pair regret =
        commit_compare(p, &c->points[c->best[COMMIT_LEAST_MEAN]], s->worlds->count);
    const size_t row = table_add_row(t);
    if (row == SIZE_MAX) {
        return false;
    }
    table_set_integer(t, row, OFFER, (int64_t)item + 1);
    table_set_text(t, row, IS, is);
    table_set_text(t, row, UNIT, commitment_is_savings_plan(of) ? "currency an hour" : "instances");
    table_set_number(t, row, SIZE, p->sizes[item]);
    table_set_number(t, row, MEAN, p->value.mean);
    table_set_number(t, row, REGRET, regret.mean);
    table_set_number(t, row, REGRET_LOW, regret.low);
    table_set_number(t, row, REGRET_HIGH, regret.high);
    table_set_number(t, row, P50, p->value.p50);
    table_set_number(t, row, P90, p->value.p90);
    table_set_number(t, row, CVAR90, p->value.cvar90);
    table_set_number(t, row, UNUSED_FRAC, p->value.unused_frac);
    table_set_number(t, row, P_BADLY, p->value.p_badly);
    table_set_number(t, row, OBLIGATION, p->value.obligation);
    return true;
}

struct table *commit_levels_table(const struct commit_search *s)
{
    struct table *t = table_new("offer_levels", commit_level_columns, COMMIT_LEVEL_COLUMNS);
    bool ok = t != NULL;
    for (size_t k = 0; ok && k < s->worlds->items; k++) {
        struct text is;
        text_init(&is, 0);
        commit_offer_text(s->worlds, k, &is);
        for (size_t i = 0; ok && i < s->curves[k].count; i++) {
            ok = add_level(t, s, k, &s->curves[k].points[i], is.data);
        }
        ok = ok && !is.overflow;
        text_release(&is);
    }
    if (!ok) {
        table_free(t);
        return NULL;
    }
    return t;
}

struct table *commit_portfolios_table(const struct commit_worlds *w,
                                      const struct commit_choice *choices, size_t count)
{
    struct table *t = table_new("portfolios", commit_portfolio_columns, COMMIT_PORTFOLIO_COLUMNS);
    for (size_t i = 0; t != NULL && i < count; i++) {
        const struct commit_point *p = &choices[i].point;
        const struct commit_pair saves = commit_compare(&choices[0].point, p, w->count);
        const struct commit_pair cheaper = commit_compare(p, &choices[0].point, w->count);
        const size_t row = table_add_row(t);
        struct text sizes;
        if (row == SIZE_MAX) {
            table_free(t);
            return NULL;
        }
        text_init(&sizes, 0);
        commit_sizes_text(w, p->sizes, &sizes);
        table_set_text(t, row, PORTFOLIO, choices[i].name);
        table_set_text(t, row, SIGNS, sizes.data);
        text_release(&sizes);
        table_set_number(t, row, PF_MEAN, p->value.mean);
        if (i > 0) {
            table_set_number(t, row, SAVES, saves.mean);
            table_set_number(t, row, SAVES_LOW, saves.low);
            table_set_number(t, row, SAVES_HIGH, saves.high);
            table_set_number(t, row, CHEAPER, cheaper.cheaper);
        }
        table_set_number(t, row, PF_P50, p->value.p50);
        table_set_number(t, row, PF_P90, p->value.p90);
        table_set_number(t, row, PF_CVAR90, p->value.cvar90);
        table_set_number(t, row, PF_UNUSED, p->value.unused_frac);
        table_set_number(t, row, PF_BADLY, p->value.p_badly);
        table_set_number(t, row, PF_OBLIGATION, p->value.obligation);
        table_set_integer(t, row, WORLDS, (int64_t)w->count);
    }
    return t;
}
