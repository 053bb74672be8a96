/* SPDX-License-Identifier: GPL-3.0-or-later
 * Both as steps: a bucket holds means, so its corners are true. */
#include "plots/charts/chart_demand.h"

#include "plots/charts/service_panels.h"
#include "plots/sentences/title_service.h"
#include "plots/text/figures.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>

#define CAPACITY_SHOWN 3.0 /* times the highest demand: more spare capacity leaves the page */

static double demand_at(const struct service_course *c, size_t k)
{
    return isfinite(c->arrival_rate[k]) ? c->arrival_rate[k] : 0.0;
}

static double highest(const struct service_panels *p)
{
    double demand = 0.0, capacity = 0.0, from_s, to_s;

    for (size_t i = 0; i < p->shown.count; i++) {
        const struct service_course *c = &p->course[i];
        for (size_t k = 0; k < c->count; k++) {
            if (!service_panels_place(p, c, k, &from_s, &to_s))
                continue;
            demand = fmax(demand, demand_at(c, k));
            capacity = fmax(capacity, c->could_serve_rate[k]); /* passes over NaN */
        }
    }
    demand = demand > 0.0 ? demand : capacity;
    return demand > 0.0 ? 1.08 * fmax(demand, fmin(capacity, CAPACITY_SHOWN * demand)) : 1.0;
}

static void put_point(struct chart_script *s, const struct chart_context *c, size_t strategy,
                      double at_s, const struct service_course *of, size_t k)
{
    csv_put_integer(&s->csv, (int64_t)strategy + 1);
    csv_put_number(&s->csv, at_s);
    csv_put_number(&s->csv, demand_at(of, k));
    csv_put_number(&s->csv, of->could_serve_rate[k]);
    csv_put_integer(&s->csv, of->overloaded[k] > 0.0);
    chart_script_put_name(s, c->facts->strategy[strategy].name);
    chart_script_row_end(s);
}

/* The page ends far below what could be served where that is many times the demand. What is cut off
 * is said at the cut, where no curve is: demand stays in the lower third. */
static void tell_cut(struct chart_script *s, const struct service_panels *p, size_t panel,
                     const struct chart_panels *panels)
{
    const struct service_course *of = &p->course[panel];
    double most = 0.0, from_s, to_s;
    char rate[48], text[96];

    for (size_t k = 0; k < of->count; k++) {
        if (service_panels_place(p, of, k, &from_s, &to_s))
            most = fmax(most, of->could_serve_rate[k]); /* passes over NaN */
    }
    if (!(most > panels->y_high))
        return;
    most = figure_round(most, 3, FIGURE_NEAREST);
    if (most >= 100.0)
        snprintf(rate, sizeof rate, "%.40s", figure_count(most).text);
    else
        snprintf(rate, sizeof rate, "%.3g", most);
    snprintf(text, sizeof text, "could serve up to %s/s \xe2\x86\x91", rate);
    if (label_width(text, false) > chart_panels_line_em(panels))
        snprintf(text, sizeof text, "up to %s/s \xe2\x86\x91", rate);
    chart_script_label(s, &(struct chart_label){.text = text,
                                                .x = 0.985,
                                                .y = 1.0,
                                                .dy = -0.7,
                                                .x_in = "graph",
                                                .y_in = "graph",
                                                .align = CHART_RIGHT,
                                                .size = 18,
                                                .colour = CHART_INK});
}

static void add_course(struct chart_script *s, const struct chart_context *c,
                       const struct service_panels *p, size_t panel, double y_high)
{
    const struct service_course *of = &p->course[panel];
    const size_t strategy = p->shown.index[panel], first = s->rows;
    double from_s, to_s;

    for (size_t k = 0; k < of->count; k++) {
        if (!service_panels_place(p, of, k, &from_s, &to_s))
            continue;
        put_point(s, c, strategy, from_s, of, k);
        put_point(s, c, strategy, to_s, of, k);
    }
    if (s->rows == first)
        return;
    service_panels_overload(s, p, panel, y_high);
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:(0):4 with filledcurves fs transparent solid 0.75 lc rgb BLUE_L "
                      "notitle");
    chart_script_plot(s, first, s->rows - 1, "using 2:3 with lines lw 2.2*W lc rgb INK notitle");
}

enum chart_result chart_demand(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number",  "time_s",     "arrival_rate",
                                          "could_serve_rate", "overloaded", "strategy"};
    static const struct service_panels_key keys[] = {
        {"Requests that come", "INK", "INK", 0.127},
        {"What is ready could serve", "BLUE_L", "BLUE", 0.345},
        {"Overloaded", NULL, "RED", 0.625}};
    struct service_panels *p = arena_array(c->arena, 1, sizeof *p);
    enum chart_result result;
    struct chart_panels panels;
    struct ticks y_ticks;
    struct text title, subtitle;

    if (p == NULL)
        return CHART_BROKEN;
    result = service_panels_read(p, c);
    if (result != CHART_DRAWN)
        return result;
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_demand(&title, c->facts, p->shown.index[p->subject], &p->hours[p->subject]);
    service_panels_say(&subtitle, p, c->facts->frame, "Requests a second");
    chart_begin(s, c, p->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    service_panels_keys(s, s->top + 0.05, keys, sizeof keys / sizeof keys[0]);
    s->top -= 0.035;
    panels = chart_panels_begin(s, p->shown, service_panels_ends(p), highest(p), false);
    service_panels_place_time(&panels, p);
    ticks_plain(&y_ticks, 0.0, panels.y_high, panels.lines == 1 ? 6 : 3);
    chart_panels_fit(&panels, &y_ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t k = 0; k < p->shown.count; k++) {
        char line[96];
        service_panels_hours(p, k, line, sizeof line);
        chart_panels_next(s, c, &panels, k, &y_ticks, CHART_INK, line, "");
        add_course(s, c, p, k, panels.y_high);
        tell_cut(s, p, k, &panels);
        chart_panels_drawn(s);
    }
    chart_panels_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
