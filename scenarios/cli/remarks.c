/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/remarks.h"

#include "engine/civil_time.h"
#include "engine/quantity.h"
#include "engine/text.h"
#include "plots/text/figures.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/cli/wrap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { INDENT = 2, DEEPER = 6 };

/* Longer lines are hard to read, however broad the terminal is. */
#define MOST_WIDTH 100

void remarks_print_wrapped(const struct text *t, int column, int indent)
{
    size_t width = table_print_columns(MOST_WIDTH);
    wrap_print(stdout, t->data, column, indent, (int)(width < MOST_WIDTH ? width : MOST_WIDTH));
}

/* A paragraph whose first line begins at INDENT. Texts come from scenarios and price files: they
 * must not drive a terminal. */
static void print_paragraph(const struct text *t)
{
    printf("%*s", INDENT, "");
    remarks_print_wrapped(t, INDENT, DEEPER);
}

static void add(struct text *t, const char *s)
{
    text_add_visible(t, s, strlen(s));
}

/* ", last seen 2026-07-20, 1,115 days before the start" */
static void add_age(struct text *t, const char *words, int64_t seen_unix_s, int64_t start_unix_s)
{
    double days = (double)((start_unix_s - seen_unix_s) / 86400);
    char date[24];
    text_format(t, "%s %s, %s day%s before the start", words, civil_date_text(seen_unix_s, date),
                figure_count(days).text, text_plural(days));
}

void remarks_print_scenario(const struct study *s)
{
    const struct scenario *sc = s->scenario;
    char start[24], as_of[24], horizon[32];
    struct text t;
    text_init(&t, 0);
    text_add(&t, "Scenario ");
    add(&t, sc->name);
    text_format(&t, ": from %s for %s in ", civil_date_text(sc->start.unix_s, start),
                quantity_time_text(sc->horizon_s, horizon));
    add(&t, sc->region);
    text_format(&t, ", prices as of %s, %s, tax %s",
                civil_date_text(sc->prices_as_of_unix_s, as_of), sc->currency,
                study_with_tax(s) ? "included" : "excluded");
    if (sc->budget.given) {
        text_format(&t, ", budget %s",
                    figure_money(sc->budget.median, sc->currency, FIGURE_NEAREST).text);
        if (sc->report.given) {
            text_format(&t, ", %s",
                        figure_money(in_report_currency(&sc->report, sc->budget.median),
                                     sc->report.code, FIGURE_NEAREST)
                            .text);
        }
        text_add(&t, sc->budget.input >= 0 ? " (uncertain)" : "");
    }
    if (s->replications > 0) {
        text_format(&t, "; %s world%s", figure_count(s->replications).text,
                    text_plural(s->replications));
    } else {
        text_format(&t, "; worlds until %s is known to %.3g %%, at most %s", sc->precision_of,
                    100 * sc->precision.median, figure_count(s->most_replications).text);
    }
    text_format(&t, ", seed %" PRId64, sc->seed);
    remarks_print_wrapped(&t, 0, DEEPER);
    text_release(&t);
}

/* ---- prices ---- */

/* As it is billed: "21.957642 USD/h". */
static void add_amount(struct text *t, const struct study *s, int pool)
{
    double low, high, price = market_planned_price_per_hour(s->market, pool);
    money_t per_hour;
    char amount[32];
    if (market_planned_price_range(s->market, pool, &low, &high)) {
        text_format(t, "%.4g to %.4g (90 %%), P50 %.4g", low, high, price);
    } else if (money_from_double(price, &per_hour)) {
        text_add(t, money_text(per_hour, amount));
    }
    text_format(t, " %s/h", s->scenario->currency);
}

static void add_price(struct text *t, const struct study *s, int pool)
{
    const struct pool_info *info = market_pool_info(s->market, pool);
    struct dated_price row;
    char date[24];
    text_format(t, "%s %s in ", purchase_names[info->purchase], info->type->name);
    add(t, info->zone);
    text_add(t, ": ");
    add_amount(t, s, pool);
    text_add(t, ", ");
    struct planned_replay replay;
    if (market_planned_replay(s->market, pool, &replay) && replay.price) {
        text_add(t, "the mean of trace ");
        add(t, replay.file);
        text_add(t, ", whose prices are replayed");
        return;
    }
    if (!market_planned_price_row(s->market, pool, &row)) {
        text_add(t, "as the scenario states");
        return;
    }
    text_format(t, "since %s", civil_date_text(row.from_unix_s, date));
    if (row.confirmed_unix_s >= s->scenario->start.unix_s) {
        text_add(t, ", and still at the start");
    } else {
        add_age(t, ", last seen", row.confirmed_unix_s, s->scenario->start.unix_s);
    }
    text_add(t, "; ");
    add(t, row.layer);
    text_add(t, ": ");
    add(t, row.source);
}

void remarks_print_prices(const struct study *s)
{
    puts("Prices at the start");
    for (size_t i = 0; i < market_plan_pools(s->market); i++) {
        struct text t;
        if (market_pool_info(s->market, (int)i)->purchase == PURCHASE_OWNED) {
            continue; /* no price by the hour */
        }
        text_init(&t, 0);
        add_price(&t, s, (int)i);
        print_paragraph(&t);
        text_release(&t);
    }
}

static bool any_price_replayed(const struct study *s)
{
    struct planned_replay replay;
    for (size_t i = 0; i < market_plan_pools(s->market); i++) {
        if (market_planned_replay(s->market, (int)i, &replay) && replay.price) {
            return true;
        }
    }
    return false;
}

void remarks_print_price_age(const struct study *s)
{
    const struct scenario *sc = s->scenario;
    int64_t oldest = INT64_MAX;
    const struct pool_info *of = NULL;
    for (size_t i = 0; i < market_plan_pools(s->market); i++) {
        struct dated_price row;
        if (market_planned_price_row(s->market, (int)i, &row) && row.confirmed_unix_s < oldest) {
            oldest = row.confirmed_unix_s;
            of = market_pool_info(s->market, (int)i);
        }
    }
    struct text t;
    text_init(&t, 0);
    if (of == NULL) {
        text_format(&t, "Prices are as the scenario states them%s, in ",
                    any_price_replayed(s) ? " or its traces have them" : "");
        add(&t, sc->region);
    } else {
        text_add(&t, "List prices (Linux, shared tenancy) in ");
        add(&t, sc->region);
        if (sc->start.unix_s > oldest) {
            text_format(&t, "; the oldest in use, %s %s, was", purchase_names[of->purchase],
                        of->type->name);
            add_age(&t, " last seen on", oldest, sc->start.unix_s);
        } else {
            text_add(&t, "; each was in force at the start and seen again since");
        }
    }
    text_add(&t, ".");
    remarks_print_wrapped(&t, 0, INDENT);
    text_release(&t);
}

/* The prices of an on-demand pool are those of its region: told once for all its zones. */
static bool told_before(const struct study *s, size_t pool)
{
    const struct pool_info *info = market_pool_info(s->market, (int)pool);
    for (size_t i = 0; i < pool; i++) {
        const struct pool_info *other = market_pool_info(s->market, (int)i);
        double from_s;
        money_t per_hour;
        if (other->type == info->type && other->purchase == info->purchase &&
            market_planned_price_step(s->market, (int)i, 0, &from_s, &per_hour)) {
            return true;
        }
    }
    return false;
}

static void add_steps(struct text *t, const struct study *s, int pool)
{
    const struct pool_info *info = market_pool_info(s->market, pool);
    double from_s;
    money_t before, after;
    char amount[32], date[24];
    if (!money_from_double(market_planned_price_per_hour(s->market, pool), &before)) {
        return;
    }
    for (size_t i = 0; market_planned_price_step(s->market, pool, i, &from_s, &after); i++) {
        int64_t unix_s = s->scenario->start.unix_s + (int64_t)from_s;
        text_format(t, "%s%s %s %s", t->length > 0 ? "; " : "", purchase_names[info->purchase],
                    info->type->name, money_text(before, amount));
        text_format(t, " -> %s %s/h on %s", money_text(after, amount), s->scenario->currency,
                    civil_date_text(unix_s, date));
        before = after;
    }
}

void remarks_print_price_steps(const struct study *s)
{
    struct text steps, t;
    text_init(&steps, 0);
    for (size_t i = 0; i < market_plan_pools(s->market); i++) {
        if (!told_before(s, i)) {
            add_steps(&steps, s, (int)i);
        }
    }
    if (steps.length > 0) {
        text_init(&t, 0);
        text_format(&t, "Price steps inside the plan: %s.", steps.data);
        remarks_print_wrapped(&t, 0, INDENT);
        text_release(&t);
    }
    text_release(&steps);
}

/* ---- assumptions ---- */

void remarks_print_assumptions(const struct study *s)
{
    if (s->assumptions.count == 0) {
        puts("Assumed: nothing.");
        return;
    }
    puts("Assumed:");
    for (size_t i = 0; i < s->assumptions.count; i++) {
        const struct assumption *a = &s->assumptions.items[i];
        struct text t;
        text_init(&t, 0);
        add(&t, a->what);
        text_add(&t, ": ");
        add(&t, a->value);
        text_add(&t, a->extrapolated ? " [extrapolated; " : " [");
        add(&t, a->source);
        text_add(&t, "]");
        print_paragraph(&t);
        text_release(&t);
    }
}

void remarks_print_not_modelled(const struct study *s)
{
    struct text t;
    text_init(&t, 0);
    text_add(&t, "Not modelled: ");
    for (size_t i = 0; study_not_modelled(s, i) != NULL; i++) {
        text_format(&t, "%s%s", i == 0 ? "" : "; ", study_not_modelled(s, i));
    }
    text_add(&t, ".");
    remarks_print_wrapped(&t, 0, INDENT);
    text_release(&t);
}
