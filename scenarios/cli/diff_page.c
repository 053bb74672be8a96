/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/diff_page.h"

#include "engine/civil_time.h"
#include "engine/text.h"
#include "plots/text/figures.h"
#include "plots/text/markdown_table.h"
#include "scenarios/cli/diff_basis.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/decide/difference_table.h"
#include "scenarios/study/study.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The figures that a plan is judged by. */
static const struct page_row {
    const char *label;
    enum metric metric;
    enum objective_stat stat;
    double quantile;
    bool unfinished;
    bool steady; /* marked where it is of no steady state */
} page_rows[] = {
    {"cost, mean", METRIC_COST, OBJECTIVE_MEAN, 0, false, false},
    {"cost, P50", METRIC_COST, OBJECTIVE_QUANTILE, 0.5, false, false},
    {"cost, P90", METRIC_COST, OBJECTIVE_QUANTILE, 0.9, false, false},
    {"over budget", METRIC_OVER_BUDGET, OBJECTIVE_MEAN, 0, false, false},
    {"time, P50", METRIC_TIME_TO_TRAIN, OBJECTIVE_QUANTILE, 0.5, false, false},
    {"time, P90", METRIC_TIME_TO_TRAIN, OBJECTIVE_QUANTILE, 0.9, false, false},
    {"late", METRIC_LATE, OBJECTIVE_MEAN, 0, false, false},
    {"not finished", METRIC_FINISHED, OBJECTIVE_MEAN, 0, true, false},
    {"signed obligation, mean", METRIC_OBLIGATION, OBJECTIVE_MEAN, 0, false, false},
    {"requests inside the SLO, mean", METRIC_SLO_ATTAINED, OBJECTIVE_MEAN, 0, false, false},
    {"P99 latency, P50 of worlds", METRIC_LATENCY_P99, OBJECTIVE_QUANTILE, 0.5, false, true},
    {"P99 TTFT, P50 of worlds", METRIC_TTFT_P99, OBJECTIVE_QUANTILE, 0.5, false, true},
};
enum { PAGE_ROWS = sizeof page_rows / sizeof page_rows[0] };

enum { STRATEGY, WORKLOAD, FIGURE, IN_A, IN_B, CHANGE, INTERVAL, VERDICT, COLUMNS };
static const struct column page_columns[COLUMNS] = {
    {"strategy", "", "", COLUMN_TEXT, 0}, {"workload", "", "", COLUMN_TEXT, 0},
    {"figure", "", "", COLUMN_TEXT, 0},   {"A", "", "", COLUMN_TEXT, 0},
    {"B", "", "", COLUMN_TEXT, 0},        {"change", "", "", COLUMN_TEXT, 0},
    {"95 %", "", "", COLUMN_TEXT, 0},     {"verdict", "", "", COLUMN_TEXT, 0},
};

/* ---- the table ---- */

/* "+1,240 USD", "-3 points". */
static void signed_text(const struct objective *o, double value, const char *currency, char out[64])
{
    char text[48];
    if (objective_dimension(o) == DIMENSION_SHARE) {
        snprintf(out, 64, "%+.3g points", 100 * value);
        return;
    }
    snprintf(out, 64, "%s%s", value < 0 ? "-" : "+",
             objective_value_text(o, fabs(value), currency, text));
}

/* A value, or what is known of it. */
static void put_value(struct table *t, size_t row, size_t column, const struct objective *o,
                      double value, double at_least, double at_most, const char *currency,
                      const char *mark)
{
    char text[160], low[48], high[48], marked[164];
    objective_value_text(o, at_least, currency, low);
    objective_value_text(o, at_most, currency, high);
    if (!isnan(value)) {
        objective_value_text(o, value, currency, text);
    } else if (isfinite(at_least) && isfinite(at_most)) {
        snprintf(text, sizeof text, "%s to %s", low, high);
    } else if (isfinite(at_least)) {
        snprintf(text, sizeof text, ">= %s", low);
    } else {
        snprintf(text, sizeof text, "unknown");
    }
    snprintf(marked, sizeof marked, "%s%s", text, mark);
    table_set_text(t, row, column, marked);
}

/* A star where hours of overload are in it. */
static const char *mark_of(const struct diff_side *s, size_t strategy, const char *workload,
                           const struct page_row *r)
{
    return r->steady && diff_side_overloaded(s, strategy, workload) ? "*" : "";
}

static void put_change(struct table *t, size_t row, const struct objective *o, const struct diff *d,
                       const char *currency)
{
    char text[160], low[64], high[64];
    if (d->verdict == DIFF_SAME || isnan(d->change)) {
        return;
    }
    signed_text(o, d->change, currency, low);
    if (isnan(d->share) || objective_dimension(o) == DIMENSION_SHARE) {
        snprintf(text, sizeof text, "%s", low);
    } else {
        snprintf(text, sizeof text, "%s, %s", low, figure_change(d->share).text);
    }
    table_set_text(t, row, CHANGE, text);
    if (isfinite(d->low) && isfinite(d->high)) {
        signed_text(o, d->low, currency, low);
        signed_text(o, d->high, currency, high);
        snprintf(text, sizeof text, "%s to %s", low, high);
        table_set_text(t, row, INTERVAL, text);
    }
}

static bool add_figure(struct table *t, const struct diff_page *p, size_t in_a, size_t in_b,
                       const char *workload, const struct page_row *r)
{
    struct diff d;
    struct objective o = difference_objective(r->metric, r->stat, r->quantile,
                                              strcmp(workload, STUDY_ALL) == 0 ? NULL : workload);
    o.unfinished = r->unfinished;
    if (!diff_measure(p->a, in_a, p->b, in_b, &o, &d)) {
        return false;
    }
    const bool nothing = d.verdict == DIFF_SAME && fabs(d.a) <= 0;
    if (d.verdict == DIFF_ABSENT || nothing) {
        return true;
    }
    const size_t row = table_add_row(t);
    if (row == SIZE_MAX) {
        return false;
    }
    table_set_text(t, row, STRATEGY, p->a->strategies[in_a]);
    if (p->a->results->workloads > 1) {
        table_set_text(t, row, WORKLOAD, workload);
    }
    table_set_text(t, row, FIGURE, r->label);
    if (d.verdict != DIFF_ONLY_B) {
        put_value(t, row, IN_A, &o, d.a, d.a_at_least, d.a_at_most, p->a->currency,
                  mark_of(p->a, in_a, workload, r));
    }
    if (d.verdict != DIFF_ONLY_A) {
        put_value(t, row, IN_B, &o, d.b, d.b_at_least, d.b_at_most, p->a->currency,
                  mark_of(p->b, in_b, workload, r));
    }
    table_set_text(t, row, VERDICT, diff_verdict_names[d.verdict]);
    put_change(t, row, &o, &d, p->a->currency);
    return true;
}

static bool add_strategy(struct table *t, const struct diff_page *p, size_t in_a, size_t in_b)
{
    bool ok = true;
    const size_t workloads = p->a->results->workloads;
    for (int i = 0; i < PAGE_ROWS; i++) {
        ok = ok && add_figure(t, p, in_a, in_b, STUDY_ALL, &page_rows[i]);
    }
    for (size_t w = 0; workloads > 1 && w < workloads; w++) {
        const char *name = p->a->workloads[w];
        for (int i = 0; diff_side_workload(p->b, name) != SIZE_MAX && i < PAGE_ROWS; i++) {
            ok = ok && add_figure(t, p, in_a, in_b, name, &page_rows[i]);
        }
    }
    return ok;
}

/* NULL when out of memory. */
static struct table *page_table(const struct diff_page *p)
{
    struct table *t = table_new("diff", page_columns, COLUMNS);
    bool ok = t != NULL;
    for (size_t k = 0; ok && k < p->a->results->strategies; k++) {
        const size_t other = diff_side_strategy(p->b, p->a->strategies[k]);
        ok = other == SIZE_MAX || add_strategy(t, p, k, other);
    }
    if (!ok) {
        table_free(t);
        return NULL;
    }
    return t;
}

/* ---- the sentences ---- */

static void say_side(struct command *c, const char *letter, const struct diff_side *s,
                     bool markdown)
{
    const char *text =
        arena_format(c->arena, "%s: %s (%s), %s world%s, seed %" PRId64 ", prices as of %s%s",
                     letter, s->label, s->scenario, figure_count(s->results->replications).text,
                     text_plural(s->results->replications), s->seed, s->prices_as_of,
                     s->partial ? "; partial: it was interrupted" : "");
    if (text != NULL) {
        diff_say(text, markdown);
    }
}

static void say_pairs(struct command *c, const struct diff_page *p, bool markdown)
{
    const uint32_t n = p->a->results->replications < p->b->results->replications
                           ? p->a->results->replications
                           : p->b->results->replications;
    const char *text =
        p->a->seed == p->b->seed
            ? arena_format(c->arena,
                           "world against world: the seed is the same, so the %s worlds that both "
                           "have are drawn alike",
                           figure_count(n).text)
            : arena_format(c->arena,
                           "the seeds differ, so the %s pairs are of different worlds: what is "
                           "luck does not cancel out; run both with one seed to see smaller "
                           "changes",
                           figure_count(n).text);
    if (text != NULL) {
        diff_say(text, markdown);
    }
    if (strcmp(p->a->version, p->b->version) != 0) {
        text = arena_format(c->arena,
                            "A was made by version %s, B by %s: the worlds of one seed "
                            "may differ between versions",
                            p->a->version, p->b->version);
        if (text != NULL) {
            diff_say(text, markdown);
        }
    }
}

static void say_setting(struct command *c, const char *what, const char *of_a, const char *of_b,
                        bool markdown)
{
    const char *text = strcmp(of_a, of_b) == 0
                           ? NULL
                           : arena_format(c->arena, "%s: %s in A, %s in B", what, of_a, of_b);
    if (text != NULL) {
        diff_say(text, markdown);
    }
}

static void say_settings(struct command *c, const struct diff_page *p, bool markdown)
{
    char of_a[64], of_b[64];
    const struct diff_side *a = p->a, *b = p->b;
    say_setting(c, "prices as of", a->prices_as_of, b->prices_as_of, markdown);
    say_setting(c, "start", civil_time_text(a->start_unix_s, of_a),
                civil_time_text(b->start_unix_s, of_b), markdown);
    snprintf(of_a, sizeof of_a, "%.4g d", a->horizon_s / 86400);
    snprintf(of_b, sizeof of_b, "%.4g d", b->horizon_s / 86400);
    say_setting(c, "horizon", of_a, of_b, markdown);
    snprintf(of_a, sizeof of_a, isnan(a->budget) ? "none" : "%.10g %s", a->budget, a->currency);
    snprintf(of_b, sizeof of_b, isnan(b->budget) ? "none" : "%.10g %s", b->budget, b->currency);
    say_setting(c, "budget", of_a, of_b, markdown);
}

/* Strategies and workloads that only one of them has. */
static void say_alone(struct command *c, const struct diff_page *p, bool markdown)
{
    const struct table *t = p->all;
    const size_t strategy = (size_t)table_find(t, "strategy");
    const size_t workload = (size_t)table_find(t, "workload");
    const size_t metric = (size_t)table_find(t, "metric");
    const size_t verdict = (size_t)table_find(t, "verdict");
    for (size_t i = 0; i < table_rows(t); i++) {
        if (!table_missing(t, i, metric)) {
            continue;
        }
        const char *of = table_text(t, i, workload);
        const bool whole = strcmp(of, STUDY_ALL) == 0;
        const char *text =
            arena_format(c->arena, "%s%s%s is %s", table_text(t, i, strategy), whole ? "" : ": ",
                         whole ? "" : of, table_text(t, i, verdict));
        if (text != NULL) {
            diff_say(text, markdown);
        }
    }
}

static bool is_shown(const char *metric, const char *currency)
{
    char column[64];
    for (int i = 0; i < PAGE_ROWS; i++) {
        if (strcmp(metric, metric_column(page_rows[i].metric, currency, column)) == 0) {
            return true;
        }
    }
    return false;
}

/* So many are named; csv has them all. */
#define MOST_NAMED 8

/* Columns of the table of differences. */
struct columns_of {
    size_t strategy, workload, metric, stat, verdict, share;
};

/* Of all workloads together, by the mean: what surely changed beside the table's figures. */
static bool changed(const struct diff_page *p, const struct columns_of *o, size_t row,
                    const char *strategy)
{
    const struct table *t = p->all;
    const char *verdict = table_text(t, row, o->verdict);
    return strcmp(table_text(t, row, o->strategy), strategy) == 0 &&
           strcmp(table_text(t, row, o->workload), STUDY_ALL) == 0 &&
           strcmp(table_text(t, row, o->stat), "mean") == 0 &&
           (strcmp(verdict, diff_verdict_names[DIFF_LESS]) == 0 ||
            strcmp(verdict, diff_verdict_names[DIFF_MORE]) == 0) &&
           !is_shown(table_text(t, row, o->metric), p->a->currency);
}

static void say_others_of(struct command *c, const struct diff_page *p, const struct columns_of *o,
                          const char *strategy, bool markdown)
{
    struct text list;
    size_t count = 0;
    text_init(&list, 2000);
    for (size_t i = 0; i < table_rows(p->all); i++) {
        if (!changed(p, o, i, strategy)) {
            continue;
        }
        if (count++ < MOST_NAMED) {
            text_format(&list, "%s%s", count == 1 ? "" : ", ", table_text(p->all, i, o->metric));
            if (!table_missing(p->all, i, o->share)) {
                text_format(&list, " (%s)", figure_change(table_number(p->all, i, o->share)).text);
            }
        }
    }
    if (count > MOST_NAMED) {
        text_format(&list, " and %zu more (--format csv has them)", count - MOST_NAMED);
    }
    const char *text = count == 0 ? NULL
                                  : arena_format(c->arena, "%s: also changed, by the mean: %s",
                                                 strategy, list.data);
    if (text != NULL) {
        diff_say(text, markdown);
    }
    text_release(&list);
}

static void say_others(struct command *c, const struct diff_page *p, bool markdown)
{
    const struct table *t = p->all;
    const struct columns_of o = {.strategy = (size_t)table_find(t, "strategy"),
                                 .workload = (size_t)table_find(t, "workload"),
                                 .metric = (size_t)table_find(t, "metric"),
                                 .stat = (size_t)table_find(t, "stat"),
                                 .verdict = (size_t)table_find(t, "verdict"),
                                 .share = (size_t)table_find(t, "change_frac")};
    for (size_t k = 0; k < p->a->results->strategies; k++) {
        say_others_of(c, p, &o, p->a->strategies[k], markdown);
    }
}

/* ---- the page ---- */

static void say_overload(const struct table *t, bool markdown)
{
    for (size_t row = 0; row < table_rows(t); row++) {
        if (strchr(table_text(t, row, IN_A), '*') != NULL ||
            strchr(table_text(t, row, IN_B), '*') != NULL) {
            diff_say("*: hours of overload are in it (overloaded_h), where latency is of no steady "
                     "state",
                     markdown);
            return;
        }
    }
}

void diff_page_print(struct command *c, const struct diff_page *p, bool markdown)
{
    struct table *t = page_table(p);
    if (t == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory for the page");
        return;
    }
    if (markdown) {
        fputs("## B against A\n\n", stdout);
        if (!markdown_table_write(t, stdout)) {
            command_complain(c, DIAGNOSTIC_FAILURE, "cannot print the table: %s", strerror(errno));
        }
    } else {
        table_print_aligned(c, t, NULL);
    }
    putchar('\n');
    say_overload(t, markdown);
    for (size_t i = 0; i < p->breach_count; i++) {
        diff_say(p->breaches[i].sentence, markdown);
    }
    say_side(c, "A", p->a, markdown);
    say_side(c, "B", p->b, markdown);
    say_pairs(c, p, markdown);
    say_settings(c, p, markdown);
    say_alone(c, p, markdown);
    if (!c->quiet) {
        say_others(c, p, markdown);
    }
    diff_basis_print(c, p, markdown);
    table_free(t);
}
