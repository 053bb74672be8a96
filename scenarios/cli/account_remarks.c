/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/account_remarks.h"

#include "engine/text.h"
#include "plots/text/figures.h"
#include "scenarios/cli/remarks.h"

#include <stdio.h>
#include <string.h>

enum { INDENT = 2, DEEPER = 6 };

static void print_item(struct text *t)
{
    printf("%*s", INDENT, "");
    remarks_print_wrapped(t, INDENT, DEEPER);
    text_clear(t);
}

static void add_visible(struct text *t, const char *s)
{
    text_add_visible(t, s, strlen(s));
}

static void add_owner(struct text *t, const char *owner)
{
    if (owner != NULL) {
        text_add(t, ", owner ");
        add_visible(t, owner);
    }
}

static void add_commitment(struct text *t, const struct study *s, size_t index)
{
    const struct commitment *c = &s->account.commitments[index];
    const char *currency = s->scenario->currency;
    char amount[32];
    add_visible(t, c->name);
    text_format(t, ", %s", commitment_kind_names[c->kind]);
    if (c->zone != NULL) {
        text_add(t, " in ");
        add_visible(t, c->zone);
    }
    add_owner(t, s->account.specs[index].owner);
    text_format(t, ": %s %s/h", money_text(c->recurring_per_hour, amount), currency);
    text_format(t, ", %s %s of it inside the horizon",
                money_text(account_sunk(&s->account, index, s->frame.horizon_us), amount),
                currency);
}

static double mean_count(const struct others_use *u, int64_t until_us)
{
    double sum = 0;
    for (size_t i = 0; i < u->step_count && u->steps[i].at_us < until_us; i++) {
        int64_t to_us = i + 1 < u->step_count ? u->steps[i + 1].at_us : until_us;
        to_us = to_us < until_us ? to_us : until_us;
        sum += (double)u->steps[i].count * (double)(to_us - u->steps[i].at_us);
    }
    return sum / (double)until_us;
}

static void add_use(struct text *t, const struct study *s, const struct others_use *u)
{
    const struct pool_info *info = market_pool_info(s->market, u->pool);
    const struct others_use_spec *spec = u->spec;
    text_format(t, "others: %s x %s on demand in ",
                figure_decimal(mean_count(u, s->frame.horizon_us), spec->count_given ? 0 : 2).text,
                info->type->name);
    add_visible(t, info->zone);
    add_owner(t, spec->owner);
    if (spec->count_given) {
        text_add(t, ", at all times");
    } else if (spec->file != NULL) {
        text_add(t, " on average, as in ");
        add_visible(t, spec->file);
    } else {
        text_format(t, " on average, by the hour of the %s", spec->day.count > 0 ? "day" : "week");
    }
    if (spec->scale.input >= 0) {
        text_format(t, "; times an uncertain factor, P50 %.3g", spec->scale.median);
    } else if (spec->scale.median < 1 || spec->scale.median > 1) {
        text_format(t, "; times %.3g", spec->scale.median);
    }
}

void account_remarks_print(const struct study *s)
{
    if (!account_matters(&s->account)) {
        return;
    }
    struct text t;
    text_init(&t, 0);
    puts("\nBeside the plan, in its account");
    for (size_t i = 0; i < s->account.commitment_count; i++) {
        add_commitment(&t, s, i);
        print_item(&t);
    }
    for (size_t i = 0; i < s->account.use_count; i++) {
        add_use(&t, s, &s->account.uses[i]);
        print_item(&t);
    }
    text_release(&t);
    account_remarks_print_sunk(s);
}

void account_remarks_print_sunk(const struct study *s)
{
    if (s->account.commitment_count == 0) {
        return;
    }
    struct text t;
    char amount[32];
    text_init(&t, 0);
    text_format(&t,
                "Sunk: %s %s for %zu existing commitment%s inside the horizon, paid in every "
                "strategy alike and in none of the costs.",
                money_text(s->account.sunk, amount), s->scenario->currency,
                s->account.commitment_count, text_plural((double)s->account.commitment_count));
    remarks_print_wrapped(&t, 0, INDENT);
    text_release(&t);
}
