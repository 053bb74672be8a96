/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/run_table.h"

#include "plots/figures.h"
#include "plots/label.h"
#include "plots/quantile_text.h"
#include "plots/regret_lines.h"
#include "plots/study_facts.h"
#include "plots/terminal_line.h"

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
    R_COUNT
};

static const struct terminal_column columns[R_COUNT] = {[R_MARK] = {"", false},
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
                                                        [R_SERVED] = {"SERVED", true}};

struct run_table {
    const struct study_facts *facts;
    int decimals;
    enum time_unit unit;
    bool used[R_COUNT];
    bool unclear;  /* some difference covers zero */
    bool assumed;  /* some difference rests on an assumption */
    bool interval; /* some saving has its interval beside it */
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

    if ((int)i == t->facts->baseline)
        return;
    t->unclear = t->unclear || relation == FACT_UNCLEAR;
    t->assumed = t->assumed || relation == FACT_ASSUMED;
    t->interval = t->interval ||
                  (relation != FACT_UNKNOWN && relation != FACT_SAME && relation != FACT_ASSUMED);
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
    t->used[R_UNFINISHED] = f->has_time || !f->has_served;
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
    static const enum column_id all[] = {
        R_MARK,   R_STRATEGY, R_COST_P50, R_COST_P90, R_SAVES,      R_CHEAPER, R_OVER,
        R_SIGNED, R_TIME_P50, R_TIME_P90, R_LATE,     R_UNFINISHED, R_SERVED};
    static const enum column_id cost[] = {R_MARK,  R_STRATEGY, R_COST_P50, R_COST_P90,
                                          R_SAVES, R_CHEAPER,  R_OVER,     R_SIGNED};
    static const enum column_id time[] = {R_MARK, R_STRATEGY,   R_TIME_P50, R_TIME_P90,
                                          R_LATE, R_UNFINISHED, R_SERVED};
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

/* A stated amount loses no more than fractions of a cent. */
static int budget_decimals(double budget)
{
    return budget == floor(budget) ? 0 : fabs(budget) >= 1.0 ? 2 : figure_amount_decimals(budget);
}

/* "; deadline 4 days", or of each workload, three at most. */
static void add_deadlines(const struct run_table *t, struct text *line)
{
    const struct chart_frame *frame = t->facts->frame;
    double single = facts_single_deadline_h(frame);
    size_t shown = frame->deadline_count < 3 ? frame->deadline_count : 3;

    if (isfinite(single)) {
        text_format(line, "; deadline %s", figure_time_words(single, t->unit, FIGURE_NEAREST).text);
        return;
    }
    for (size_t i = 0; i < shown; i++) {
        text_add(line, i == 0 ? "; deadline of " : ", of ");
        label_clean(line,
                    frame->deadlines[i].workload == NULL ? "all" : frame->deadlines[i].workload);
        text_format(line, " %s",
                    figure_time_words(frame->deadlines[i].hours, t->unit, FIGURE_NEAREST).text);
    }
    if (shown < frame->deadline_count)
        text_format(line, " and %zu more", frame->deadline_count - shown);
}

static bool write_head(const struct run_table *t, const struct terminal_style *style, FILE *out)
{
    const struct chart_frame *frame = t->facts->frame;
    struct text line;
    bool ok = true;

    text_init(&line, 4096);
    if (frame->scenario != NULL && frame->scenario[0] != '\0')
        ok = terminal_line(style, out, frame->scenario);
    text_format(&line, "Cost in %.8s, tax %s", frame->currency,
                frame->tax_included ? "included" : "excluded");
    if (isfinite(frame->budget))
        text_format(&line, frame->budget_uncertain ? "; budget P50 %s (uncertain)" : "; budget %s",
                    figure_decimal(frame->budget, budget_decimals(frame->budget)).text);
    add_deadlines(t, &line);
    if (t->used[R_SAVES]) {
        text_add(&line, "; saves, cheaper: against ");
        label_clean(&line, frame->baseline);
    }
    ok = ok && terminal_line(style, out, line.data) && fputc('\n', out) != EOF;
    text_release(&line);
    return ok;
}

/* Which strategies may not be chosen between; five pairs at most. */
static bool write_undecided(const struct run_table *t, const struct terminal_style *style,
                            FILE *out)
{
    const struct chart_frame *frame = t->facts->frame;
    struct text line;
    size_t named = 0, more = 0;
    bool ok = true;

    text_init(&line, 4096);
    for (size_t i = 0; i < frame->undecided_count && ok; i++) {
        const struct chart_pair *p = &frame->undecided[i];
        if (p->a >= t->facts->count || p->b >= t->facts->count)
            continue;
        if (named == 5) {
            more++;
            continue;
        }
        named++;
        text_clear(&line);
        label_clean(&line, t->facts->strategy[p->a].name);
        text_add(&line, " and ");
        label_clean(&line, t->facts->strategy[p->b].name);
        text_add(&line, ": which is the cheaper is not decided, a savings-plan rate is assumed");
        ok = terminal_line(style, out, line.data);
    }
    text_clear(&line);
    if (more > 0)
        text_format(&line, "and %zu more pairs that an assumed rate leaves undecided", more);
    ok = ok && (more == 0 || terminal_line(style, out, line.data));
    text_release(&line);
    return ok;
}

/* What is not finished, by name; five at most. */
static bool write_unfinished(const struct run_table *t, const struct terminal_style *style,
                             FILE *out)
{
    struct text line;
    size_t named = 0, more = 0;
    bool ok = true;

    text_init(&line, 4096);
    for (size_t i = 0; i < t->facts->count && ok; i++) {
        const struct strategy_facts *s = &t->facts->strategy[i];
        if (!(s->unfinished > 0.0))
            continue;
        if (named == 5) {
            more++;
            continue;
        }
        named++;
        text_clear(&line);
        label_clean(&line, s->name);
        text_format(&line, ": not finished in %s%s",
                    figure_futures(s->unfinished_share, s->worlds, FIGURE_NEAREST).text,
                    s->cost.censored > 0.0 ? "; their costs are lower bounds" : "");
        ok = terminal_line(style, out, line.data);
    }
    text_clear(&line);
    if (more > 0)
        text_format(&line, "and %zu more strategies with unfinished futures", more);
    ok = ok && (more == 0 || terminal_line(style, out, line.data));
    text_release(&line);
    return ok;
}

/* What went on behind the end of a trace, by name; five at most. */
static bool write_beyond_trace(const struct run_table *t, const struct terminal_style *style,
                               FILE *out)
{
    struct text line;
    size_t named = 0, more = 0;
    bool ok = true;

    text_init(&line, 4096);
    for (size_t i = 0; i < t->facts->count && ok; i++) {
        const struct strategy_facts *s = &t->facts->strategy[i];
        if (!(s->beyond_trace > 0.0))
            continue;
        if (named == 5) {
            more++;
            continue;
        }
        named++;
        text_clear(&line);
        label_clean(&line, s->name);
        text_format(&line, ": its trace ended before the work in %s; from there on it has no nodes",
                    figure_futures(s->beyond_trace, s->worlds, FIGURE_NEAREST).text);
        ok = terminal_line(style, out, line.data);
    }
    text_clear(&line);
    if (more > 0)
        text_format(&line, "and %zu more strategies whose traces ended before the work", more);
    ok = ok && (more == 0 || terminal_line(style, out, line.data));
    text_release(&line);
    return ok;
}

/* What is cancelled with the project: once, where all strategies are alike. */
static bool write_cancelled(const struct run_table *t, const struct terminal_style *style,
                            FILE *out)
{
    const struct strategy_facts *all = t->facts->strategy;
    struct text line;
    bool alike = true, any = false, ok = true;

    for (size_t i = 0; i < t->facts->count; i++) {
        alike = alike && all[i].cancelled_share == all[0].cancelled_share;
        any = any || all[i].cancelled_share > 0.0;
    }
    text_init(&line, 4096);
    for (size_t i = 0; any && ok && i < (alike ? 1 : t->facts->count); i++) {
        text_clear(&line);
        if (!alike) {
            label_clean(&line, all[i].name);
            text_add(&line, ": ");
        }
        text_format(&line, "cancelled in %s",
                    figure_futures(all[i].cancelled_share, all[i].worlds, FIGURE_NEAREST).text);
        ok = terminal_line(style, out, line.data);
    }
    text_release(&line);
    return ok &&
           (!any || terminal_line(style, out,
                                  "cancelled: costs are final; times and lateness are those of "
                                  "the other futures"));
}

/* What serves less than another strategy, so that its cost says nothing beside that one's. */
static bool write_unmet(const struct run_table *t, const struct terminal_style *style, FILE *out)
{
    struct text line;
    bool ok = true;

    text_init(&line, 4096);
    for (size_t i = 0; i < t->facts->count && ok; i++) {
        if (!facts_serves_less(t->facts, i))
            continue;
        text_clear(&line);
        label_clean(&line, t->facts->strategy[i].name);
        text_format(&line, ": leaves %.3g %% of the node-hours needed unmet, others less",
                    100.0 * (1.0 - t->facts->strategy[i].served));
        ok = terminal_line(style, out, line.data);
    }
    text_release(&line);
    return ok;
}

/* "27 %", "none", "< 1 %" of what is signed. */
static void add_part(struct text *line, double part, double whole)
{
    double percent = 100.0 * part / whole;

    if (percent <= 0.0)
        text_add(line, "none");
    else if (percent < 0.5)
        text_add(line, "< 1 %");
    else if (percent > 99.5 && percent < 100.0)
        text_add(line, "> 99 %");
    else
        text_format(line, "%.0f %%", percent);
}

/* What is signed, and how much of it is for nothing, of each strategy with commitments. */
static bool write_signed(const struct run_table *t, const struct terminal_style *style, FILE *out)
{
    struct text line;
    bool ok = true;

    text_init(&line, 4096);
    for (size_t i = 0; i < t->facts->count && ok; i++) {
        const struct strategy_facts *s = &t->facts->strategy[i];
        if (!(s->obligation > 0.0))
            continue;
        text_clear(&line);
        label_clean(&line, s->name);
        text_format(&line, ": signs %s",
                    figure_amount(s->obligation, t->decimals, FIGURE_NEAREST).text);
        bool commits = s->unused > 0.0 || !(s->block_unused > 0.0 || s->owned_capital > 0.0);
        if (isfinite(s->unused) && commits) {
            text_add(&line, "; ");
            add_part(&line, s->unused, s->obligation);
            text_add(&line, " of it unused inside the horizon in the middle future");
        }
        if (s->block_unused > 0.0) {
            text_add(&line, "; ");
            add_part(&line, s->block_unused, s->obligation);
            text_add(&line, " of it for capacity blocks that no node uses in the middle future");
        }
        if (s->owned_capital > 0.0) {
            text_add(&line, "; owned hardware, of which the plan bears ");
            text_add(&line, figure_amount(s->owned_capital, t->decimals, FIGURE_NEAREST).text);
        }
        if (s->later > 0.0) {
            text_add(&line, ", ");
            add_part(&line, s->later, s->obligation);
            text_add(&line, " borne after it");
        }
        ok = terminal_line(style, out, line.data);
    }
    text_release(&line);
    return ok;
}

static bool write_foot(const struct run_table *t, const struct terminal_style *style, FILE *out)
{
    const struct chart_frame *frame = t->facts->frame;
    struct text line;
    bool ok = fputc('\n', out) != EOF;

    text_init(&line, 4096);
    text_format(&line, "%s simulated future%s, seed %llu",
                figure_count((double)frame->replications).text, frame->replications == 1 ? "" : "s",
                (unsigned long long)frame->seed);
    if (frame->prices_as_of != NULL)
        text_format(&line, ", prices as of %s", frame->prices_as_of);
    if (frame->note != NULL && frame->note[0] != '\0')
        text_format(&line, ", %s", frame->note);
    ok = ok && terminal_line(style, out, line.data);
    if (frame->conversion != NULL)
        ok = ok && terminal_line(style, out, frame->conversion);
    ok = ok &&
         terminal_line(style, out, "P50: half of the futures are at or below it; P90: 9 in 10");
    if (t->interval && t->used[R_SAVES])
        ok =
            ok &&
            terminal_line(style, out,
                          "saves: mean of all differences, not the difference of the P50s") &&
            terminal_line(style, out,
                          "\xc2\xb1: the simulation's error (95 %), not the spread of the savings");
    if (t->unclear && t->used[R_SAVES])
        ok = ok && terminal_line(style, out, "unclear: the 95 % interval of that mean covers zero");
    if (t->assumed && t->used[R_SAVES])
        ok = ok && terminal_line(style, out,
                                 "assumed: the difference rests on a savings-plan rate that is "
                                 "assumed from the reserved price, and decides nothing");
    ok = ok && write_undecided(t, style, out) && write_signed(t, style, out) &&
         write_unfinished(t, style, out) && write_beyond_trace(t, style, out) &&
         write_cancelled(t, style, out) && write_unmet(t, style, out);
    text_release(&line);
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
    if (write_head(&t, style, out) && write_tables(&t, style, out) && write_foot(&t, style, out) &&
        regret_lines(&facts, tables->oracle, t.decimals, style, out, d))
        return true;
    if (diagnostics_failed(d))
        return false;
    diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0},
                    "cannot write the table of results: %s", strerror(errno));
    return false;
}
