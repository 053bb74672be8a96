/* SPDX-License-Identifier: GPL-3.0-or-later
 * Each row is scaled to its own peak: the rows answer "where, and how wide", and a strategy without
 * any spread, all futures in one bin, would otherwise flatten the others. */
#include "plots/charts/chart_cost.h"

#include "plots/charts/chart_rows.h"
#include "plots/facts/quantile_text.h"
#include "plots/sentences/titles.h"

#include <math.h>
#include <stdio.h>

#define BINS_WANTED 64
#define BINS_MAX    160
#define ROW_BASE    0.93 /* of the row: where bars stand */
#define ROW_HEIGHT  0.78

/* One row: data into the CSV, bars into the plot, lines at P50 and P90. */
static void add_row(struct chart_script *s, const struct chart_context *c,
                    const struct spread *spread, size_t row, struct spread_axis axis, double step,
                    size_t bins)
{
    const struct strategy_facts *facts = &c->facts->strategy[c->shown.index[row]];
    const struct chart_series_style *style = chart_series_style(row);
    double finished[BINS_MAX], unfinished[BINS_MAX], peak = 0.0;
    double from = floor(axis.low / step) * step, base = (double)row + ROW_BASE;
    size_t first = s->rows;
    const double marks[] = {facts_near(&facts->cost.p50), facts_near(&facts->cost.p90)};

    spread_histogram(spread, from, step, bins, finished, unfinished);
    for (size_t k = 0; k < bins; k++) {
        double low = from + step * (double)k;
        peak = fmax(peak, finished[k] + unfinished[k]);
        if (finished[k] + unfinished[k] <= 0.0)
            continue;
        csv_put_integer(&s->csv, (int64_t)c->shown.index[row] + 1);
        csv_put_number(&s->csv, low);
        csv_put_number(&s->csv, low + step);
        csv_put_number(&s->csv, finished[k]);
        csv_put_number(&s->csv, unfinished[k]);
        chart_script_put_name(s, facts->name);
        chart_script_row_end(s);
    }
    if (s->rows > first) {
        double scale = ROW_HEIGHT / peak, gap = 0.05 * step;
        chart_script_plot(s, first, s->rows - 1,
                          "using 2:(%.6g):($2+%.10g):($3-%.10g):(%.6g-%.10g*$4):(%.6g) with "
                          "boxxyerror lc rgb %s notitle",
                          base, gap, gap, base, scale, base, style->light);
        if (spread->unfinished > 0.0)
            chart_script_plot(s, first, s->rows - 1,
                              "using 2:(%.6g):($2+%.10g):($3-%.10g):(%.6g-%.10g*($4+$5)):"
                              "(%.6g-%.10g*$4) with boxxyerror lc rgb DARK notitle",
                              base, gap, gap, base, scale, base, scale);
    }
    for (size_t k = 0; k < 2; k++) {
        if (!(marks[k] >= axis.low && marks[k] <= axis.high))
            continue;
        chart_script_line(s, &(struct chart_line){.x1 = marks[k],
                                                  .x2 = marks[k],
                                                  .y1 = base,
                                                  .y2 = base - ROW_HEIGHT - 0.06,
                                                  .x_in = "first",
                                                  .y_in = "first",
                                                  .dash = k == 0 ? NULL : "(8,5)",
                                                  .width = 3.0});
    }
    chart_rows_beyond(s, spread, axis, row, facts->cost.n);
    chart_script_line(s, &(struct chart_line){.x1 = axis.low,
                                              .x2 = axis.high,
                                              .y1 = base,
                                              .y2 = base,
                                              .x_in = "first",
                                              .y_in = "first",
                                              .colour = "AXIS",
                                              .width = 1.5});
}

static void add_numbers(struct chart_script *s, const struct chart_context *c,
                        const struct chart_rows *rows, size_t row)
{
    const struct strategy_facts *facts = &c->facts->strategy[c->shown.index[row]];
    const struct fact_chance *over = &facts->over_budget;
    const char *currency = c->facts->frame->currency;

    chart_rows_name(s, rows, c->facts, c->shown.index[row], row);
    chart_rows_value(s, rows, row, 0,
                     quantile_money(&facts->cost.p50, currency, QUANTILE_FULL).text, CHART_STRONG);
    chart_rows_value(s, rows, row, 1,
                     quantile_money(&facts->cost.p90, currency, QUANTILE_FULL).text, CHART_PLAIN);
    if (rows->columns > 2)
        chart_rows_value(s, rows, row, 2,
                         figure_chance(over->at_least, over->at_most, over->n).text,
                         over->at_least > 0.1 ? CHART_ALARM : CHART_PLAIN);
}

enum chart_result chart_cost(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "low",     "high", "finished_frac",
                                          "unfinished_frac", "strategy"};
    const char *headings[] = {"P50", "P90", "over budget"};
    const struct chart_frame *frame = c->facts->frame;
    struct spread spreads[CHART_SERIES_MAX];
    struct spread_axis axis;
    struct chart_rows rows;
    struct text title, subtitle;
    char budget[96];
    double step;
    size_t bins;
    bool unfinished = false;

    if (c->tables->distribution == NULL || c->shown.count == 0)
        return CHART_NOTHING;
    for (size_t i = 0; i < c->shown.count; i++) {
        if (!spread_read(&spreads[i], c->tables->distribution,
                         c->facts->strategy[c->shown.index[i]].name, frame->cost_metric, c->arena,
                         c->diagnostics))
            return CHART_BROKEN;
        unfinished = unfinished || spreads[i].unfinished > 0.0;
    }
    axis = spread_axis_for(spreads, c->shown.count, frame->budget);
    step = ticks_step(axis.high - axis.low, BINS_WANTED);
    bins = (size_t)ceil((axis.high - floor(axis.low / step) * step) / step);
    bins = bins < BINS_MAX ? bins : BINS_MAX;
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_cost(&title, c->facts);
    text_format(
        &subtitle,
        "Share of simulated futures per %s of cost; line: P50 (half cost less), dashed: P90",
        figure_money(step, frame->currency, FIGURE_NEAREST).text);
    if (unfinished)
        text_add(&subtitle, "; grey: not finished, cost so far");
    chart_begin(s, c, c->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    rows = chart_rows_begin(s, c, axis, c->shown.count, headings, c->facts->has_budget ? 3 : 2);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->shown.count; i++) {
        add_row(s, c, &spreads[i], i, axis, step, bins);
        add_numbers(s, c, &rows, i);
    }
    if (isfinite(frame->budget)) {
        snprintf(budget, sizeof budget, "Budget %s", chart_budget(frame).text);
        chart_limit_x(s, axis.low, axis.high, frame->budget, budget);
    }
    chart_axis_name(s, rows.left, rows.right, "Cost");
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
