/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_outlook.h"

#include "plots/sentences/report_figures.h"

#include <math.h>
#include <string.h>

#define STRATEGIES_SHOWN 10

static const struct strategy_facts *facts_of(const struct report_source *s, int strategy)
{
    return &s->facts->strategy[strategy];
}

/* Both known: one number; else NaN. */
static double reserve(const struct fact_quantile *p80, const struct fact_quantile *p50)
{
    return p80->value - p50->value;
}

static void money_tile(struct report_document *r, const struct report_source *s, int strategy,
                       struct report_block *tiles)
{
    const struct chart_frame *frame = s->facts->frame;
    const struct strategy_facts *f = facts_of(s, strategy);
    struct fact_quantile p80 = report_quantile_of(s, strategy, frame->cost_metric, "p80");
    struct fact_quantile p95 = report_quantile_of(s, strategy, frame->cost_metric, "p95");
    enum report_language l = r->language;
    double kept = reserve(&p80, &f->cost.p50);

    report_add_tile(
        r, tiles, report_word(l, WORD_ASK_FOR), report_quantile(l, &p80, frame->currency).text,
        isfinite(kept)
            ? REPORT_WORDS_OF(
                  r, WORD_RESERVE, report_quantile(l, &f->cost.p50, frame->currency).text,
                  report_money_rest(l, p80.value, false, f->cost.p50.value, frame->currency).text)
            : REPORT_WORDS_OF(r, WORD_RESERVE_UNKNOWN,
                              report_quantile(l, &f->cost.p50, frame->currency).text));
    report_add_tile(
        r, tiles, report_word(l, WORD_WORST_CASE), report_quantile(l, &p95, frame->currency).text,
        !isfinite(p95.value) ? report_word(l, WORD_CUT_OFF_REMARK)
        : report_p95_unbounded(&f->cost)
            ? REPORT_WORDS_OF(r, WORD_WORST_FEW_REMARK, report_count(l, f->cost.n).text,
                              report_money(l, f->cost.max, frame->currency, FIGURE_NEAREST).text)
            : report_word(l, WORD_WORST_REMARK));
}

static void saving_tile(struct report_document *r, const struct report_source *s, int strategy,
                        struct report_block *tiles)
{
    const struct study_facts *f = s->facts;
    const struct fact_difference *d = &facts_of(s, strategy)->cost_difference;
    const char *currency = f->frame->currency;
    enum report_language l = r->language;
    bool known = d->relation == FACT_LESS || d->relation == FACT_MORE;
    const char *label, *value;

    if (f->baseline < 0 || strategy == f->baseline)
        return;
    label = REPORT_WORDS_OF(r, d->relation == FACT_MORE ? WORD_DEARER_THAN : WORD_SAVES_AGAINST,
                            report_strategy_name(r, s, f->baseline));
    value = known ? report_money(l, fabs(d->mean), currency, FIGURE_NEAREST).text
            : d->relation == FACT_SAME    ? report_word(l, WORD_NOTHING)
            : d->relation == FACT_UNCLEAR ? report_word(l, WORD_UNCLEAR)
            : d->relation == FACT_ASSUMED ? report_word(l, WORD_ASSUMED)
                                          : report_word(l, WORD_UNKNOWN);
    value = report_clean(r, value);
    if (!isfinite(d->low) || !isfinite(d->high) || d->relation == FACT_UNKNOWN ||
        d->relation == FACT_ASSUMED)
        report_add_tile(r, tiles, label, value, "");
    else
        report_add_tile(
            r, tiles, label, value,
            REPORT_WORDS_OF(r, WORD_INTERVAL,
                            d->relation == FACT_MORE
                                ? report_money_range(l, d->low, d->high, currency).text
                                : report_money_range(l, -d->high, -d->low, currency).text));
}

/* The day on which the quantile of the time falls; "not before" where only a lower bound is known.
 */
static const char *done_by(struct report_document *r, const struct report_source *s,
                           const struct fact_quantile *q)
{
    int64_t start = s->facts->frame->start_unix_s;
    enum report_language l = r->language;
    double near = facts_near(q);

    if (isfinite(near))
        return report_clean(r, report_date(l, start + (int64_t)ceil(near * 3600.0)).text);
    if (isfinite(q->at_least))
        return REPORT_WORDS_OF(r, WORD_NOT_BEFORE,
                               report_date(l, start + (int64_t)(q->at_least * 3600.0)).text);
    return report_word(l, WORD_UNKNOWN);
}

static void time_tiles(struct report_document *r, const struct report_source *s, int strategy,
                       struct report_block *tiles)
{
    const struct strategy_facts *f = facts_of(s, strategy);
    enum report_language l = r->language;
    struct fact_chance late = f->late;

    if (f->time.present)
        report_add_tile(r, tiles, report_word(l, WORD_DONE_BY_P50), done_by(r, s, &f->time.p50),
                        REPORT_WORDS_OF(r, WORD_DONE_BY_P90, done_by(r, s, &f->time.p90)));
    if (isfinite(late.at_least))
        report_add_tile(r, tiles, report_word(l, WORD_CHANCE_LATE),
                        report_chance(l, late.at_least, late.at_most, late.n).text, "");
    if (f->unfinished > 0.0)
        report_add_tile(r, tiles, report_word(l, WORD_NOT_FINISHED),
                        report_share(l, f->unfinished_share, f->worlds).text,
                        report_word(l, WORD_CUT_OFF_REMARK));
}

static void service_tiles(struct report_document *r, const struct report_source *s, int strategy,
                          struct report_block *tiles)
{
    const struct strategy_facts *f = facts_of(s, strategy);
    enum report_language l = r->language;

    if (isfinite(f->slo.mean)) {
        char share[32];
        snprintf(share, sizeof share, l == REPORT_EN ? "%.1f %%" : "%.1f%%",
                 floor(1000.0 * f->slo.mean) / 10.0);
        report_add_tile(r, tiles, report_word(l, WORD_WITHIN_SLO), share, "");
    }
}

static void budget_tile(struct report_document *r, const struct report_source *s, int strategy,
                        struct report_block *tiles)
{
    const struct chart_frame *frame = s->facts->frame;
    const struct fact_chance *over = &facts_of(s, strategy)->over_budget;
    enum report_language l = r->language;

    if (!isfinite(frame->budget) || !isfinite(over->at_least))
        return;
    report_add_tile(
        r, tiles, report_word(l, WORD_CHANCE_OVER),
        report_chance(l, over->at_least, over->at_most, over->n).text,
        REPORT_WORDS_OF(r, frame->budget_uncertain ? WORD_BUDGET_UNCERTAIN : WORD_BUDGET_IS,
                        report_money_exact(l, frame->budget, frame->currency).text));
}

void report_outlook_tiles(struct report_document *r, const struct report_source *s, int strategy)
{
    struct report_block *tiles = report_add(r, REPORT_TILES, "");

    money_tile(r, s, strategy, tiles);
    saving_tile(r, s, strategy, tiles);
    time_tiles(r, s, strategy, tiles);
    service_tiles(r, s, strategy, tiles);
    budget_tile(r, s, strategy, tiles);
}

/* ---- side by side ---- */

enum outlook_column {
    OUT_NAME,
    OUT_P50,
    OUT_P80,
    OUT_P95,
    OUT_SAVES,
    OUT_P50_TIME,
    OUT_P90_TIME,
    OUT_LATE,
    OUT_OVER,
    OUT_SIGNED,
    OUT_COUNT
};
static const enum report_word outlook_head[OUT_COUNT] = {
    WORD_STRATEGY, WORD_COST_P50, WORD_COST_P80,  WORD_COST_P95,  WORD_SAVES_HEAD,
    WORD_TIME_P50, WORD_TIME_P90, WORD_LATE_HEAD, WORD_OVER_HEAD, WORD_SIGNED_HEAD};

/* "$526 ± 38", or why there is no number. */
static const char *saves_cell(struct report_document *r, const struct report_source *s,
                              int strategy)
{
    const struct fact_difference *d = &facts_of(s, strategy)->cost_difference;
    const char *currency = s->facts->frame->currency;
    enum report_language l = r->language;

    if (strategy == s->facts->baseline)
        return report_word(l, WORD_BASELINE);
    switch (d->relation) {
    case FACT_LESS:
    case FACT_MORE:
        return REPORT_WORDS_OF(r, WORD_PLUS_MINUS,
                               report_money(l, -d->mean, currency, FIGURE_NEAREST).text,
                               report_money(l, figure_round(0.5 * (d->high - d->low), 2, FIGURE_UP),
                                            currency, FIGURE_UP)
                                   .text);
    case FACT_SAME:
        return report_word(l, WORD_NOTHING);
    case FACT_UNCLEAR:
        return report_word(l, WORD_UNCLEAR);
    case FACT_ASSUMED:
        return report_word(l, WORD_ASSUMED);
    default:
        return report_word(l, WORD_UNKNOWN);
    }
}

struct outlook_row {
    struct report_document *r;
    struct report_block *grid;
    const int *place; /* of a column in the grid; -1: not shown */
};

static void put(const struct outlook_row *o, enum outlook_column column, const char *text,
                double number)
{
    if (o->place[column] >= 0)
        report_set(o->r, o->grid, (size_t)o->place[column], text, number);
}

static const char *name_cell(struct report_document *r, const struct report_source *s,
                             const struct report_choice *c, int i)
{
    const char *name = report_strategy_name(r, s, i);

    if (i == c->recommended)
        return REPORT_WORDS_OF(r, WORD_NAME_RECOMMENDED, name);
    if (i == c->runner_up)
        return REPORT_WORDS_OF(r, WORD_NAME_SECOND, name);
    return name;
}

static const char *time_cell(struct report_document *r, const struct report_source *s,
                             const struct fact_quantile *q)
{
    double near = facts_near(q);

    if (isfinite(near))
        return report_clean(
            r, report_time_short(r->language, near, s->facts->unit, FIGURE_NEAREST).text);
    if (isfinite(q->at_least))
        return REPORT_WORDS_OF(
            r, WORD_AT_LEAST,
            report_time_short(r->language, q->at_least, s->facts->unit, FIGURE_DOWN).text);
    return report_word(r->language, WORD_UNKNOWN);
}

static void put_strategy(const struct outlook_row *o, const struct report_source *s,
                         const struct report_choice *c, int i)
{
    const struct strategy_facts *f = facts_of(s, i);
    const struct chart_frame *frame = s->facts->frame;
    enum report_language l = o->r->language;
    struct fact_quantile p80 = report_quantile_of(s, i, frame->cost_metric, "p80");
    struct fact_quantile p95 = report_quantile_of(s, i, frame->cost_metric, "p95");

    put(o, OUT_NAME, name_cell(o->r, s, c, i), NAN);
    put(o, OUT_P50, report_quantile(l, &f->cost.p50, frame->currency).text, f->cost.p50.value);
    put(o, OUT_P80, report_quantile(l, &p80, frame->currency).text, p80.value);
    put(o, OUT_P95, report_quantile(l, &p95, frame->currency).text, p95.value);
    put(o, OUT_SAVES, saves_cell(o->r, s, i), -f->cost_difference.mean);
    put(o, OUT_P50_TIME, time_cell(o->r, s, &f->time.p50), NAN);
    put(o, OUT_P90_TIME, time_cell(o->r, s, &f->time.p90), NAN);
    put(o, OUT_LATE, report_chance(l, f->late.at_least, f->late.at_most, f->late.n).text,
        f->late.at_least == f->late.at_most ? f->late.at_least : (double)NAN);
    put(o, OUT_OVER,
        report_chance(l, f->over_budget.at_least, f->over_budget.at_most, f->over_budget.n).text,
        f->over_budget.at_least == f->over_budget.at_most ? f->over_budget.at_least : (double)NAN);
    put(o, OUT_SIGNED,
        isfinite(f->obligation)
            ? report_money(l, f->obligation, frame->currency, FIGURE_NEAREST).text
            : "",
        f->obligation);
}

/* Columns that no strategy has are left out. */
static size_t lay_columns(const struct report_source *s, int place[OUT_COUNT],
                          enum report_word head[OUT_COUNT])
{
    const struct study_facts *f = s->facts;
    const bool shown[OUT_COUNT] = {[OUT_NAME] = true,
                                   [OUT_P50] = true,
                                   [OUT_P80] = true,
                                   [OUT_P95] = true,
                                   [OUT_SAVES] = f->baseline >= 0 && f->count > 1,
                                   [OUT_P50_TIME] = f->has_time,
                                   [OUT_P90_TIME] = f->has_time,
                                   [OUT_LATE] = f->has_late,
                                   [OUT_OVER] = f->has_budget,
                                   [OUT_SIGNED] = f->has_obligation};
    size_t count = 0;

    for (int i = 0; i < OUT_COUNT; i++) {
        place[i] = shown[i] ? (int)count : -1;
        if (shown[i])
            head[count++] = outlook_head[i];
    }
    return count;
}

void report_outlook_grid(struct report_document *r, const struct report_source *s,
                         const struct report_choice *c)
{
    int place[OUT_COUNT];
    enum report_word head[OUT_COUNT];
    size_t columns = lay_columns(s, place, head), left = 0, done = 0;
    struct report_block *grid = report_add_grid(r, head, columns);
    const struct outlook_row o = {r, grid, place};
    const int first[2] = {c->recommended, c->runner_up};

    for (size_t i = 1; grid != NULL && i < columns; i++)
        grid->right[i] = true;
    for (size_t i = 0; i < 2; i++) {
        if (first[i] >= 0 && report_add_row(r, grid)) {
            put_strategy(&o, s, c, first[i]);
            done++;
        }
    }
    for (int i = 0; i < (int)s->facts->count; i++) {
        if (i == first[0] || i == first[1])
            continue;
        if (done >= STRATEGIES_SHOWN && i != s->facts->baseline) {
            left++;
        } else if (report_add_row(r, grid)) {
            put_strategy(&o, s, c, i);
            done++;
        }
    }
    if (left > 0)
        REPORT_ADD(r, REPORT_NOTE, WORD_MORE_STRATEGIES,
                   report_count(r->language, (double)left).text);
    REPORT_ADD(r, REPORT_NOTE, WORD_QUANTILE_NOTE, NULL);
}
