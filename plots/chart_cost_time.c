/* SPDX-License-Identifier: GPL-3.0-or-later
 * A quantile that is only bounded is drawn at its bound with an arrow away from it, and the mark is
 * hollow when the P50 itself is such a bound. */
#include "plots/chart_cost_time.h"

#include "plots/chart_legend.h"
#include "plots/spread.h"
#include "plots/title_compare.h"

#include <math.h>
#include <stdio.h>

/* One axis of one strategy: middle with its arms. open: the true value lies further up. */
struct arm {
    double middle, low, high; /* middle NaN: no place on the axis */
    bool middle_open, high_open;
};

struct spot_on_chart {
    struct arm time, cost;
};

static struct arm arm_of(const struct fact_metric *m)
{
    struct arm a;

    a.middle_open = !isfinite(m->p50.value);
    a.middle = a.middle_open ? m->p50.at_least : m->p50.value;
    a.high_open = !isfinite(m->p90.value);
    a.high = a.high_open ? m->p90.at_least : m->p90.value;
    if (!isfinite(a.high))
        a.high = a.middle;
    a.low = isfinite(m->p10.value) ? m->p10.value : a.middle;
    return a;
}

static void scale_arm(struct arm *a, enum time_unit unit)
{
    a->middle = figure_time_in(a->middle, unit);
    a->low = figure_time_in(a->low, unit);
    a->high = figure_time_in(a->high, unit);
}

static bool placed(const struct spot_on_chart *p)
{
    return isfinite(p->time.middle) && isfinite(p->cost.middle);
}

/* The axis over all marks, without those far off. */
static struct spread_axis axis_over(const struct spot_on_chart *places, size_t count, bool time,
                                    double limit)
{
    struct spread_axis axis = {INFINITY, -INFINITY};
    double middles[CHART_SERIES_MAX], typical, width;
    size_t known = 0;

    for (size_t i = 0; i < count; i++) {
        if (placed(&places[i]))
            middles[known++] = time ? places[i].time.middle : places[i].cost.middle;
    }
    typical = spread_typical(middles, known);
    for (size_t i = 0; i < count; i++) {
        const struct arm *a = time ? &places[i].time : &places[i].cost;
        if (!placed(&places[i]) || spread_far(a->middle, typical))
            continue;
        axis.low = fmin(axis.low, a->low);
        axis.high = fmax(axis.high, a->high);
    }
    if (!(axis.low <= axis.high))
        axis = (struct spread_axis){0.0, 0.0};
    width = axis.high - axis.low;
    axis.low = fmax(axis.low >= 0.0 ? 0.0 : axis.low, axis.low - 0.1 * width);
    axis.high += 0.1 * width;
    return spread_axis_pad(spread_axis_hold(axis, limit, 1.0));
}

/* From the end of an open arm away from the origin. */
static void add_open_end(struct chart_script *s, double x, double y, bool along_x,
                         struct spread_axis axis, const char *colour)
{
    double reach = 0.06 * (axis.high - axis.low);

    chart_script_line(s, &(struct chart_line){.x1 = x,
                                              .x2 = along_x ? fmin(x + reach, axis.high) : x,
                                              .y1 = y,
                                              .y2 = along_x ? y : fmin(y + reach, axis.high),
                                              .x_in = "first",
                                              .y_in = "first",
                                              .colour = colour,
                                              .width = 3.0,
                                              .head = true});
}

static bool within(double x, struct spread_axis axis)
{
    return x >= axis.low && x <= axis.high;
}

static bool on_chart(const struct spot_on_chart *p, struct spread_axis x, struct spread_axis y)
{
    return placed(p) && within(p->time.middle, x) && within(p->cost.middle, y);
}

static void put_number_or_nothing(struct chart_script *s, double x)
{
    if (isfinite(x))
        csv_put_number(&s->csv, x);
    else
        csv_put_missing(&s->csv);
}

static void add_mark(struct chart_script *s, const struct chart_context *c,
                     const struct spot_on_chart *p, size_t series, struct spread_axis x,
                     struct spread_axis y)
{
    static const int hollow[] = {6, 4, 8, 12, 10, 14, 6, 4};
    const struct chart_series_style *style = chart_series_style(series);
    bool open = p->time.middle_open || p->cost.middle_open;
    const double row[] = {p->time.middle, p->time.low, p->time.high,
                          p->cost.middle, p->cost.low, p->cost.high};
    size_t k = s->rows;

    csv_put_integer(&s->csv, (int64_t)c->shown.index[series] + 1);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        put_number_or_nothing(s, row[i]);
    csv_put_integer(&s->csv, p->time.high_open);
    csv_put_integer(&s->csv, p->cost.high_open);
    chart_script_put_name(s, c->facts->strategy[c->shown.index[series]].name);
    chart_script_row_end(s);
    if (!on_chart(p, x, y))
        return;
    chart_script_plot(s, k, k, "using 2:5:3:4 with xerrorbars pt 0 ps 0 lw 3.0*W lc rgb %s notitle",
                      style->full);
    chart_script_plot(s, k, k, "using 2:5:6:7 with yerrorbars pt 0 ps 0 lw 3.0*W lc rgb %s notitle",
                      style->full);
    /* A hollow mark is white inside. */
    if (open)
        chart_script_plot(s, k, k,
                          "using 2:5 with points pt %d ps %.2f*%s lc rgb '#FFFFFF' notitle",
                          hollow[series % 8] + 1, 1.3 * style->point_size, style->point_scale);
    chart_script_plot(s, k, k, "using 2:5 with points pt %d ps %.2f*%s lw 3.0*W lc rgb %s notitle",
                      open ? hollow[series % 8] : style->point, 1.3 * style->point_size,
                      style->point_scale, style->full);
    if (p->time.high_open)
        add_open_end(s, fmin(p->time.high, x.high), p->cost.middle, true, x, style->full);
    if (p->cost.high_open)
        add_open_end(s, p->time.middle, fmin(p->cost.high, y.high), false, y, style->full);
}

static void describe(struct chart_legend_entry *entry, const struct chart_context *c, size_t series,
                     const struct spot_on_chart *p, struct spread_axis x, struct spread_axis y,
                     enum time_unit unit)
{
    const struct strategy_facts *facts = &c->facts->strategy[c->shown.index[series]];
    struct figure unfinished = chart_unfinished(facts);
    size_t used = 0, room = chart_legend_room(c->shown.count);

    *entry = (struct chart_legend_entry){.warning = unfinished.text[0] != '\0'};
    if (room > 1 || !entry->warning)
        snprintf(entry->lines[used++], sizeof entry->lines[0], "P50 %.24s, %.24s",
                 chart_money_quantile(c->facts, &facts->cost.p50).text,
                 facts->time.present ? chart_time_quantile(&facts->time.p50, unit).text
                                     : "no finite work");
    if (room > 1 && placed(p) && !on_chart(p, x, y))
        snprintf(entry->lines[used++], sizeof entry->lines[0], "beyond the axes");
    snprintf(entry->lines[used], sizeof entry->lines[0], "%s", unfinished.text);
}

/* The end of the budget's line at which fewer marks lie in the way of its name. */
static enum chart_align free_side(const struct spot_on_chart *places, size_t count, double budget,
                                  struct spread_axis x, struct spread_axis y)
{
    const double width = 0.25 * (x.high - x.low), height = 0.1 * (y.high - y.low);
    size_t left = 0, right = 0;

    for (size_t i = 0; i < count; i++) {
        const struct spot_on_chart *p = &places[i];
        bool level = p->cost.low < budget + height && p->cost.high > budget - height;
        if (!on_chart(p, x, y) || !level)
            continue;
        left += p->time.low < x.low + width;
        right += p->time.high > x.high - width;
    }
    return right < left ? CHART_RIGHT : CHART_LEFT;
}

static void add_limits(struct chart_script *s, const struct chart_context *c,
                       const struct spot_on_chart *places, struct spread_axis x,
                       struct spread_axis y, enum time_unit unit)
{
    const struct chart_frame *frame = c->facts->frame;
    double deadline_h = facts_single_deadline_h(frame), deadline = figure_time_in(deadline_h, unit);
    char name[96];

    if (isfinite(frame->budget) && isfinite(deadline_h) && frame->budget > y.low &&
        deadline > x.low)
        chart_script_box(s, x.low, y.low, fmin(deadline, x.high), fmin(frame->budget, y.high),
                         "first", "PALE");
    if (isfinite(deadline_h)) {
        snprintf(name, sizeof name, "Deadline %s",
                 figure_time_words(deadline_h, FIGURE_NEAREST).text);
        chart_limit_x(s, x.low, x.high, deadline, name);
    }
    if (isfinite(frame->budget)) {
        snprintf(name, sizeof name, "Budget %s",
                 figure_money(frame->budget, frame->currency, FIGURE_NEAREST).text);
        chart_limit_y(s, y.low, y.high, frame->budget, name,
                      free_side(places, c->shown.count, frame->budget, x, y));
    }
}

enum chart_result chart_cost_time(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "time_p50", "time_p10", "time_p90",
                                          "cost_p50",        "cost_p10", "cost_p90", "time_open",
                                          "cost_open",       "strategy"};
    const struct chart_frame *frame = c->facts->frame;
    enum time_unit unit = figure_time_unit(c->facts->largest_time_h);
    struct chart_legend_entry entries[CHART_SERIES_MAX];
    struct spot_on_chart places[CHART_SERIES_MAX];
    struct spread_axis x, y;
    struct ticks ticks;
    struct text title;
    char name[64];

    if (!c->facts->has_time || frame->time_metric == NULL || c->shown.count == 0)
        return CHART_NOTHING;
    for (size_t i = 0; i < c->shown.count; i++) {
        const struct strategy_facts *facts = &c->facts->strategy[c->shown.index[i]];
        places[i] = (struct spot_on_chart){arm_of(&facts->time), arm_of(&facts->cost)};
        scale_arm(&places[i].time, unit);
    }
    x = axis_over(places, c->shown.count, true,
                  figure_time_in(facts_single_deadline_h(frame), unit));
    y = axis_over(places, c->shown.count, false, frame->budget);
    text_init(&title, 2048);
    title_cost_time(&title, c->facts);
    chart_begin(
        s, c, c->shown.count, title.data,
        "P50 of cost and of time to train; arms: P10 to P90; arrows: not finished, further out");
    text_release(&title);
    chart_script_margins(s, 0.105, 0.7, 0.17, s->top - 0.015);
    chart_script_ranges(s, x.low, x.high, y.low, y.high);
    ticks_plain(&ticks, x.low, x.high, 7);
    chart_script_ticks(s, "x", &ticks);
    ticks_money(&ticks, y.low, y.high, 6, frame->currency);
    chart_script_ticks(s, "y", &ticks);
    chart_script_add(s, "set bars 0\n");
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->shown.count; i++) {
        describe(&entries[i], c, i, &places[i], x, y, unit);
        add_mark(s, c, &places[i], i, x, y);
    }
    add_limits(s, c, places, x, y, unit);
    chart_legend(s, c, entries, true);
    snprintf(name, sizeof name, "Time to train, %s",
             unit == TIME_DAYS    ? "days"
             : unit == TIME_HOURS ? "hours"
                                  : "minutes");
    chart_axis_name(s, 0.105, 0.7, name);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
