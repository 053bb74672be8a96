/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/remarks.h"

#include "engine/civil_time.h"
#include "engine/quantity.h"
#include "engine/text.h"
#include "plots/figures.h"
#include "scenarios/cli/wrap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 100, INDENT = 2, DEEPER = 6 };

/* A paragraph whose first line begins at INDENT. Texts come from scenarios and price files: they
 * must not drive a terminal. */
static void print_paragraph(const struct text *t, int indent)
{
    printf("%*s", indent, "");
    wrap_print(stdout, t->data, indent, DEEPER, WIDTH);
}

static void add(struct text *t, const char *s)
{
    text_add_visible(t, s, strlen(s));
}

static long long days(int64_t seconds)
{
    return (long long)(seconds / 86400);
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
    text_format(&t, ", prices as of %s, %s, tax excluded",
                civil_date_text(sc->prices_as_of_unix_s, as_of), sc->currency);
    if (sc->budget.given) {
        text_format(&t, ", budget %s",
                    figure_money(sc->budget.median, sc->currency, FIGURE_NEAREST).text);
        text_add(&t, sc->budget.input >= 0 ? " (uncertain)" : "");
    }
    if (s->replications > 0) {
        text_format(&t, "; %s worlds", figure_count(s->replications).text);
    } else {
        text_format(&t, "; worlds until %s is known to %.3g %%, at most %s", sc->precision_of,
                    100 * sc->precision.median, figure_count(s->most_replications).text);
    }
    text_format(&t, ", seed %" PRId64, sc->seed);
    wrap_print(stdout, t.data, 0, DEEPER, WIDTH);
    text_release(&t);
}

/* ---- prices ---- */

static void add_price(struct text *t, const struct study *s, int pool)
{
    const struct pool_info *info = market_pool_info(s->market, pool);
    struct dated_price row;
    char date[24];
    text_format(t, "%s %s in ", purchase_names[info->purchase], info->type->name);
    add(t, info->zone);
    text_format(t, ": %.6g %s/h, ", market_planned_price_per_hour(s->market, pool),
                s->scenario->currency);
    if (!market_planned_price_row(s->market, pool, &row)) {
        text_add(t, "as the scenario states");
        return;
    }
    int64_t age_s = s->scenario->start.unix_s - row.confirmed_unix_s;
    text_format(t, "since %s", civil_date_text(row.from_unix_s, date));
    if (age_s <= 0) {
        text_add(t, ", and still at the start");
    } else {
        text_format(t, ", last seen %s, %lld day%s before the start",
                    civil_date_text(row.confirmed_unix_s, date), days(age_s),
                    days(age_s) == 1 ? "" : "s");
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
        text_init(&t, 0);
        add_price(&t, s, (int)i);
        print_paragraph(&t, INDENT);
        text_release(&t);
    }
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
    char seen[24];
    struct text t;
    text_init(&t, 0);
    if (of == NULL) {
        text_add(&t, "Prices are as the scenario states them, in ");
        add(&t, sc->region);
    } else {
        text_add(&t, "List prices (Linux, shared tenancy) in ");
        add(&t, sc->region);
        if (sc->start.unix_s > oldest) {
            long long age = days(sc->start.unix_s - oldest);
            text_format(
                &t, "; the oldest in use, %s %s, was last seen on %s, %lld day%s before the start",
                purchase_names[of->purchase], of->type->name, civil_date_text(oldest, seen), age,
                age == 1 ? "" : "s");
        } else {
            text_add(&t, "; each was in force at the start and seen again since");
        }
    }
    text_add(&t, ".");
    wrap_print(stdout, t.data, 0, INDENT, WIDTH);
    text_release(&t);
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
        print_paragraph(&t, INDENT);
        text_release(&t);
    }
}

void remarks_print_not_modelled(void)
{
    struct text t;
    text_init(&t, 0);
    text_add(&t, "Not modelled: ");
    for (size_t i = 0; study_not_modelled[i] != NULL; i++) {
        text_format(&t, "%s%s", i == 0 ? "" : "; ", study_not_modelled[i]);
    }
    text_add(&t, ".");
    wrap_print(stdout, t.data, 0, INDENT, WIDTH);
    text_release(&t);
}
