/* SPDX-License-Identifier: GPL-3.0-or-later
 * Shapes are for the eye; what decides are the numbers beside them: the paired difference to the
 * baseline and the share of futures in which a strategy is the cheaper one. */
#include "plots/charts/chart_compare.h"

#include "plots/charts/chart_rows.h"
#include "plots/facts/quantile_text.h"
#include "plots/sentences/title_compare.h"

#include <math.h>
#include <stdio.h>

#define SHAPE_POINTS 121
#define HALF_HEIGHT  0.38

/* c->shown by P50, those that stand first; order[row] is a position in c->shown. */
static void sort_rows(const struct chart_context *c, size_t *order)
{
    for (size_t i = 0; i < c->shown.count; i++) {
        const struct strategy_facts *s = &c->facts->strategy[c->shown.index[i]];
        size_t k = i;
        while (k > 0) {
            const struct strategy_facts *t = &c->facts->strategy[c->shown.index[order[k - 1]]];
            bool earlier = s->stands != t->stands
                               ? s->stands
                               : facts_near(&s->cost.p50) < facts_near(&t->cost.p50);
            if (!earlier)
                break;
            order[k] = order[k - 1];
            k--;
        }
        order[k] = i;
    }
}

/* Rows of the shape; the first row also holds the box. */
static void add_data(struct chart_script *s, const struct chart_context *c, size_t strategy,
                     const struct spread *spread, struct spread_axis axis, bool *shaped)
{
    const struct strategy_facts *facts = &c->facts->strategy[strategy];
    const struct fact_metric *m = &facts->cost;
    const double box[] = {m->p5, m->p25.value, facts_near(&m->p50), m->p75.value, m->p95};
    double density[SHAPE_POINTS], low = axis.low, high = axis.low;

    if (spread->count > 0) {
        low = fmax(axis.low, spread->value[0]);
        high = fmin(axis.high, spread->value[spread->count - 1]);
    }
    *shaped = spread_density(spread, m->n, low, high, SHAPE_POINTS, density);
    for (size_t k = 0; k < (*shaped ? SHAPE_POINTS : 1); k++) {
        csv_put_integer(&s->csv, (int64_t)strategy + 1);
        if (*shaped) {
            csv_put_number(&s->csv, low + (high - low) * (double)k / (SHAPE_POINTS - 1));
            csv_put_number(&s->csv, density[k]);
        } else {
            csv_put_missing(&s->csv);
            csv_put_missing(&s->csv);
        }
        for (size_t q = 0; q < sizeof box / sizeof box[0]; q++)
            csv_put_number(&s->csv, k == 0 ? box[q] : (double)NAN);
        chart_script_put_name(s, facts->name);
        chart_script_row_end(s);
    }
}

static void add_row(struct chart_script *s, const struct chart_context *c, size_t series,
                    const struct spread *spread, struct spread_axis axis, size_t row)
{
    size_t strategy = c->shown.index[series], first = s->rows;
    const struct fact_metric *m = &c->facts->strategy[strategy].cost;
    const struct chart_series_style *style = chart_series_style(series);
    const char *colour = c->facts->strategy[strategy].stands ? style->light : "GREY";
    double y = (double)row + 0.54, p50 = facts_near(&m->p50);
    bool shaped;

    add_data(s, c, strategy, spread, axis, &shaped);
    chart_rows_beyond(s, spread, axis, row, m->n);
    if (shaped)
        chart_script_plot(s, first, s->rows - 1,
                          "using 2:(%.6g-%.6g*$3):(%.6g+%.6g*$3) with filledcurves lc rgb %s "
                          "notitle",
                          y, HALF_HEIGHT, y, HALF_HEIGHT, colour);
    else if (spread->count > 0 && spread->value[0] >= axis.low && spread->value[0] <= axis.high)
        chart_script_line(s, &(struct chart_line){.x1 = spread->value[0],
                                                  .x2 = spread->value[0],
                                                  .y1 = y - HALF_HEIGHT,
                                                  .y2 = y + HALF_HEIGHT,
                                                  .x_in = "first",
                                                  .y_in = "first",
                                                  .colour = colour,
                                                  .width = 9.0,
                                                  .back = true});
    if (isfinite(m->p5) && isfinite(m->p95))
        chart_script_plot(
            s, first, first,
            "using 4:(%.6g):($8-$4):(0) with vectors nohead lc rgb INK lw 3*W notitle", y);
    if (isfinite(m->p25.value) && isfinite(m->p75.value))
        chart_script_plot(s, first, first,
                          "using 6:(%.6g):5:7:(%.6g):(%.6g) with boxxyerror lc rgb INK notitle", y,
                          y - 0.07, y + 0.07);
    if (p50 >= axis.low && p50 <= axis.high) { /* not when NaN */
        chart_script_plot(s, first, first,
                          "using 6:(%.6g) with points pt 7 ps 2.3*P lc rgb INK notitle", y);
        chart_script_plot(s, first, first,
                          "using 6:(%.6g) with points pt 7 ps 1.5*P lc rgb '#FFFFFF' notitle", y);
    }
}

/* "$1,200" saved on average, or why none is said. */
static struct figure saving(const struct chart_context *c, const struct fact_difference *d)
{
    struct figure f = {"unknown"};

    if (d->relation == FACT_ASSUMED)
        snprintf(f.text, sizeof f.text, "assumed");
    else if (d->relation == FACT_LESS || d->relation == FACT_MORE || facts_one_pair(d))
        f = figure_money(-d->mean, c->facts->frame->currency, FIGURE_NEAREST);
    else if (d->relation == FACT_SAME)
        snprintf(f.text, sizeof f.text, "nothing");
    else if (d->relation == FACT_UNCLEAR)
        snprintf(f.text, sizeof f.text, "not clear");
    return f;
}

/* Savings differ from future to future, and the tables say by how much. */
static bool has_spread(const struct fact_difference *d)
{
    return (d->relation == FACT_LESS || d->relation == FACT_MORE || d->relation == FACT_UNCLEAR) &&
           d->p10 < d->p90;
}

/* "-$120 to $2,900": P10 to P90 of what is saved, which is the difference turned round. */
static struct figure saving_spread(const struct chart_context *c, const struct fact_difference *d)
{
    const char *currency = c->facts->frame->currency;
    struct figure f;

    snprintf(f.text, sizeof f.text, "%.20s to %.20s",
             figure_money(-d->p90, currency, FIGURE_DOWN).text,
             figure_money(-d->p10, currency, FIGURE_UP).text);
    return f;
}

static void add_numbers(struct chart_script *s, const struct chart_context *c,
                        const struct chart_rows *rows, size_t strategy, size_t row)
{
    const struct strategy_facts *facts = &c->facts->strategy[strategy];
    const struct fact_difference *d = &facts->cost_difference;

    chart_rows_name(s, rows, c->facts, strategy, row);
    chart_rows_value(
        s, rows, row, 0,
        quantile_money(&facts->cost.p50, c->facts->frame->currency, QUANTILE_FULL).text,
        CHART_STRONG);
    if (rows->columns < 3)
        return;
    if ((int)strategy == c->facts->baseline) {
        chart_rows_value(s, rows, row, 2, "baseline", CHART_PLAIN);
        return;
    }
    chart_rows_value(s, rows, row, 1, saving(c, d).text,
                     d->relation == FACT_MORE ? CHART_ALARM : CHART_PLAIN);
    if (has_spread(d))
        chart_rows_note(s, rows, row, 1, saving_spread(c, d).text);
    chart_rows_value(s, rows, row, 2,
                     d->relation == FACT_ASSUMED
                         ? "-"
                         : figure_chance(d->win_at_least, d->win_at_most, d->n + d->left_out).text,
                     CHART_PLAIN);
}

enum chart_result chart_compare(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {
        "strategy_number", "cost", "density", "p5", "p25", "p50", "p75", "p95", "strategy"};
    static const char *const headings[] = {"P50", "saves", "cheaper in"};
    struct spread spreads[CHART_SERIES_MAX];
    size_t order[CHART_SERIES_MAX];
    struct spread_axis axis;
    struct chart_rows rows;
    struct text title, subtitle;
    bool paired = c->facts->baseline >= 0 && c->shown.count > 1, unfinished = false;
    bool spread = false;

    if (c->tables->distribution == NULL || c->shown.count == 0)
        return CHART_NOTHING;
    for (size_t i = 0; i < c->shown.count; i++) {
        if (!spread_read(&spreads[i], c->tables->distribution,
                         c->facts->strategy[c->shown.index[i]].name, c->facts->frame->cost_metric,
                         c->arena, c->diagnostics))
            return CHART_BROKEN;
        unfinished = unfinished || !c->facts->strategy[c->shown.index[i]].stands;
        spread = spread || has_spread(&c->facts->strategy[c->shown.index[i]].cost_difference);
    }
    axis = spread_axis_for(spreads, c->shown.count, (double)NAN);
    sort_rows(c, order);
    text_init(&title, 2048);
    text_init(&subtitle, 4096);
    title_compare(&title, c->facts);
    text_add(&subtitle, "Box: P25 to P75, line: P5 to P95, dot: P50");
    if (unfinished)
        text_add(&subtitle, "; grey: cost not final");
    if (paired) {
        text_format(&subtitle, "; saves (mean%s) and cheaper: against ",
                    spread ? ", under it P10 to P90" : "");
        facts_name(&subtitle, c->facts, (size_t)c->facts->baseline, 24.0, false);
    }
    chart_add_choice(&subtitle, c->facts);
    chart_begin(s, c, c->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    rows = chart_rows_begin(s, c, axis, c->shown.count, headings, paired ? 3 : 1);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t row = 0; row < c->shown.count; row++) {
        add_row(s, c, order[row], &spreads[order[row]], axis, row);
        add_numbers(s, c, &rows, c->shown.index[order[row]], row);
    }
    chart_axis_name(s, rows.left, rows.right, "Cost");
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
