/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/commitment_table.h"

#include "scenarios/study/metrics.h"

#include <stdio.h>

enum { NAME, COVERED_H, COVERED, USED, UNUSED, LATER, OTHERS_H, COLUMNS };

static bool add_account(struct table *t, const char *name, const struct committed_account *a,
                        bool beside)
{
    size_t row = table_add_row(t);
    if (row == SIZE_MAX) {
        return false;
    }
    table_set_text(t, row, NAME, name);
    table_set_number(t, row, COVERED_H, (double)a->covered_us / (double)HOUR_US);
    table_set_money(t, row, COVERED, a->covered);
    table_set_money(t, row, USED, a->used);
    table_set_money(t, row, UNUSED, a->unused);
    table_set_money(t, row, LATER, a->later);
    if (beside) {
        table_set_number(t, row, OTHERS_H, (double)a->others_us / (double)HOUR_US);
    }
    return true;
}

static void add_to(struct committed_account *sum, const struct committed_account *part)
{
    sum->covered_us += part->covered_us;
    sum->others_us += part->others_us;
    (void)money_add(&sum->covered, part->covered);
    (void)money_add(&sum->used, part->used);
    (void)money_add(&sum->unused, part->unused);
    (void)money_add(&sum->later, part->later);
}

struct table *commitment_table(const struct study *s, size_t strategy,
                               const struct committed_account *accounts)
{
    static const char *const stems[COLUMNS] = {
        [COVERED] = "covered", [USED] = "used", [UNUSED] = "unused", [LATER] = "later"};
    const char *currency = s->scenario->currency;
    char unit[16], names[COLUMNS][32];
    metric_unit(METRIC_COST, currency, unit);
    for (int i = COVERED; i <= LATER; i++) {
        snprintf(names[i], sizeof names[i], "%s_%s", stems[i], unit);
    }
    const struct column columns[COLUMNS] = {
        [NAME] = {"commitment", "", "What was signed", COLUMN_TEXT, -1},
        [COVERED_H] = {"covered_h", "h", "Node-hours it covered", COLUMN_NUMBER, 3},
        [COVERED] = {names[COVERED], currency, "Their worth on demand", COLUMN_MONEY, 4},
        [USED] = {names[USED], currency, "Its cost as far as it was used", COLUMN_MONEY, 4},
        [UNUSED] = {names[UNUSED], currency, "Lost inside the horizon", COLUMN_MONEY, 4},
        [LATER] = {names[LATER], currency, "Borne after the horizon", COLUMN_MONEY, 4},
        [OTHERS_H] = {"others_h", "h", "Node-hours of others that it covered", COLUMN_NUMBER, 3},
    };
    const struct commitment_plan *plan = &s->strategies[strategy].commitments;
    const bool beside = account_matters(&s->account);
    struct table *t = table_new("commitments", columns, beside ? COLUMNS : OTHERS_H);
    struct committed_account all = {0};
    bool ok = t != NULL;
    for (size_t i = 0; ok && i < plan->count; i++) {
        ok = add_account(t, plan->items[i].name, &accounts[i], beside);
        add_to(&all, &accounts[i]);
    }
    ok = ok && (plan->count <= 1 || add_account(t, "all", &all, beside));
    for (size_t i = plan->count; ok && i < plan->count + plan->sunk; i++) {
        ok = add_account(t, plan->items[i].name, &accounts[i], beside);
    }
    for (size_t i = 0; ok && i < plan->reservations.count; i++) {
        ok = add_account(t, plan->reservations.items[i].name,
                         &accounts[plan->count + plan->sunk + i], beside);
    }
    if (!ok) {
        table_free(t);
        return NULL;
    }
    return t;
}
