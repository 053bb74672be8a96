/* SPDX-License-Identifier: GPL-3.0-or-later
 * A quantile that is only bounded is drawn at its bound with an arrow away from it, and the mark is
 * hollow when the P50 itself is such a bound. */
#include "plots/charts/chart_cost_time.h"

#include "plots/charts/chart_legend.h"
#include "plots/facts/quantile_text.h"
#include "plots/facts/spread.h"
#include "plots/sentences/title_compare.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define PLOT_LEFT   0.105
#define PLOT_RIGHT  0.7
#define PLOT_BOTTOM 0.17

/* One axis of one strategy: middle with its arms. open: the true value lies further up. A quantile
 * between two bounds that are as good as one is drawn as a value. */
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

    a.middle = facts_near(&m->p50);
    a.middle_open = !isfinite(a.middle);
    if (a.middle_open)
        a.middle = m->p50.at_least;
    a.high = facts_near(&m->p90);
    a.high_open = !isfinite(a.high);
    if (a.high_open)
        a.high = m->p90.at_least;
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
        csv_put_number(&s->csv, row[i]);
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
                     const struct spot_on_chart *p, struct spread_axis x, struct spread_axis y)
{
    const struct strategy_facts *facts = &c->facts->strategy[c->shown.index[series]];
    struct figure unfinished = chart_unfinished(facts);
    struct figure time = {"no work that ends"}, cost;
    const char *currency = c->facts->frame->currency;
    size_t used = 0, room = chart_legend_room(c->shown.count);

    *entry = (struct chart_legend_entry){.warning = unfinished.text[0] != '\0'};
    if (facts->time.present)
        time = quantile_time(&facts->time.p50, c->facts->unit, QUANTILE_SHORT);
    cost = quantile_money(&facts->cost.p50, currency, QUANTILE_FULL);
    if (room > 2 && strstr(cost.text, " to ") != NULL && on_chart(p, x, y)) {
        snprintf(entry->lines[used++], sizeof entry->lines[0], "P50 %s,", cost.text);
        snprintf(entry->lines[used++], sizeof entry->lines[0], "%s", time.text);
    } else if (room > 1 || !entry->warning) {
        snprintf(entry->lines[used++], sizeof entry->lines[0], "P50 %.24s, %.24s",
                 quantile_money(&facts->cost.p50, currency, QUANTILE_SHORT).text, time.text);
    }
    if (room > 1 && placed(p) && !on_chart(p, x, y))
        snprintf(entry->lines[used++], sizeof entry->lines[0], "beyond the axes");
    snprintf(entry->lines[used], sizeof entry->lines[0], "%s", unfinished.text);
}

/* ---- a place for the budget's name ---- */

/* In shares of the plot, from its lower left corner. */
struct patch {
    double x1, x2, y1, y2;
};

static bool overlap(struct patch a, struct patch b)
{
    return a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;
}

static double share_of(double at, struct spread_axis axis)
{
    return (at - axis.low) / (axis.high - axis.low);
}

/* How many arms and marks the patch covers, with a little air around them. */
static size_t covered(struct patch p, const struct spot_on_chart *places, size_t count,
                      struct spread_axis x, struct spread_axis y)
{
    const double air_x = 0.02, air_y = 0.03;
    size_t hits = 0;

    for (size_t i = 0; i < count; i++) {
        const struct spot_on_chart *m = &places[i];
        double at_x = share_of(m->time.middle, x), at_y = share_of(m->cost.middle, y);
        double reach = 0.06; /* of an open arm's arrow */
        struct patch along = {share_of(m->time.low, x) - air_x, share_of(m->time.high, x) + air_x,
                              at_y - air_y, at_y + air_y};
        struct patch up = {at_x - air_x, at_x + air_x, share_of(m->cost.low, y) - air_y,
                           share_of(m->cost.high, y) + air_y};
        if (!on_chart(m, x, y))
            continue;
        along.x2 += m->time.high_open ? reach : 0.0;
        up.y2 += m->cost.high_open ? reach : 0.0;
        hits += overlap(p, along);
        hits += overlap(p, up);
    }
    return hits;
}

struct name_place {
    enum chart_align align;
    double x, y;
};

/* Above or below the line at `level`, at one of five places along it: the first that covers
 * nothing, else the one that covers least. taken: x of a vertical line, NaN = none. */
static struct name_place find_place(const struct spot_on_chart *places, size_t count,
                                    struct spread_axis x, struct spread_axis y, double level,
                                    double width, double height, double taken)
{
    static const struct name_place along[] = {{CHART_RIGHT, 0.99, 0.0},
                                              {CHART_LEFT, 0.01, 0.0},
                                              {CHART_CENTRE, 0.5, 0.0},
                                              {CHART_CENTRE, 0.75, 0.0},
                                              {CHART_CENTRE, 0.25, 0.0}};
    struct name_place best = along[0];
    size_t fewest = SIZE_MAX;

    for (size_t i = 0; i < 10; i++) {
        struct name_place at = along[i / 2];
        struct patch p;
        size_t hits;
        at.y = level + (i % 2 == 0 ? 0.65 : -0.65) * height;
        p.x1 = at.x - (at.align == CHART_LEFT    ? 0.0
                       : at.align == CHART_RIGHT ? width
                                                 : 0.5 * width);
        p.x2 = p.x1 + width;
        p.y1 = at.y - 0.5 * height;
        p.y2 = at.y + 0.5 * height;
        if (p.y1 < 0.0 || p.y2 > 1.0)
            continue;
        hits = covered(p, places, count, x, y);
        hits += taken > p.x1 && taken < p.x2;
        if (hits < fewest) {
            fewest = hits;
            best = at;
        }
    }
    return best;
}

static void add_budget(struct chart_script *s, const struct chart_context *c,
                       const struct spot_on_chart *places, struct spread_axis x,
                       struct spread_axis y, double deadline)
{
    const struct chart_frame *frame = c->facts->frame;
    double level = share_of(frame->budget, y);
    const char *arrow = level > 1.0 ? " \xe2\x86\x91" : level < 0.0 ? " \xe2\x86\x93" : "";
    double height = 21.0 * 1.3 / 675.0 / (s->top - 0.015 - PLOT_BOTTOM), width;
    struct name_place at;
    char name[96];

    snprintf(name, sizeof name, "Budget %.60s%s", chart_budget(frame).text, arrow);
    width = label_width(name, true) * 21.0 / 1200.0 / (PLOT_RIGHT - PLOT_LEFT);
    chart_limit_y(s, y.low, y.high, frame->budget, NULL, CHART_LEFT);
    at = find_place(places, c->shown.count, x, y, fmin(1.0, fmax(0.0, level)), width, height,
                    share_of(deadline, x));
    chart_script_label(s, &(struct chart_label){.text = name,
                                                .x = at.x,
                                                .y = at.y,
                                                .x_in = "graph",
                                                .y_in = "graph",
                                                .align = at.align,
                                                .bold = true,
                                                .colour = CHART_RED});
}

static void add_limits(struct chart_script *s, const struct chart_context *c,
                       const struct spot_on_chart *places, struct spread_axis x,
                       struct spread_axis y)
{
    const struct chart_frame *frame = c->facts->frame;
    double deadline_h = facts_single_deadline_h(frame);
    double deadline = figure_time_in(deadline_h, c->facts->unit);
    char name[96];

    if (isfinite(frame->budget) && isfinite(deadline_h) && frame->budget > y.low &&
        deadline > x.low)
        chart_script_box(s, x.low, y.low, fmin(deadline, x.high), fmin(frame->budget, y.high),
                         "first", "PALE");
    if (isfinite(deadline_h)) {
        snprintf(name, sizeof name, "Deadline %s",
                 figure_time_words(deadline_h, c->facts->unit, FIGURE_NEAREST).text);
        chart_limit_x(s, x.low, x.high, deadline, name);
    }
    if (isfinite(frame->budget))
        add_budget(s, c, places, x, y, deadline);
}

enum chart_result chart_cost_time(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "time_p50", "time_p10", "time_p90",
                                          "cost_p50",        "cost_p10", "cost_p90", "time_open",
                                          "cost_open",       "strategy"};
    const struct chart_frame *frame = c->facts->frame;
    enum time_unit unit = c->facts->unit;
    struct chart_legend_entry entries[CHART_SERIES_MAX];
    struct spot_on_chart places[CHART_SERIES_MAX];
    struct spread_axis x, y;
    struct ticks ticks;
    struct text title, subtitle;
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
    text_init(&subtitle, 4096);
    title_cost_time(&title, c->facts);
    text_add(&subtitle, "P50 of cost and of time to train; arms: P10 to P90; arrows: not "
                        "finished, further out");
    chart_add_choice(&subtitle, c->facts);
    chart_begin(s, c, c->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    chart_script_margins(s, PLOT_LEFT, PLOT_RIGHT, PLOT_BOTTOM, s->top - 0.015);
    chart_script_ranges(s, x.low, x.high, y.low, y.high);
    ticks_plain(&ticks, x.low, x.high, 7);
    chart_script_ticks(s, "x", &ticks);
    ticks_money(&ticks, y.low, y.high, 6, frame->currency);
    chart_script_ticks(s, "y", &ticks);
    chart_script_add(s, "set bars 0\n");
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->shown.count; i++) {
        describe(&entries[i], c, i, &places[i], x, y);
        add_mark(s, c, &places[i], i, x, y);
    }
    add_limits(s, c, places, x, y);
    chart_legend(s, c, entries, true);
    snprintf(name, sizeof name, "Time to train, %s",
             unit == TIME_DAYS    ? "days"
             : unit == TIME_HOURS ? "hours"
                                  : "minutes");
    chart_axis_name(s, PLOT_LEFT, PLOT_RIGHT, name);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
