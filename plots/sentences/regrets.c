/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/regrets.h"

#include "plots/facts/table_columns.h"
#include "plots/sentences/title_parts.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LITTLE 0.01 /* of the cost: too little to tell */

/* ---- reading ---- */

enum { STRATEGY, WORKLOAD, N, WORLDS, ORACLE, NODES, MEAN, P90, COLUMNS };

static bool find_columns(int columns[COLUMNS], const struct study_facts *f, const struct table *t,
                         struct diagnostics *d)
{
    static const char *const names[COLUMNS] = {"strategy",    "workload",    "n",
                                               "worlds",      "oracle_mean", "nodes_mean",
                                               "regret_mean", "regret_p90"};
    const char *suffix = strrchr(f->frame->cost_metric, '_');
    char name[64];

    for (int i = 0; i < COLUMNS; i++) {
        snprintf(name, sizeof name, "%s%.24s", names[i],
                 i >= ORACLE && suffix != NULL ? suffix : "");
        columns[i] = table_column_needed(t, name, d);
        if (columns[i] < 0)
            return false;
    }
    return true;
}

/* The index-th workload in the order of its first row; NULL behind the last. */
static const char *workload_at(const struct table *t, int column, size_t index)
{
    for (size_t row = 0; row < table_rows(t); row++) {
        const char *name = table_text(t, row, (size_t)column);
        bool seen = false;
        for (size_t k = 0; k < row && !seen; k++)
            seen = strcmp(table_text(t, k, (size_t)column), name) == 0;
        if (!seen && index-- == 0)
            return name;
    }
    return NULL;
}

bool regrets_read(struct regrets *r, const struct study_facts *f, const struct table *t,
                  size_t index, struct diagnostics *d)
{
    int c[COLUMNS];

    if (t == NULL || table_rows(t) == 0 || !find_columns(c, f, t, d))
        return false;
    *r = (struct regrets){.workload = workload_at(t, c[WORKLOAD], index)};
    if (r->workload == NULL)
        return false;
    r->one_of_several = index > 0 || workload_at(t, c[WORKLOAD], 1) != NULL;
    for (size_t i = 0; i < f->count; i++)
        r->of[i] = (struct regret){.n = -1.0};
    for (size_t row = 0; row < table_rows(t); row++) {
        if (strcmp(table_text(t, row, (size_t)c[WORKLOAD]), r->workload) != 0)
            continue;
        for (size_t i = 0; i < f->count; i++) {
            if (strcmp(table_text(t, row, (size_t)c[STRATEGY]), f->strategy[i].name) != 0)
                continue;
            r->worlds = table_number(t, row, (size_t)c[WORLDS]);
            r->of[i] = (struct regret){.n = table_number(t, row, (size_t)c[N]),
                                       .oracle = table_number(t, row, (size_t)c[ORACLE]),
                                       .nodes = table_number(t, row, (size_t)c[NODES]),
                                       .mean = table_number(t, row, (size_t)c[MEAN]),
                                       .p90 = table_number(t, row, (size_t)c[P90])};
        }
    }
    return true;
}

/* ---- lines ---- */

/* The bound of all futures, or as many as there are; of gangs that differ the least and the most.
 */
static void find_oracle(const struct regrets *r, size_t count, double *n, double *low, double *high)
{
    *n = 0.0;
    *low = *high = (double)NAN;
    for (size_t i = 0; i < count; i++)
        *n = fmax(*n, r->of[i].n);
    for (size_t i = 0; i < count; i++) {
        if (r->of[i].n < *n || r->of[i].n <= 0.0)
            continue;
        *low = fmin(*low, r->of[i].oracle); /* passes over NaN */
        *high = fmax(*high, r->of[i].oracle);
    }
}

void regrets_headline(struct text *out, const struct regrets *r, const struct study_facts *f,
                      int decimals)
{
    double n, low, high;
    struct figure from, to;

    find_oracle(r, f->count, &n, &low, &high);
    if (!(n > 0.0)) {
        text_add(out, "with hindsight: no strategy did '");
        label_clean(out, r->workload);
        text_format(out, "' in time in any of the first %s futures", figure_count(r->worlds).text);
        return;
    }
    from = figure_amount(low, decimals, FIGURE_NEAREST);
    to = figure_amount(high, decimals, FIGURE_NEAREST);
    text_add(out, "with hindsight the nodes of '");
    label_clean(out, r->workload);
    text_format(out, "' would have cost %s", from.text);
    if (strcmp(from.text, to.text) != 0)
        text_format(out, " to %s, after their type and number,", to.text);
    if (n < r->worlds)
        text_format(out, " at the least (mean of %s of the first %s futures)", figure_count(n).text,
                    figure_count(r->worlds).text);
    else
        text_format(out, " at the least (mean of the first %s futures)", figure_count(n).text);
}

void regrets_entry(struct text *out, const struct regrets *r, const struct study_facts *f,
                   size_t strategy, int decimals)
{
    const struct regret *one = &r->of[strategy];

    label_clean(out, f->strategy[strategy].name);
    if (one->n <= 0.0) {
        text_add(out, ": never in time");
        return;
    }
    text_format(out, ": %s, P90 %s", figure_amount(one->mean, decimals, FIGURE_UP).text,
                figure_amount(one->p90, decimals, FIGURE_UP).text);
    if (one->n < r->worlds)
        text_format(out, " (%s in time)", figure_share(one->n / r->worlds, r->worlds).text);
}

/* ---- title ---- */

void title_policies(struct text *out, const struct study_facts *f, const struct regrets *r)
{
    const struct fact_chance *late;
    const struct regret *one;
    struct title_words x;
    struct text on;
    int told = facts_told(f);

    if (told < 0) {
        title_unfinished(out, f);
        return;
    }
    text_init(&on, 256);
    if (r->one_of_several) {
        text_add(&on, " on '");
        label_shorten(&on, r->workload, 14.0, true);
        text_add(&on, "'");
    }
    x = title_name(f, told);
    one = &r->of[told];
    late = &f->strategy[told].late;
    if (!(one->n > 0.0) || !(one->nodes > 0.0)) {
        text_format(out, "What %s could have saved%s with hindsight is not known", x.text, on.data);
        text_release(&on);
        return;
    }
    if (one->mean < LITTLE * one->nodes)
        text_format(out, "Hindsight could have saved %s%s less than 1 %% (mean)", x.text, on.data);
    else
        text_format(out, "Hindsight could have saved %s%s at most %s of %s (mean)", x.text, on.data,
                    title_money(f, one->mean, FIGURE_UP).text,
                    title_money(f, one->nodes, FIGURE_NEAREST).text);
    text_release(&on);
    if (one->n < r->worlds)
        text_add(out, ", where it is in time");
    else if (isfinite(late->at_least))
        text_format(out, "; it is late %s", title_in_futures(late->at_most, late->n, false).text);
}
