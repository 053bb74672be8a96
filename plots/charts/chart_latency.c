/* SPDX-License-Identifier: GPL-3.0-or-later
 * Latencies span orders of magnitude: the axis is logarithmic, made of a linear one in
 * log10(latency / lowest), since panels begin at 0. */
#include "plots/charts/chart_latency.h"

#include "plots/charts/service_panels.h"
#include "plots/sentences/title_service.h"

#include <math.h>
#include <stdio.h>

struct latency_axis {
    double low_s, high_s;
};

static struct latency_axis axis_of(const struct service_panels *p)
{
    struct latency_axis a = {INFINITY, 0.0};
    double from_s, to_s;

    for (size_t i = 0; i < p->shown.count; i++) {
        const struct service_course *c = &p->course[i];
        for (size_t k = 0; k < c->count; k++) {
            if (!service_panels_place(p, c, k, &from_s, &to_s) || !(c->latency_p95_s[k] > 0.0))
                continue;
            a.high_s = fmax(a.high_s, c->latency_p95_s[k]);
            a.low_s = fmin(a.low_s, fmax(c->latency_p50_s[k], 1e-6));
        }
    }
    /* An objective alone is nothing to draw. */
    for (size_t i = 0; i < p->shown.count && a.high_s > 0.0; i++) {
        const struct service_course *c = &p->course[i];
        if (c->count > 0 && isfinite(c->slo_s) && c->slo_s > 0.0) {
            a.high_s = fmax(a.high_s, c->slo_s);
            a.low_s = fmin(a.low_s, c->slo_s);
        }
    }
    a.low_s /= 1.5;
    a.high_s *= 1.5;
    return a;
}

static bool has_objective(const struct service_panels *p)
{
    bool any = false;

    for (size_t i = 0; i < p->shown.count; i++)
        any = any || (p->course[i].count > 0 && isfinite(p->course[i].slo_s));
    return any;
}

static double place_of(const struct latency_axis *a, double latency_s)
{
    return log10(latency_s / a->low_s);
}

/* 1, 2, 5, 10 …, of which there is room for so many decades; else 1, 10, 100 …. */
static void add_ticks(struct ticks *t, const struct latency_axis *a, double most_decades)
{
    const double decades = log10(a->high_s / a->low_s);
    const int from = (int)floor(log10(a->low_s));

    t->count = 0;
    for (int k = from; t->count < TICKS_MAX && pow(10, k) <= a->high_s; k++) {
        static const double steps[] = {1.0, 2.0, 5.0};
        for (size_t i = 0; i < (decades < most_decades ? 3 : 1) && t->count < TICKS_MAX; i++) {
            double at = steps[i] * pow(10, k);
            struct tick *tick = &t->tick[t->count];
            if (at < a->low_s || at > a->high_s)
                continue;
            tick->at = place_of(a, at);
            if (at < 0.9995)
                snprintf(tick->label, sizeof tick->label, "%.4g ms", 1000.0 * at);
            else
                snprintf(tick->label, sizeof tick->label, "%.4g s", at);
            t->count++;
        }
    }
}

static void put_point(struct chart_script *s, const struct chart_context *c, size_t strategy,
                      double at_s, const struct service_course *of, size_t k)
{
    csv_put_integer(&s->csv, (int64_t)strategy + 1);
    csv_put_number(&s->csv, at_s);
    csv_put_number(&s->csv, of->latency_p50_s[k] > 0.0 ? of->latency_p50_s[k] : (double)NAN);
    csv_put_number(&s->csv, of->latency_p95_s[k] > 0.0 ? of->latency_p95_s[k] : (double)NAN);
    csv_put_number(&s->csv, of->slo_s);
    csv_put_integer(&s->csv, of->overloaded[k] > 0.0);
    chart_script_put_name(s, c->facts->strategy[strategy].name);
    chart_script_row_end(s);
}

static void add_course(struct chart_script *s, const struct chart_context *c,
                       const struct service_panels *p, size_t panel, const struct latency_axis *a)
{
    const struct service_course *of = &p->course[panel];
    const size_t strategy = p->shown.index[panel], first = s->rows;
    const double y_high = place_of(a, a->high_s);
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
                      "using 2:(log10($3/%.10g)):(log10($4/%.10g)) with filledcurves fs "
                      "transparent solid 0.75 lc rgb BLUE_L notitle",
                      a->low_s, a->low_s);
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:(log10($4/%.10g)) with lines lw 2.2*W lc rgb BLUE notitle",
                      a->low_s);
    if (isfinite(of->slo_s) && of->slo_s > 0.0)
        chart_limit_y(s, 0.0, y_high, place_of(a, of->slo_s), NULL, CHART_LEFT);
}

/* "P95 1.3 s in the middle bucket" would be a quantile of quantiles: the share is told instead. */
static void describe(const struct chart_context *c, const struct service_panels *p, size_t panel,
                     char *line, size_t size)
{
    const struct strategy_facts *f = &c->facts->strategy[p->shown.index[panel]];

    if (p->others == 0 && isfinite(f->slo.mean))
        snprintf(line, size, "%s within objective", title_attained(f->slo.mean).text);
    else
        service_panels_hours(p, panel, line, size);
}

enum chart_result chart_latency(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "time_s", "latency_p50_s",
                                          "latency_p95_s",   "slo_s",  "overloaded",
                                          "strategy"};
    static const struct service_panels_key keys[] = {
        {"P50 to P95", "BLUE_L", "BLUE", 0.127},
        {"Overloaded: no steady state", NULL, "MUTE", 0.275},
        {"Objective", "RED", "RED", 0.59}};
    struct service_panels *p = arena_array(c->arena, 1, sizeof *p);
    enum chart_result result;
    struct latency_axis axis;
    struct chart_panels panels;
    struct ticks y_ticks;
    struct text title, subtitle;

    if (p == NULL)
        return CHART_BROKEN;
    result = service_panels_read(p, c);
    if (result != CHART_DRAWN)
        return result;
    axis = axis_of(p);
    if (!(axis.high_s > axis.low_s) || !isfinite(axis.low_s))
        return CHART_NOTHING;
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_latency(&title, c->facts, p->shown.index[p->subject]);
    service_panels_say(&subtitle, p, c->facts->frame,
                       p->course[p->subject].first_token ? "Time to the first token of answers"
                                                         : "Latency of what is answered");
    chart_begin(s, c, p->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    service_panels_keys(s, s->top + 0.05, keys, has_objective(p) ? 3 : 2);
    s->top -= 0.035;
    panels = chart_panels_begin(s, p->shown, service_panels_ends(p), place_of(&axis, axis.high_s),
                                false);
    service_panels_place_time(&panels, p);
    add_ticks(&y_ticks, &axis, panels.lines == 1 ? 3.0 : 1.5);
    chart_panels_fit(&panels, &y_ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t k = 0; k < p->shown.count; k++) {
        char line[96];
        describe(c, p, k, line, sizeof line);
        chart_panels_next(s, c, &panels, k, &y_ticks, CHART_INK, line, "");
        add_course(s, c, p, k, &axis);
        chart_panels_drawn(s);
    }
    chart_panels_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
