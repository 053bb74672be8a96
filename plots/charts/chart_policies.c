/* SPDX-License-Identifier: GPL-3.0-or-later
 * One row per strategy, and in it a bar per workload that is compared. */
#include "plots/charts/chart_policies.h"

#include "plots/charts/chart_rows.h"
#include "plots/sentences/regrets.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MIDDLE 0.54 /* of the row: where its bar lies */
#define HALF   0.16 /* of the bar's height */
#define REACH  0.3  /* of the bound's line */

enum { WORKLOADS_MAX = 3, BARS_MAX = 14 };

struct policy_page {
    struct chart_shown shown; /* fewer than elsewhere where they have several bars each */
    struct regrets of[WORKLOADS_MAX];
    size_t count, all; /* workloads shown, and compared */
    struct spread_axis axis;
};

static bool read_page(struct policy_page *p, const struct chart_context *c)
{
    struct regrets next;

    for (p->all = 0; regrets_read(&next, c->facts, c->tables->oracle, p->all, c->diagnostics);
         p->all++) {
        if (p->count < WORKLOADS_MAX)
            p->of[p->count++] = next;
    }
    p->shown = p->count > 1 ? chart_shown_pick(c->facts, BARS_MAX / p->count) : c->shown;
    return p->count > 0;
}

/* From nothing, so that lengths of bars can be compared. */
static void measure(struct policy_page *p)
{
    for (size_t k = 0; k < p->count; k++) {
        for (size_t i = 0; i < p->shown.count; i++) {
            const struct regret *one = &p->of[k].of[p->shown.index[i]];
            p->axis.high = fmax(p->axis.high, fmax(one->n > 0.0 ? one->nodes : 0.0, one->oracle));
        }
    }
    p->axis.high = p->axis.high > 0.0 ? 1.08 * p->axis.high : 1.0;
}

/* Where the title finds most to save; the first where nothing is known. */
static const struct regrets *worst(const struct policy_page *p, int subject)
{
    const struct regrets *r = &p->of[0];

    for (size_t k = 1; k < p->count && subject >= 0; k++) {
        const struct regret *one = &p->of[k].of[subject];
        if (one->n > 0.0 && !(r->of[subject].n > 0.0 && r->of[subject].mean >= one->mean))
            r = &p->of[k];
    }
    return r;
}

static void put_row(struct chart_script *s, const struct chart_context *c, const struct regrets *r,
                    size_t strategy)
{
    const struct regret *one = &r->of[strategy];
    const double values[] = {one->n, one->oracle, one->nodes, one->mean, one->p90};

    csv_put_integer(&s->csv, (int64_t)strategy + 1);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        csv_put_number(&s->csv, values[i]);
    chart_script_put_name(s, c->facts->strategy[strategy].name);
    chart_script_row_end(s);
}

/* What had to be paid in light, the regret in full colour, a line at the bound. y, share: of the
 * bar's middle, and of the row's height that is the bar's. */
static void add_bar(struct chart_script *s, const struct regret *one, size_t colour, double y,
                    double share, size_t k)
{
    const struct chart_series_style *style = chart_series_style(colour);
    const double half = HALF * share, reach = REACH * share;

    chart_script_plot(s, k, k,
                      "using 3:(%.6g):(0):3:(%.6g):(%.6g) with boxxyerror lc rgb %s notitle", y,
                      y - half, y + half, style->light);
    chart_script_plot(s, k, k, "using 3:(%.6g):3:4:(%.6g):(%.6g) with boxxyerror lc rgb %s notitle",
                      y, y - half, y + half, style->full);
    chart_script_line(s, &(struct chart_line){.x1 = one->oracle,
                                              .x2 = one->oracle,
                                              .y1 = y - reach,
                                              .y2 = y + reach,
                                              .x_in = "first",
                                              .y_in = "first",
                                              .width = 4.0});
}

/* rows: with a row for each bar. */
static void add_numbers(struct chart_script *s, const struct chart_context *c,
                        const struct chart_rows *rows, const struct regrets *r,
                        const struct regret *one, size_t row)
{
    const char *currency = c->facts->frame->currency;
    char note[64];

    if (one->n < 0.0) {
        chart_rows_value(s, rows, row, 0, "not compared", CHART_QUIET);
    } else if (!(one->n > 0.0)) {
        chart_rows_value(s, rows, row, 0, "never in time", CHART_QUIET);
    } else {
        chart_rows_value(s, rows, row, 0, figure_money(one->nodes, currency, FIGURE_NEAREST).text,
                         CHART_PLAIN);
        chart_rows_value(s, rows, row, 1, figure_money(one->mean, currency, FIGURE_UP).text,
                         CHART_STRONG);
        if (r->one_of_several)
            return; /* no room for notes */
        snprintf(note, sizeof note, "P90 %.32s", figure_money(one->p90, currency, FIGURE_UP).text);
        chart_rows_note(s, rows, row, 1, note);
        if (one->n < r->worlds) {
            snprintf(note, sizeof note, "%.0f of %.0f", one->n, r->worlds);
            chart_rows_note(s, rows, row, 0, note);
        }
    }
}

static void add_strategy(struct chart_script *s, const struct chart_context *c,
                         const struct chart_rows *rows, const struct policy_page *p, size_t row)
{
    const size_t strategy = p->shown.index[row];
    const struct fact_chance *late = &c->facts->strategy[strategy].late;
    const double share = 1.0 / (double)p->count;
    struct chart_rows bars = *rows;

    bars.count *= p->count;
    bars.size = p->count > 1 ? 17 : rows->size;
    chart_rows_name(s, rows, c->facts, strategy, row);
    for (size_t k = 0; k < p->count; k++) {
        const struct regret *one = &p->of[k].of[strategy];
        put_row(s, c, &p->of[k], strategy);
        if (one->n > 0.0)
            add_bar(s, one, (size_t)chart_shown_find(c, (int)strategy),
                    (double)row + share * ((double)k + MIDDLE), share, s->rows - 1);
        add_numbers(s, c, &bars, &p->of[k], one, row * p->count + k);
    }
    if (rows->columns > 2 && late->n > 0.0)
        chart_rows_value(s, rows, row, 2,
                         figure_chance(late->at_least, late->at_most, late->n).text,
                         late->at_least > 0.1 ? CHART_ALARM : CHART_PLAIN);
}

static void begin(struct chart_script *s, const struct chart_context *c,
                  const struct policy_page *p)
{
    struct text title, subtitle;

    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_policies(&title, c->facts, worst(p, c->facts->subject));
    text_format(&subtitle,
                "Mean cost of nodes in the first %s futures, as far as in time; line: the least "
                "that hindsight allows; full: regret",
                figure_count(p->of[0].worlds).text);
    for (size_t k = 0; k < p->count && p->count > 1; k++) {
        text_add(&subtitle, k == 0 ? "; bars from above: " : ", ");
        label_shorten(&subtitle, p->of[k].workload, 14.0, false);
    }
    if (p->all > p->count)
        text_format(&subtitle, " (%zu of %zu)", p->count, p->all);
    chart_begin(s, c, p->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

enum chart_result chart_policies(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "worlds",      "oracle_mean",
                                          "nodes_mean",      "regret_mean", "regret_p90",
                                          "strategy"};
    static const char *const headings[] = {"nodes", "regret", "late"};
    struct policy_page *p = arena_alloc(c->arena, sizeof *p);
    struct chart_rows rows;

    if (p == NULL)
        return CHART_BROKEN;
    memset(p, 0, sizeof *p);
    if (c->shown.count == 0 || !read_page(p, c))
        return diagnostics_failed(c->diagnostics) ? CHART_BROKEN : CHART_NOTHING;
    measure(p);
    begin(s, c, p);
    rows = chart_rows_begin(s, c, p->axis, p->shown.count, headings, c->facts->has_late ? 3 : 2);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < p->shown.count; i++)
        add_strategy(s, c, &rows, p, i);
    chart_axis_name(s, rows.left, rows.right, "Cost of nodes");
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
