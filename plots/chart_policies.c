/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/chart_policies.h"

#include "plots/chart_rows.h"
#include "plots/regrets.h"

#include <math.h>
#include <stdio.h>

#define MIDDLE 0.54 /* of the row: where its bar lies */
#define HALF   0.16 /* of the bar's height */
#define REACH  0.3  /* of the bound's line */

/* From nothing, so that lengths of bars can be compared. */
static struct spread_axis axis_for(const struct chart_context *c, const struct regrets *r)
{
    struct spread_axis axis = {0.0, 0.0};

    for (size_t i = 0; i < c->shown.count; i++) {
        const struct regret *one = &r->of[c->shown.index[i]];
        axis.high = fmax(axis.high, fmax(one->n > 0.0 ? one->nodes : 0.0, one->oracle));
    }
    axis.high = axis.high > 0.0 ? 1.08 * axis.high : 1.0;
    return axis;
}

static void put_row(struct chart_script *s, const struct chart_context *c, const struct regret *one,
                    size_t row)
{
    const double values[] = {one->n, one->oracle, one->nodes, one->mean, one->p90};

    csv_put_integer(&s->csv, (int64_t)c->shown.index[row] + 1);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (isfinite(values[i]))
            csv_put_number(&s->csv, values[i]);
        else
            csv_put_missing(&s->csv);
    }
    chart_script_put_name(s, c->facts->strategy[c->shown.index[row]].name);
    chart_script_row_end(s);
}

/* What had to be paid in light, the regret in full colour, a line at the bound. */
static void add_bar(struct chart_script *s, const struct regret *one, size_t row, size_t k)
{
    const struct chart_series_style *style = chart_series_style(row);
    double y = (double)row + MIDDLE;

    chart_script_plot(s, k, k,
                      "using 3:(%.6g):(0):3:(%.6g):(%.6g) with boxxyerror lc rgb %s notitle", y,
                      y - HALF, y + HALF, style->light);
    chart_script_plot(s, k, k, "using 3:(%.6g):3:4:(%.6g):(%.6g) with boxxyerror lc rgb %s notitle",
                      y, y - HALF, y + HALF, style->full);
    chart_script_line(s, &(struct chart_line){.x1 = one->oracle,
                                              .x2 = one->oracle,
                                              .y1 = y - REACH,
                                              .y2 = y + REACH,
                                              .x_in = "first",
                                              .y_in = "first",
                                              .width = 4.0});
}

static void add_numbers(struct chart_script *s, const struct chart_context *c,
                        const struct chart_rows *rows, const struct regrets *r, size_t row)
{
    const size_t strategy = c->shown.index[row];
    const struct regret *one = &r->of[strategy];
    const struct fact_chance *late = &c->facts->strategy[strategy].late;
    const char *currency = c->facts->frame->currency;
    char note[64];

    chart_rows_name(s, rows, c->facts, strategy, row);
    if (one->n < 0.0) {
        chart_rows_value(s, rows, row, 0, "not compared", CHART_QUIET);
    } else if (!(one->n > 0.0)) {
        chart_rows_value(s, rows, row, 0, "never in time", CHART_QUIET);
    } else {
        chart_rows_value(s, rows, row, 0, figure_money(one->nodes, currency, FIGURE_NEAREST).text,
                         CHART_PLAIN);
        chart_rows_value(s, rows, row, 1, figure_money(one->mean, currency, FIGURE_UP).text,
                         CHART_STRONG);
        snprintf(note, sizeof note, "P90 %.32s", figure_money(one->p90, currency, FIGURE_UP).text);
        chart_rows_note(s, rows, row, 1, note);
        if (one->n < r->worlds) {
            snprintf(note, sizeof note, "%.0f of %.0f", one->n, r->worlds);
            chart_rows_note(s, rows, row, 0, note);
        }
    }
    if (rows->columns > 2 && late->n > 0.0)
        chart_rows_value(s, rows, row, 2,
                         figure_chance(late->at_least, late->at_most, late->n).text,
                         late->at_least > 0.1 ? CHART_ALARM : CHART_PLAIN);
}

enum chart_result chart_policies(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "worlds",      "oracle_mean",
                                          "nodes_mean",      "regret_mean", "regret_p90",
                                          "strategy"};
    static const char *const headings[] = {"nodes", "regret", "late"};
    struct regrets r;
    struct chart_rows rows;
    struct spread_axis axis;
    struct text title, subtitle;

    if (c->shown.count == 0 || !regrets_read(&r, c->facts, c->tables->oracle, 0, c->diagnostics))
        return diagnostics_failed(c->diagnostics) ? CHART_BROKEN : CHART_NOTHING;
    axis = axis_for(c, &r);
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_policies(&title, c->facts, &r);
    text_format(&subtitle,
                "Mean cost of nodes in the first %s futures, as far as in time; line: the least "
                "that hindsight allows; full: regret",
                figure_count(r.worlds).text);
    chart_begin(s, c, c->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    rows = chart_rows_begin(s, c, axis, c->shown.count, headings, c->facts->has_late ? 3 : 2);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->shown.count; i++) {
        const struct regret *one = &r.of[c->shown.index[i]];
        put_row(s, c, one, i);
        if (one->n > 0.0)
            add_bar(s, one, i, s->rows - 1);
        add_numbers(s, c, &rows, &r, i);
    }
    chart_axis_name(s, rows.left, rows.right, "Cost of nodes");
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
