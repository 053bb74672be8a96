/* SPDX-License-Identifier: GPL-3.0-or-later
 * One row per driver, from the median of the cost over all futures to that where the input is low
 * and to that where it is high. Both may lie on one side: then one bar lies above the other. */
#include "plots/charts/chart_tornado.h"

#include "plots/sentences/drivers.h"

#include <math.h>
#include <stdio.h>

#define LEFT   0.30
#define RIGHT  0.955
#define BOTTOM 0.17
/* Half of a bar's height, in rows; of the two of one side a half each. */
#define HALF 0.30
/* Of the axis on either side, for the numbers at the bars' ends. */
#define AIR 0.17

static void put_row(struct chart_script *s, const struct driver *d, double middle, size_t i)
{
    csv_put_integer(&s->csv, (int64_t)i + 1);
    csv_put_number(&s->csv, middle);
    csv_put_number(&s->csv, d->low);
    csv_put_number(&s->csv, d->high);
    csv_put_number(&s->csv, d->p10);
    csv_put_number(&s->csv, d->p90);
    csv_put_number(&s->csv, d->correlation);
    chart_script_put_name(s, d->input);
    chart_script_row_end(s);
}

/* "+$650" beside the end of a bar that ends at `at`. */
static void add_change(struct chart_script *s, const struct chart_context *c, double at,
                       double middle, double y)
{
    const double change = at - middle;
    struct figure amount = figure_money(fabs(change), c->facts->frame->currency, FIGURE_NEAREST);
    char text[64];

    snprintf(text, sizeof text, "%s%.40s", change < 0.0 ? "\xe2\x88\x92" : "+", amount.text);
    chart_script_label(s, &(struct chart_label){.text = text,
                                                .x = at,
                                                .y = y,
                                                .x_in = "first",
                                                .y_in = "first",
                                                .align = change < 0.0 ? CHART_RIGHT : CHART_LEFT,
                                                .size = 19,
                                                .colour = CHART_INK,
                                                .dx = change < 0.0 ? -0.6 : 0.6});
}

static void add_bar(struct chart_script *s, size_t k, int column, double y, double half,
                    const char *colour)
{
    chart_script_plot(s, k, k,
                      "using 2:(%.6g):2:%d:(%.6g):(%.6g) with boxxyerror lc rgb %s notitle", y,
                      column, y - half, y + half, colour);
}

static void add_driver(struct chart_script *s, const struct chart_context *c,
                       const struct drivers *r, size_t i)
{
    const struct driver *d = &r->driver[i];
    const bool one_side = (d->low - r->middle) * (d->high - r->middle) > 0.0;
    const double half = one_side ? 0.5 * HALF : HALF, apart = one_side ? half : 0.0;
    const double y = (double)i + 0.5;
    struct text name, range;

    text_init(&name, 4096);
    text_init(&range, 4096);
    driver_name(&name, d->input, (LEFT - 0.05) * 1200.0 / 20.0, false);
    driver_range(&range, d);
    put_row(s, d, r->middle, i);
    add_bar(s, s->rows - 1, 3, y - apart, half, "SKY");
    add_bar(s, s->rows - 1, 4, y + apart, half, "BLUE");
    add_change(s, c, d->low, r->middle, y - apart);
    add_change(s, c, d->high, r->middle, y + apart);
    chart_script_label(s, &(struct chart_label){.text = name.data,
                                                .x = LEFT - 0.012,
                                                .y = y - 0.17,
                                                .y_in = "first",
                                                .align = CHART_RIGHT,
                                                .size = 20,
                                                .colour = CHART_INK});
    chart_script_label(s, &(struct chart_label){.text = range.data,
                                                .x = LEFT - 0.012,
                                                .y = y + 0.19,
                                                .y_in = "first",
                                                .align = CHART_RIGHT,
                                                .size = 17});
    text_release(&name);
    text_release(&range);
}

static void begin(struct chart_script *s, const struct chart_context *c, const struct drivers *r)
{
    const char *currency = c->facts->frame->currency;
    struct text title, subtitle;

    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_drivers(&title, c->facts, r);
    text_format(&subtitle,
                "Change of the median cost, %s over all futures, in the fifth of them in which the "
                "input is lowest and in that in which it is highest; under its name P10 to P90",
                figure_money(r->middle, currency, FIGURE_NEAREST).text);
    if (r->all > r->count)
        text_format(&subtitle, "; %zu of %zu inputs with a clear effect", r->count, r->all);
    if (r->unknown > 0)
        text_format(&subtitle, "; %zu left out, of unfinished futures", r->unknown);
    chart_begin(s, c, c->shown.of, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

static void add_legend(struct chart_script *s)
{
    chart_script_label(s, &(struct chart_label){.text = "input low",
                                                .x = LEFT,
                                                .y = s->top - 0.005,
                                                .bold = true,
                                                .size = 19,
                                                .colour = "SKY"});
    chart_script_label(s, &(struct chart_label){.text = "input high",
                                                .x = LEFT + 0.11,
                                                .y = s->top - 0.005,
                                                .bold = true,
                                                .size = 19,
                                                .colour = "BLUE"});
}

enum chart_result chart_tornado(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"driver",           "p50",       "p50_when_low",
                                          "p50_when_high",    "input_p10", "input_p90",
                                          "rank_correlation", "input"};
    struct ticks ticks;
    struct drivers r;
    double low, high;

    if (!drivers_read(&r, c->facts, c->tables->sensitivity, c->diagnostics))
        return diagnostics_failed(c->diagnostics) ? CHART_BROKEN : CHART_NOTHING;
    if (r.count == 0)
        return CHART_NOTHING;
    low = high = r.middle;
    for (size_t i = 0; i < r.count; i++) {
        low = fmin(low, fmin(r.driver[i].low, r.driver[i].high));
        high = fmax(high, fmax(r.driver[i].low, r.driver[i].high));
    }
    if (!(high > low))
        return CHART_NOTHING;
    double air = AIR * (high - low);
    begin(s, c, &r);
    chart_script_margins(s, LEFT, RIGHT, BOTTOM, s->top - 0.04);
    chart_script_ranges(s, low - air, high + air, (double)r.count, 0.0);
    ticks_money(&ticks, low - air, high + air, 5, c->facts->frame->currency);
    chart_script_ticks(s, "x", &ticks);
    chart_script_add(s, "unset ytics\nset grid noytics xtics lc rgb GRID lw 1.5*W lt 1\n");
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < r.count; i++)
        add_driver(s, c, &r, i);
    chart_script_line(s, &(struct chart_line){.x1 = r.middle,
                                              .x2 = r.middle,
                                              .y1 = 0.0,
                                              .y2 = (double)r.count,
                                              .x_in = "first",
                                              .y_in = "first"});
    add_legend(s);
    chart_axis_name(s, LEFT, RIGHT, "Median cost");
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
