/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is paid by use is a line through the origin, what is paid anyway a flat one: they cross
 * where the use makes it worth while. */
#include "plots/charts/chart_break_even.h"

#include "plots/facts/buy_ways.h"
#include "plots/sentences/title_break_even.h"

#include <math.h>
#include <stdio.h>

#define PLOT_LEFT   0.095
#define PLOT_RIGHT  0.66
#define PLOT_BOTTOM 0.17
/* Lines of text at the right, in shares of the plot's height. */
#define APART 0.075

static double highest(const struct buy_ways *w)
{
    double high = w->on_demand;

    for (size_t i = 0; i < w->count; i++)
        high = w->way[i].per_hour < 1.6 * w->on_demand ? fmax(high, w->way[i].per_hour) : high;
    return 1.08 * high;
}

/* Two rows: unused and in full use. */
static void add_line(struct chart_script *s, const char *name, double from, double to,
                     double crossing)
{
    for (int end = 0; end < 2; end++) {
        csv_put_number(&s->csv, 100.0 * end);
        csv_put_number(&s->csv, end == 0 ? from : to);
        csv_put_number(&s->csv, 100.0 * crossing);
        chart_script_put_name(s, name);
        chart_script_row_end(s);
    }
}

/* Where the names at the right stand: at their prices, pushed apart. */
struct right_name {
    const char *text, *colour;
    double y;
    bool bold;
};

static void push_apart(struct right_name *names, size_t count, double high)
{
    double gap = APART * high, low = 0.03 * high;

    for (size_t i = 1; i < count; i++) { /* by y */
        for (size_t j = i; j > 0 && names[j].y < names[j - 1].y; j--) {
            struct right_name swapped = names[j];
            names[j] = names[j - 1];
            names[j - 1] = swapped;
        }
    }
    for (size_t i = 0; i < count; i++) {
        names[i].y = fmax(names[i].y, low);
        low = names[i].y + gap;
    }
    for (size_t i = count; i-- > 0;) {
        double most = i + 1 == count ? high : names[i + 1].y - gap;
        names[i].y = fmin(names[i].y, most);
    }
}

static void add_names(struct chart_script *s, const struct chart_context *c,
                      const struct buy_ways *w, double high)
{
    const char *currency = c->facts->frame->currency;
    struct right_name names[BUY_WAYS_MAX + 2];
    char text[BUY_WAYS_MAX + 2][128];
    size_t count = 0;

    for (size_t i = 0; i < w->count; i++) {
        const struct buy_way *way = &w->way[i];
        snprintf(text[count], sizeof text[0], "%s: %s", way->name,
                 figure_money(way->per_hour, currency, FIGURE_NEAREST).text);
        names[count] = (struct right_name){text[count], way->is_signed ? "BLUE" : NULL,
                                           way->per_hour, way->is_signed};
        count++;
    }
    snprintf(text[count], sizeof text[0], "On-demand: %s",
             figure_money(w->on_demand, currency, FIGURE_NEAREST).text);
    names[count] = (struct right_name){text[count], "ORANGE", w->on_demand, true};
    count++;
    if (isfinite(w->spot)) {
        snprintf(text[count], sizeof text[0], "Spot, mean price: %s",
                 figure_money(w->spot, currency, FIGURE_NEAREST).text);
        names[count] = (struct right_name){text[count], "GREEN", w->spot, true};
        count++;
    }
    push_apart(names, count, high);
    for (size_t i = 0; i < count; i++)
        chart_script_label(s, &(struct chart_label){.text = names[i].text,
                                                    .x = PLOT_RIGHT + 0.008,
                                                    .y = names[i].y,
                                                    .y_in = "first",
                                                    .size = 17,
                                                    .bold = names[i].bold,
                                                    .colour = names[i].colour});
}

/* "64 %" where a signed line crosses on-demand or spot. */
static void add_crossing(struct chart_script *s, double at, double price)
{
    char text[24];

    if (!(at > 0.0 && at <= 1.0))
        return;
    snprintf(text, sizeof text, "%.0f %%", ceil(100.0 * at - 1e-9)); /* as the title has it */
    chart_script_label(s, &(struct chart_label){.text = text,
                                                .x = 100.0 * at,
                                                .y = price,
                                                .x_in = "first",
                                                .y_in = "first",
                                                .align = CHART_RIGHT,
                                                .bold = true,
                                                .colour = CHART_INK,
                                                .dx = -0.4,
                                                .dy = 0.65});
}

static void add_ways(struct chart_script *s, const struct buy_ways *w)
{
    static const char *const columns[] = {"use_percent", "per_hour", "crossing_percent", "way"};

    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < w->count; i++) {
        const struct buy_way *way = &w->way[i];
        size_t first = s->rows;
        add_line(s, way->name, way->per_hour, way->per_hour, way->above);
        chart_script_plot(s, first, first + 1, "using 1:2 with lines lw %s*W lc rgb %s notitle",
                          way->is_signed ? "5" : "2.5", way->is_signed ? "BLUE" : "DARK");
        if (way->above <= 1.0)
            chart_script_plot(s, first, first,
                              "using 3:2 with points pt 7 ps %s*P lc rgb %s notitle",
                              way->is_signed ? "2.0" : "1.2", way->is_signed ? "BLUE" : "DARK");
        if (way->is_signed) {
            add_crossing(s, way->above, way->per_hour);
            add_crossing(s, way->above_spot, way->per_hour);
        }
    }
    add_line(s, "on-demand", 0.0, w->on_demand, (double)NAN);
    chart_script_plot(s, s->rows - 2, s->rows - 1,
                      "using 1:2 with lines lw 5*W lc rgb ORANGE notitle");
    if (isfinite(w->spot)) {
        add_line(s, "spot", 0.0, w->spot, (double)NAN);
        chart_script_plot(s, s->rows - 2, s->rows - 1,
                          "using 1:2 with lines lw 5*W dt (12,5) lc rgb GREEN notitle");
    }
}

static void begin(struct chart_script *s, const struct chart_context *c, const struct buy_ways *w)
{
    struct text title, subtitle;

    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_break_even(&title, w);
    text_format(&subtitle,
                "Cost of an hour of one %s against the share of hours that it is used, at prices "
                "known when planning; bold: what a strategy signs",
                w->type);
    if (w->left_out > 0)
        text_format(&subtitle, "; %zu more offers are in break_even.csv", w->left_out);
    chart_begin(s, c, c->shown.of, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

enum chart_result chart_break_even(struct chart_script *s, const struct chart_context *c)
{
    const struct chart_frame *frame = c->facts->frame;
    struct ticks ticks;
    struct buy_ways w;
    double high;

    if (c->tables->break_even == NULL)
        return CHART_NOTHING;
    if (!buy_ways_read(&w, c->tables->break_even, frame->cost_metric, c->diagnostics))
        return CHART_BROKEN;
    if (buy_ways_signed(&w) == NULL || !(w.on_demand > 0.0))
        return CHART_NOTHING;
    high = highest(&w);
    begin(s, c, &w);
    chart_script_margins(s, PLOT_LEFT, PLOT_RIGHT, PLOT_BOTTOM, s->top - 0.015);
    chart_script_ranges(s, 0.0, 100.0, 0.0, high);
    ticks_money(&ticks, 0.0, high, 6, frame->currency);
    chart_script_ticks(s, "y", &ticks);
    ticks_plain(&ticks, 0.0, 100.0, 5);
    chart_script_ticks(s, "x", &ticks);
    chart_axis_name(s, PLOT_LEFT, PLOT_RIGHT, "Share of hours used, %");
    add_ways(s, &w);
    add_names(s, c, &w, high);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
