/* SPDX-License-Identifier: GPL-3.0-or-later
 * What does not stand has a hollow mark: its cost says nothing beside the others'. */
#include "plots/charts/chart_slo.h"

#include "plots/charts/chart_legend.h"
#include "plots/facts/quantile_text.h"
#include "plots/facts/spread.h"
#include "plots/sentences/title_service.h"

#include <math.h>
#include <stdio.h>

#define PLOT_LEFT   0.105
#define PLOT_RIGHT  0.7
#define PLOT_BOTTOM 0.17

/* From P10 to P90 around the P50. */
struct reach {
    double low, middle, high;
};

static struct reach reach_of(const struct fact_metric *m, double scale)
{
    struct reach r = {m->p10.value, facts_near(&m->p50), facts_near(&m->p90)};

    r.low = isfinite(r.low) ? r.low : r.middle;
    r.high = isfinite(r.high) ? r.high : r.middle;
    return (struct reach){scale * r.low, scale * r.middle, scale * r.high};
}

static void hold(struct spread_axis *axis, const struct reach *r)
{
    if (isfinite(r->middle)) {
        axis->low = fmin(axis->low, r->low);
        axis->high = fmax(axis->high, r->high);
    }
}

/* At least `span` wide: what hardly differs must not fill the page, nor be told apart by digits
 * that mean nothing. */
static struct spread_axis pad(struct spread_axis a, double span, double least, double most)
{
    double air = fmax(0.08 * (a.high - a.low), 0.5 * (span - (a.high - a.low)));

    return (struct spread_axis){fmax(least, a.low - air), fmin(most, a.high + air)};
}

static void put_row(struct chart_script *s, const struct chart_context *c, size_t series,
                    const struct reach *slo, const struct reach *cost)
{
    const double row[] = {slo->middle, slo->low, slo->high, cost->middle, cost->low, cost->high};
    const size_t strategy = c->shown.index[series];

    csv_put_integer(&s->csv, (int64_t)strategy + 1);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        csv_put_number(&s->csv, row[i]);
    chart_script_put_name(s, c->facts->strategy[strategy].name);
    chart_script_row_end(s);
}

static void add_mark(struct chart_script *s, const struct chart_context *c, size_t series,
                     const struct reach *slo, const struct reach *cost)
{
    const struct chart_series_style *style = chart_series_style(series);
    const bool stands = c->facts->strategy[c->shown.index[series]].stands;
    const size_t k = s->rows;

    put_row(s, c, series, slo, cost);
    if (!isfinite(slo->middle) || !isfinite(cost->middle))
        return;
    chart_script_plot(s, k, k, "using 2:5:3:4 with xerrorbars pt 0 ps 0 lw 3.0*W lc rgb %s notitle",
                      style->full);
    chart_script_plot(s, k, k, "using 2:5:6:7 with yerrorbars pt 0 ps 0 lw 3.0*W lc rgb %s notitle",
                      style->full);
    chart_script_plot(s, k, k, "using 2:5 with points pt %d ps %.2f*%s lw 3.0*W lc rgb %s notitle",
                      style->point, 1.3 * style->point_size, style->point_scale, style->full);
    if (!stands)
        chart_script_plot(s, k, k,
                          "using 2:5 with points pt %d ps %.2f*%s lc rgb '#FFFFFF' notitle",
                          style->point, 0.75 * style->point_size, style->point_scale);
}

static void describe(struct chart_legend_entry *entry, const struct chart_context *c, size_t series)
{
    const struct strategy_facts *f = &c->facts->strategy[c->shown.index[series]];
    const size_t room = chart_legend_room(c->shown.count);
    size_t used = 0;

    *entry = (struct chart_legend_entry){.warning = !f->stands};
    snprintf(entry->lines[used++], sizeof entry->lines[0], "P50 %.24s, mean %.16s",
             quantile_money(&f->cost.p50, c->facts->frame->currency, QUANTILE_SHORT).text,
             title_attained(f->slo.mean).text);
    if (!f->stands && room > 1)
        snprintf(entry->lines[used], sizeof entry->lines[0], "%s",
                 facts_answers_less(c->facts, c->shown.index[series]) ? "answers fewer requests"
                                                                      : "not comparable");
    else if (!f->stands)
        entry->warning = false;
}

enum chart_result chart_slo(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number",
                                          "within_slo_percent_p50",
                                          "within_slo_percent_p10",
                                          "within_slo_percent_p90",
                                          "cost_p50",
                                          "cost_p10",
                                          "cost_p90",
                                          "strategy"};
    struct chart_legend_entry entries[CHART_SERIES_MAX];
    struct reach slo[CHART_SERIES_MAX], cost[CHART_SERIES_MAX];
    struct spread_axis x = {INFINITY, -INFINITY}, y = {INFINITY, -INFINITY};
    struct ticks ticks;
    struct text title;

    if (!c->facts->has_slo || c->shown.count == 0)
        return CHART_NOTHING;
    for (size_t i = 0; i < c->shown.count; i++) {
        const struct strategy_facts *f = &c->facts->strategy[c->shown.index[i]];
        slo[i] = reach_of(&f->slo, 100.0);
        cost[i] = reach_of(&f->cost, 1.0);
        if (isfinite(slo[i].middle) && isfinite(cost[i].middle)) {
            hold(&x, &slo[i]);
            hold(&y, &cost[i]);
        }
    }
    if (!(x.low <= x.high) || !(y.low <= y.high))
        return CHART_NOTHING;
    x = pad(x, 0.5, -2.0, 102.0);
    y = pad(y, fmax(0.1 * fabs(y.high), 0.01), y.low >= 0.0 ? 0.0 : (double)-INFINITY,
            (double)INFINITY);
    text_init(&title, 2048);
    title_slo(&title, c->facts);
    chart_begin(s, c, c->shown.count, title.data,
                "P50 over futures of the cost and of the share of requests answered within the "
                "objective; arms: P10 to P90");
    text_release(&title);
    chart_script_margins(s, PLOT_LEFT, PLOT_RIGHT, PLOT_BOTTOM, s->top - 0.015);
    chart_script_ranges(s, x.low, x.high, y.low, y.high);
    ticks_plain(&ticks, x.low, fmin(x.high, 100.0), 7);
    chart_script_ticks(s, "x", &ticks);
    ticks_money(&ticks, y.low, y.high, 6, c->facts->frame->currency);
    chart_script_ticks(s, "y", &ticks);
    chart_script_add(s, "set bars 0\n");
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->shown.count; i++) {
        describe(&entries[i], c, i);
        add_mark(s, c, i, &slo[i], &cost[i]);
    }
    chart_legend(s, c, entries, true);
    chart_axis_name(s, PLOT_LEFT, PLOT_RIGHT, "Requests answered within the objective, %");
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
