/* SPDX-License-Identifier: GPL-3.0-or-later
 * One path: a line for each strategy through its P50s, an arm from P10 to P90 at each value. Two: a
 * field for each pair of values, in the colour of the strategy that leads there, with its cost. */
#include "plots/charts/chart_sweep.h"

#include "plots/facts/sweep_page.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEFT   0.105
#define RIGHT  0.78
#define BOTTOM 0.18
/* Of a name beside the plot: its room, and from its first line to its second. */
#define NAME_EM   ((0.985 - RIGHT - 0.012) * 1200.0 / 18.0)
#define NAME_STEP 0.033

enum { FIELDS_MAX = 12, TICKS_NAMED = 12 };

/* ---- one path ---- */

struct cost_axis {
    double low, high;
};

static struct cost_axis measure(const struct sweep_page *p)
{
    struct cost_axis y = {0.0, 0.0};

    for (size_t i = 0; i < p->points; i++) {
        for (size_t k = 0; k < p->count; k++) {
            const struct sweep_cost *one = sweep_cost_at(p, i, k);
            y.high = fmax(y.high, isfinite(one->p90) ? one->p90 : one->p50);
        }
    }
    y.high = y.high > 0.0 ? 1.06 * y.high : 1.0;
    return y;
}

static void add_series(struct chart_script *s, const struct sweep_page *p, size_t k)
{
    const struct chart_series_style *style = chart_series_style(k);
    const size_t first = s->rows;

    for (size_t i = 0; i < p->points; i++) {
        const struct sweep_cost *one = sweep_cost_at(p, i, k);
        csv_put_integer(&s->csv, (int64_t)k + 1);
        csv_put_number(&s->csv, p->path[0].at[i]);
        csv_put_number(&s->csv, one->p50);
        csv_put_number(&s->csv, one->p10);
        csv_put_number(&s->csv, one->p90);
        chart_script_put_name(s, p->strategies[k]);
        chart_script_row_end(s);
    }
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:3:4:5 with yerrorbars pt 7 ps 0 lw 2.5*W lc rgb %s notitle",
                      style->light);
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:3 with linespoints lw 4*W pt %d ps %.6g*%s lc rgb %s notitle",
                      style->point, 0.8 * style->point_size, style->point_scale, style->full);
}

/* In two lines around y where one does not hold the name; beside a curve that ends nowhere it
 * stands at the foot of the axis, which is no cost of zero. */
static void name_one(struct chart_script *s, const struct sweep_page *p, size_t k, bool known,
                     double y)
{
    struct text clean, first, second;
    struct chart_label label = {.x = RIGHT + 0.012,
                                .y = y,
                                .bold = true,
                                .size = 18,
                                .colour = chart_series_style(k)->full,
                                .name = known};

    text_init(&clean, 4096);
    text_init(&first, 4096);
    text_init(&second, 4096);
    label_clean(&clean, p->strategies[k]);
    if (!known)
        text_add(&clean, ": n/a");
    label_wrap(&first, &second, clean.data, NAME_EM, true);
    label.y = second.length > 0 ? y + 0.5 * NAME_STEP : y;
    label.text = first.data;
    chart_script_label_lines(s, label, second.data, NAME_STEP);
    text_release(&clean);
    text_release(&first);
    text_release(&second);
}

static bool any_long_name(const struct sweep_page *p)
{
    bool any = false;

    for (size_t k = 0; k < p->count; k++)
        any = any || label_width(p->strategies[k], true) > NAME_EM;
    return any;
}

/* The names at the right, at the last known cost, pushed apart. */
static void name_series(struct chart_script *s, const struct sweep_page *p, struct cost_axis y,
                        double bottom, double top)
{
    double at[SWEEP_SERIES_MAX];
    bool known[SWEEP_SERIES_MAX];
    size_t order[SWEEP_SERIES_MAX], n = 0;
    const double gap = fmin(any_long_name(p) ? 0.085 : 0.055, (top - bottom) / (double)p->count);

    for (size_t k = 0; k < p->count; k++) {
        double last = (double)NAN;
        for (size_t i = 0; i < p->points; i++) {
            const struct sweep_cost *one = sweep_cost_at(p, i, k);
            last = isfinite(one->p50) ? one->p50 : last;
        }
        known[k] = isfinite(last);
        at[k] = known[k] ? bottom + (top - bottom) * (last - y.low) / (y.high - y.low) : bottom;
        size_t place = n++;
        for (; place > 0 && at[order[place - 1]] > at[k]; place--)
            order[place] = order[place - 1];
        order[place] = k;
    }
    for (size_t i = 1; i < n; i++)
        at[order[i]] = fmax(at[order[i]], at[order[i - 1]] + gap);
    for (size_t i = n; i-- > 0;) {
        double most = i + 1 == n ? top : at[order[i + 1]] - gap;
        at[order[i]] = fmin(at[order[i]], most);
    }
    for (size_t k = 0; k < n; k++)
        name_one(s, p, k, known[k], at[k]);
}

/* Values as names under the axis, of which not more than there is room for. */
static void name_values(struct chart_script *s, const struct sweep_path *x)
{
    const double span = x->at[x->count - 1] - x->at[0];
    double last = -INFINITY;

    chart_script_add(s, "set xtics nomirror scale 0 (");
    for (size_t i = 0; i < x->count; i++) {
        struct text value, clean;
        if (x->at[i] - last < span / TICKS_NAMED)
            continue;
        last = x->at[i];
        text_init(&value, 4096);
        text_init(&clean, 4096);
        if (x->numeric) /* the axis says the unit */
            text_format(&clean, "%.6g", x->at[i]);
        else
            label_clean(&clean, x->values[i]);
        label_shorten(&value, clean.data, 8.0, false);
        text_clear(&clean);
        label_quote_tic(&clean, value.data);
        text_add(&s->gp, i > 0 ? ", " : "");
        text_add(&s->gp, clean.data);
        text_format(&s->gp, " %.10g", x->at[i]);
        text_release(&value);
        text_release(&clean);
    }
    chart_script_add(s, ")\n");
}

static void name_axis(struct chart_script *s, const struct sweep_path *x)
{
    struct text name;

    text_init(&name, 4096);
    label_clean(&name, x->path);
    if (x->numeric && x->unit[0] != '\0') {
        text_add(&name, ", ");
        label_clean(&name, x->unit);
    }
    chart_axis_name(s, LEFT, RIGHT, name.data);
    text_release(&name);
}

static void draw_lines(struct chart_script *s, const struct chart_context *c,
                       const struct sweep_page *p)
{
    static const char *const columns[] = {"strategy_number", "x", "p50", "p10", "p90", "strategy"};
    const struct sweep_path *x = &p->path[0];
    const double span = x->at[x->count - 1] - x->at[0], top = s->top - 0.02;
    const double air = span > 0.0 ? 0.04 * span : 1.0;
    struct cost_axis y = measure(p);
    struct ticks ticks;

    chart_script_margins(s, LEFT, RIGHT, BOTTOM, top);
    chart_script_ranges(s, x->at[0] - air, x->at[x->count - 1] + air, y.low, y.high);
    ticks_money(&ticks, y.low, y.high, 6, c->facts->frame->currency);
    chart_script_ticks(s, "y", &ticks);
    name_values(s, x);
    name_axis(s, x);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t k = 0; k < p->count; k++)
        add_series(s, p, k);
    name_series(s, p, y, BOTTOM, top);
}

/* ---- two paths ---- */

static void add_field(struct chart_script *s, const struct chart_context *c,
                      const struct sweep_page *p, size_t row, size_t column)
{
    const size_t point = row * p->path[1].count + column;
    const int leader = p->leader[point];
    const double x = (double)column, y = (double)row;
    const bool many = p->path[1].count > 6 || p->path[0].count > 8;
    const struct sweep_cost *cost = leader < 0 ? NULL : sweep_cost_at(p, point, (size_t)leader);
    struct text name, clean;

    text_init(&name, 4096);
    text_init(&clean, 4096);
    label_clean(&clean, leader < 0 ? "none" : p->strategies[leader]);
    label_shorten(&name, clean.data, 60.0 / (double)(p->path[1].count + 1), true);
    chart_script_box(s, x + 0.02, y + 0.03, x + 0.98, y + 0.97, "first",
                     leader < 0 ? "GRID" : chart_series_style((size_t)leader)->light);
    chart_script_label(s, &(struct chart_label){.text = name.data,
                                                .x = x + 0.5,
                                                .y = y + 0.38,
                                                .x_in = "first",
                                                .y_in = "first",
                                                .align = CHART_CENTRE,
                                                .size = many ? 17 : 19,
                                                .bold = leader >= 0 && p->clear[point],
                                                .colour = leader < 0 ? CHART_MUTE : CHART_INK});
    if (cost != NULL)
        chart_script_label(
            s, &(struct chart_label){
                   .text = figure_money(cost->p50, c->facts->frame->currency, FIGURE_NEAREST).text,
                   .x = x + 0.5,
                   .y = y + 0.7,
                   .x_in = "first",
                   .y_in = "first",
                   .align = CHART_CENTRE,
                   .size = 17,
                   .colour = CHART_INK});
    csv_put_integer(&s->csv, (int64_t)row + 1);
    csv_put_integer(&s->csv, (int64_t)column + 1);
    csv_put_number(&s->csv, cost == NULL ? (double)NAN : cost->p50);
    csv_put_integer(&s->csv, cost != NULL && p->clear[point] ? 1 : 0);
    chart_script_put_name(s, leader < 0 ? "none" : p->strategies[leader]);
    chart_script_row_end(s);
    text_release(&name);
    text_release(&clean);
}

static void name_field(struct chart_script *s, const char *value, double x, double y, bool row)
{
    struct text name, clean;

    text_init(&name, 4096);
    text_init(&clean, 4096);
    label_clean(&clean, value);
    label_shorten(&name, clean.data, row ? 8.0 : 10.0, false);
    chart_script_label(s, &(struct chart_label){.text = name.data,
                                                .x = x,
                                                .y = y,
                                                .x_in = row ? NULL : "first",
                                                .y_in = row ? "first" : NULL,
                                                .align = row ? CHART_RIGHT : CHART_CENTRE,
                                                .size = 19,
                                                .colour = CHART_INK});
    text_release(&name);
    text_release(&clean);
}

static void draw_fields(struct chart_script *s, const struct chart_context *c,
                        const struct sweep_page *p)
{
    static const char *const columns[] = {"row", "column", "p50", "clear", "strategy"};
    const struct sweep_path *down = &p->path[0], *across = &p->path[1];
    const double left = 0.16, right = 0.965, top = s->top - 0.045;

    chart_script_margins(s, left, right, BOTTOM, top);
    chart_script_ranges(s, 0.0, (double)across->count, (double)down->count, 0.0);
    chart_script_add(s, "unset xtics\nunset ytics\nunset grid\nunset border\n");
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t row = 0; row < down->count; row++) {
        name_field(s, down->values[row], left - 0.01, (double)row + 0.5, true);
        for (size_t column = 0; column < across->count; column++)
            add_field(s, c, p, row, column);
    }
    for (size_t column = 0; column < across->count; column++)
        name_field(s, across->values[column], (double)column + 0.5, BOTTOM - 0.035, false);
    chart_axis_name(s, left, right, across->path);
    struct text name, clean;
    text_init(&name, 4096);
    text_init(&clean, 4096);
    label_clean(&clean, down->path);
    label_shorten(&name, clean.data, 45.0, false);
    chart_script_label(s, &(struct chart_label){.text = name.data, .x = 0.03, .y = top + 0.03});
    text_release(&name);
    text_release(&clean);
}

static void begin(struct chart_script *s, const struct chart_context *c, const struct sweep_page *p)
{
    struct text title, subtitle;

    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_sweep(&title, p, c->facts->frame->currency);
    if (p->paths == 1)
        text_add(&subtitle, "Cost in the same futures at each value: P50, arms from P10 to P90");
    else
        text_add(
            &subtitle,
            "The strategy of lowest P50 cost that finishes, and that cost, in the same futures "
            "at each pair of values; bold: clearly the lowest");
    if (p->all > p->count)
        text_format(&subtitle, "; %zu of %zu strategies", p->count, p->all);
    chart_begin(s, c, c->shown.of, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

enum chart_result chart_sweep(struct chart_script *s, const struct chart_context *c)
{
    struct sweep_page *p = arena_alloc(c->arena, sizeof *p);

    if (c->tables->sweep == NULL || p == NULL)
        return CHART_NOTHING;
    if (!sweep_page_read(p, c->tables->sweep, c->facts->frame->cost_metric, c->arena,
                         c->diagnostics))
        return diagnostics_failed(c->diagnostics) ? CHART_BROKEN : CHART_NOTHING;
    if (p->paths == 2 && (p->path[0].count > FIELDS_MAX || p->path[1].count > FIELDS_MAX))
        return CHART_NOTHING;
    begin(s, c, p);
    if (p->paths == 1)
        draw_lines(s, c, p);
    else
        draw_fields(s, c, p);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
