/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/console/run_table.h"

#include "plots/console/driver_lines.h"
#include "plots/console/regret_lines.h"
#include "plots/console/run_remarks.h"
#include "plots/console/service_lines.h"
#include "plots/console/wait_lines.h"
#include "plots/facts/quantile_text.h"
#include "plots/facts/study_facts.h"
#include "plots/sentences/title_service.h"
#include "plots/text/figures.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum column_id {
    R_MARK,
    R_STRATEGY,
    R_COST_P50,
    R_COST_P90,
    R_SAVES,
    R_CHEAPER,
    R_OVER,
    R_SIGNED,
    R_TIME_P50,
    R_TIME_P90,
    R_LATE,
    R_UNFINISHED,
    R_SERVED,
    R_SLO,
    R_LATENCY,
    R_PER_1000,
    R_COUNT
};

static const struct terminal_column columns[R_COUNT] = {
    [R_MARK] = {"", false},
    [R_STRATEGY] = {"STRATEGY", false},
    [R_COST_P50] = {"COST P50", true},
    [R_COST_P90] = {"COST P90", true},
    [R_SAVES] = {"SAVES", true},
    [R_CHEAPER] = {"CHEAPER IN", true},
    [R_OVER] = {"OVER BUDGET", true},
    [R_SIGNED] = {"SIGNED", true},
    [R_TIME_P50] = {"TIME P50", true},
    [R_TIME_P90] = {"TIME P90", true},
    [R_LATE] = {"LATE", true},
    [R_UNFINISHED] = {"NOT FINISHED", true},
    [R_SERVED] = {"SERVED", true},
    [R_SLO] = {"WITHIN SLO", true},
    [R_LATENCY] = {"LATENCY P95", true},
    [R_PER_1000] = {"PER 1,000 REQUESTS", true}};

struct run_table {
    const struct study_facts *facts;
    int decimals;
    enum time_unit unit;
    bool used[R_COUNT];
    struct run_remarks remarks; /* around it */
};

static bool is_chosen(const struct run_table *t, size_t i)
{
    const char *chosen = t->facts->frame->chosen;

    return chosen != NULL && strcmp(chosen, t->facts->strategy[i].name) == 0;
}

/* Whether the foot of the table must explain something of this strategy's saving. */
static void note_difference(struct run_table *t, size_t i)
{
    enum fact_relation relation = t->facts->strategy[i].cost_difference.relation;
    struct run_remarks *r = &t->remarks;

    if ((int)i == t->facts->baseline)
        return;
    r->unclear = r->unclear || relation == FACT_UNCLEAR;
    r->assumed = r->assumed || relation == FACT_ASSUMED;
    r->interval = r->interval ||
                  (relation != FACT_UNKNOWN && relation != FACT_SAME && relation != FACT_ASSUMED);
}

/* Of one service alone; several have no joint quantile. */
static bool has_latency(const struct study_facts *f)
{
    bool any = false;

    for (size_t i = 0; i < f->count; i++)
        any = any || isfinite(f->strategy[i].latency_p95.p50.value);
    return any;
}

static bool has_price(const struct study_facts *f)
{
    bool any = false;

    for (size_t i = 0; i < f->count; i++)
        any = any || isfinite(f->strategy[i].per_1000.p50.value);
    return any;
}

static void plan_columns(struct run_table *t)
{
    const struct study_facts *f = t->facts;
    double largest = 0.0;
    bool chosen = false;

    for (size_t i = 0; i < f->count; i++) {
        const struct fact_metric *cost = &f->strategy[i].cost;
        /* fmax passes over NaN. */
        largest = fmax(largest, fmax(cost->p50.value, cost->p50.at_least));
        largest = fmax(largest, fmax(cost->p90.value, cost->p90.at_least));
        chosen = chosen || is_chosen(t, i);
        note_difference(t, i);
    }
    t->decimals = figure_amount_decimals(largest);
    t->unit = f->unit;
    for (size_t k = 0; k < R_COUNT; k++)
        t->used[k] = true;
    t->used[R_MARK] = chosen;
    t->used[R_SAVES] = t->used[R_CHEAPER] = f->baseline >= 0 && f->count > 1;
    t->used[R_OVER] = f->has_budget;
    t->used[R_SIGNED] = f->has_obligation;
    t->used[R_TIME_P50] = t->used[R_TIME_P90] = f->has_time;
    t->used[R_LATE] = f->has_late;
    t->used[R_SERVED] = f->has_served;
    t->used[R_UNFINISHED] = f->has_time || !(f->has_served || f->has_service);
    t->used[R_SLO] = f->has_slo;
    t->used[R_LATENCY] = has_latency(f);
    t->used[R_PER_1000] = has_price(f);
    t->remarks.facts = f;
    t->remarks.decimals = t->decimals;
    t->remarks.saves = t->used[R_SAVES];
    t->remarks.latency = t->used[R_LATENCY];
}

/* With a star where it is of no steady state. */
static struct figure latency_text(const struct strategy_facts *s)
{
    struct figure f = title_latency_figure(s->latency_p95.p50.value, FIGURE_NEAREST);
    const size_t used = strlen(f.text);

    if (s->overloaded_h > 0.0)
        snprintf(f.text + used, sizeof f.text - used, "*");
    return f;
}

static struct figure saves_text(const struct run_table *t, size_t i)
{
    const struct fact_difference *d = &t->facts->strategy[i].cost_difference;
    struct figure f;

    if ((int)i == t->facts->baseline)
        snprintf(f.text, sizeof f.text, "baseline");
    else if (d->relation == FACT_ASSUMED)
        snprintf(f.text, sizeof f.text, "assumed");
    else if (facts_one_pair(d))
        f = figure_amount(-d->mean, t->decimals, FIGURE_NEAREST);
    else if (d->relation == FACT_UNKNOWN)
        snprintf(f.text, sizeof f.text, "unknown");
    else if (d->relation == FACT_SAME)
        snprintf(f.text, sizeof f.text, "nothing");
    else
        snprintf(f.text, sizeof f.text, "%s%.16s \xc2\xb1 %.16s",
                 d->relation == FACT_UNCLEAR ? "unclear: " : "",
                 figure_amount(-d->mean, t->decimals, FIGURE_NEAREST).text,
                 figure_amount(0.5 * (d->high - d->low), t->decimals, FIGURE_UP).text);
    return f;
}

static struct figure cheaper_text(const struct run_table *t, size_t i)
{
    const struct fact_difference *d = &t->facts->strategy[i].cost_difference;
    struct figure f = {"-"};

    if ((int)i == t->facts->baseline || d->relation == FACT_ASSUMED)
        return f;
    return figure_chance(d->win_at_least, d->win_at_most, d->n + d->left_out);
}

static struct figure chance_text(const struct fact_chance *c)
{
    struct figure none = {"-"};

    return c->n > 0.0 ? figure_chance(c->at_least, c->at_most, c->n) : none;
}

/* Rounded down: what is not all is never shown as all. */
static struct figure served_text(double share)
{
    struct figure f = {"-"};

    if (isfinite(share) && share >= 1.0)
        snprintf(f.text, sizeof f.text, "all");
    else if (isfinite(share))
        snprintf(f.text, sizeof f.text, "%.1f %%", floor(1000.0 * share) / 10.0);
    return f;
}

static struct figure price_text(double price)
{
    struct figure f = {"-"};

    return isfinite(price) ? figure_amount(price, figure_amount_decimals(price), FIGURE_NEAREST)
                           : f;
}

static struct figure cell_text(const struct run_table *t, size_t i, enum column_id id)
{
    const struct strategy_facts *s = &t->facts->strategy[i];
    struct figure f = {"-"};

    switch (id) {
    case R_COST_P50:
        return s->cost.present ? quantile_amount(&s->cost.p50, t->decimals) : f;
    case R_COST_P90:
        return s->cost.present ? quantile_amount(&s->cost.p90, t->decimals) : f;
    case R_SAVES:
        return saves_text(t, i);
    case R_CHEAPER:
        return cheaper_text(t, i);
    case R_OVER:
        return chance_text(&s->over_budget);
    case R_SIGNED:
        return isfinite(s->obligation) ? figure_amount(s->obligation, t->decimals, FIGURE_NEAREST)
                                       : f;
    case R_TIME_P50:
        return s->time.present ? quantile_time(&s->time.p50, t->unit, QUANTILE_FULL) : f;
    case R_TIME_P90:
        return s->time.present ? quantile_time(&s->time.p90, t->unit, QUANTILE_FULL) : f;
    case R_LATE:
        return chance_text(&s->late);
    case R_UNFINISHED:
        return s->worlds > 0.0 ? figure_share(s->unfinished_share, s->worlds) : f;
    case R_SERVED:
        return served_text(s->served);
    case R_SLO:
        return isfinite(s->slo.mean) ? title_attained(s->slo.mean) : f;
    case R_LATENCY:
        return isfinite(s->latency_p95.p50.value) ? latency_text(s) : f;
    case R_PER_1000:
        return price_text(s->per_1000.p50.value);
    case R_MARK:
    case R_STRATEGY:
    case R_COUNT:
        break;
    }
    return f;
}

/* The columns named in `ids`, as far as they are used. NULL when out of memory. */
static struct terminal_table *fill(const struct run_table *t, const enum column_id *ids,
                                   size_t count)
{
    struct terminal_column chosen[R_COUNT];
    enum column_id used[R_COUNT];
    struct terminal_table *out;
    size_t n = 0;

    for (size_t k = 0; k < count; k++) {
        if (!t->used[ids[k]])
            continue;
        used[n] = ids[k];
        chosen[n++] = columns[ids[k]];
    }
    out = terminal_table_new(chosen, n);
    for (size_t i = 0; out != NULL && i < t->facts->count; i++) {
        size_t row = terminal_table_add_row(out);
        for (size_t k = 0; k < n; k++) {
            if (used[k] == R_STRATEGY)
                terminal_table_set(out, row, k, t->facts->strategy[i].name);
            else if (used[k] == R_MARK)
                terminal_table_set(out, row, k, is_chosen(t, i) ? "\xe2\x9c\x94" : "");
            else
                terminal_table_set(out, row, k, cell_text(t, i, used[k]).text);
        }
    }
    return out;
}

static bool write_tables(const struct run_table *t, const struct terminal_style *style, FILE *out)
{
    static const enum column_id all[] = {R_MARK,     R_STRATEGY, R_COST_P50, R_COST_P90,
                                         R_SAVES,    R_CHEAPER,  R_OVER,     R_SIGNED,
                                         R_TIME_P50, R_TIME_P90, R_LATE,     R_UNFINISHED,
                                         R_SERVED,   R_SLO,      R_LATENCY,  R_PER_1000};
    static const enum column_id cost[] = {R_MARK,  R_STRATEGY, R_COST_P50, R_COST_P90,
                                          R_SAVES, R_CHEAPER,  R_OVER,     R_SIGNED};
    static const enum column_id time[] = {R_MARK,    R_STRATEGY,   R_TIME_P50, R_TIME_P90,
                                          R_LATE,    R_UNFINISHED, R_SERVED,   R_SLO,
                                          R_LATENCY, R_PER_1000};
    struct terminal_table *one = fill(t, all, sizeof all / sizeof all[0]), *two = NULL;
    bool ok = one != NULL;

    if (ok && (style->width == 0 || terminal_table_width(one, style) <= style->width)) {
        ok = terminal_table_write(one, style, out);
    } else if (ok) {
        terminal_table_free(one);
        one = fill(t, cost, sizeof cost / sizeof cost[0]);
        two = fill(t, time, sizeof time / sizeof time[0]);
        ok = one != NULL && two != NULL && terminal_table_write(one, style, out) &&
             fputc('\n', out) != EOF && terminal_table_write(two, style, out);
    }
    terminal_table_free(one);
    terminal_table_free(two);
    return ok;
}

bool run_table_write(const struct chart_frame *frame, const struct chart_tables *tables,
                     const struct terminal_style *style, FILE *out, struct diagnostics *d)
{
    struct study_facts facts;
    struct run_table t = {.facts = &facts};

    if (!study_facts_init(&facts, frame, tables, d))
        return false;
    plan_columns(&t);
    if (run_remarks_head(&t.remarks, style, out) && write_tables(&t, style, out) &&
        run_remarks_foot(&t.remarks, style, out) &&
        wait_lines(&facts, tables->summary, style, out) &&
        service_lines(tables->services, style, out, d) &&
        regret_lines(&facts, tables->oracle, t.decimals, style, out, d) &&
        driver_lines(&facts, tables->sensitivity, tables->information, t.decimals, style, out, d))
        return true;
    if (diagnostics_failed(d))
        return false;
    diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0},
                    "cannot write the table of results: %s", strerror(errno));
    return false;
}
