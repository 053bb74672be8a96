/* SPDX-License-Identifier: GPL-3.0-or-later
 * Costs of strategies may be a hundred times apart: beyond a factor the axis is logarithmic, made
 * of a linear one as on the chart of latencies. */
#include "plots/charts/chart_unit_cost.h"

#include "plots/charts/chart_legend.h"
#include "plots/facts/service_course.h"
#include "plots/sentences/title_service.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PLOT_LEFT   0.105
#define PLOT_RIGHT  0.7
#define PLOT_BOTTOM 0.17
#define LINEAR      8.0 /* highest over lowest cost: up to this the axis begins at 0 */

struct unit_cost {
    struct load_curve curve[CHART_SERIES_MAX];
    const char *workload;
    double low, high;   /* costs */
    double least, most; /* requests/s */
    double hours, left_out_h;
    bool tokens, logarithmic;
};

static bool read_curves(struct unit_cost *u, const struct chart_context *c)
{
    const char *suffix = strrchr(c->facts->frame->cost_metric, '_');
    char spend[64];

    snprintf(spend, sizeof spend, "spend%s", suffix == NULL ? "" : suffix);
    u->low = u->least = INFINITY;
    u->high = u->most = -INFINITY;
    for (size_t i = 0; i < c->shown.count; i++) {
        struct load_curve *curve = &u->curve[i];
        if (!load_curve_read(curve, c->tables->services, spend,
                             c->facts->strategy[c->shown.index[i]].name, u->workload, c->arena,
                             c->diagnostics))
            return false;
        for (size_t k = 0; k < curve->count; k++) {
            u->low = fmin(u->low, curve->point[k].cost);
            u->high = fmax(u->high, curve->point[k].cost);
            u->least = fmin(u->least, curve->point[k].per_s);
            u->most = fmax(u->most, curve->point[k].per_s);
        }
        u->tokens = u->tokens || (curve->count > 0 && curve->tokens);
        u->hours = fmax(u->hours, curve->hours);
        u->left_out_h = fmax(u->left_out_h, curve->left_out_h);
    }
    return true;
}

static double place_of(const struct unit_cost *u, double cost)
{
    return u->logarithmic ? log10(cost / u->low) : cost;
}

static void add_ticks(struct ticks *t, const struct unit_cost *u, const char *currency)
{
    static const double steps[] = {1.0, 2.0, 5.0};

    t->count = 0;
    for (int k = (int)floor(log10(u->low)); pow(10, k) <= u->high; k++) {
        for (size_t i = 0; i < 3 && t->count < TICKS_MAX; i++) {
            const double at = steps[i] * pow(10, k);
            struct tick *tick = &t->tick[t->count];
            if (at < u->low || at > u->high)
                continue;
            tick->at = place_of(u, at);
            snprintf(tick->label, sizeof tick->label, "%.30s",
                     figure_money_exact(at, currency).text);
            if (at < 0.01) /* it forgets what is less than a cent */
                snprintf(tick->label, sizeof tick->label, "%.8s%.4g",
                         figure_currency(currency).text, at);
            t->count++;
        }
    }
}

static void add_axes(struct chart_script *s, struct unit_cost *u, const char *currency)
{
    const double air = u->most > u->least ? 0.06 * (u->most - u->least) : 0.1 * u->most;
    struct ticks ticks;

    u->logarithmic = u->low > 0.0 && u->high > LINEAR * u->low;
    u->low = u->logarithmic ? u->low / 1.3 : 0.0;
    u->high *= u->logarithmic ? 1.3 : 1.1;
    chart_script_margins(s, PLOT_LEFT, PLOT_RIGHT, PLOT_BOTTOM, s->top - 0.015);
    chart_script_ranges(s, fmax(0.0, u->least - air), u->most + air, place_of(u, u->low),
                        place_of(u, u->high));
    ticks_plain(&ticks, fmax(0.0, u->least - air), u->most + air, 7);
    chart_script_ticks(s, "x", &ticks);
    if (u->logarithmic)
        add_ticks(&ticks, u, currency);
    else
        ticks_money(&ticks, u->low, u->high, 6, currency);
    chart_script_ticks(s, "y", &ticks);
    chart_axis_name(s, PLOT_LEFT, PLOT_RIGHT, "Requests that come, a second");
}

static void add_curve(struct chart_script *s, const struct chart_context *c,
                      const struct unit_cost *u, size_t series)
{
    const struct chart_series_style *style = chart_series_style(series);
    const struct load_curve *curve = &u->curve[series];
    const size_t strategy = c->shown.index[series], first = s->rows;
    char at[64];

    for (size_t k = 0; k < curve->count; k++) {
        const struct load_point *q = &curve->point[k];
        csv_put_integer(&s->csv, (int64_t)strategy + 1);
        csv_put_number(&s->csv, q->per_s);
        csv_put_number(&s->csv, q->cost);
        csv_put_number(&s->csv, q->hours);
        chart_script_put_name(s, c->facts->strategy[strategy].name);
        chart_script_row_end(s);
    }
    if (curve->count == 0)
        return;
    if (u->logarithmic)
        snprintf(at, sizeof at, "2:(log10($3/%.10g))", u->low);
    else
        snprintf(at, sizeof at, "2:3");
    chart_script_plot(s, first, s->rows - 1, "using %s with lines lc rgb %s lw 3.0*W notitle", at,
                      style->full);
    chart_script_plot(s, first, s->rows - 1,
                      "using %s with points pt %d ps %.2f*%s lc rgb %s notitle", at, style->point,
                      0.8 * style->point_size, style->point_scale, style->full);
}

static void describe(struct chart_legend_entry *entry, const struct chart_context *c,
                     const struct load_curve *curve)
{
    const char *currency = c->facts->frame->currency;
    const struct load_point *first = &curve->point[0];

    *entry = (struct chart_legend_entry){.warning = false};
    if (curve->count == 0) {
        snprintf(entry->lines[0], sizeof entry->lines[0], "%s",
                 curve->unpaid                                      ? "pays ahead of its use"
                 : curve->left_out_h > 0.0 && !(curve->hours > 0.0) ? "always overloaded"
                                                                    : "nothing to compare");
        return;
    }
    const struct load_point *last = &curve->point[curve->count - 1];
    if (chart_legend_room(c->shown.count) == 1) {
        snprintf(entry->lines[0], sizeof entry->lines[0], "%.16s to %.16s",
                 figure_money(first->cost, currency, FIGURE_NEAREST).text,
                 figure_money(last->cost, currency, FIGURE_NEAREST).text);
        return;
    }
    for (size_t i = 0; i < 2; i++) {
        const struct load_point *q = i == 0 ? first : last;
        snprintf(entry->lines[i], sizeof entry->lines[i], "%.16s at %.3g/s",
                 figure_money(q->cost, currency, FIGURE_NEAREST).text,
                 figure_round(q->per_s, 2, FIGURE_NEAREST));
    }
}

/* The subject, else the first shown that has a curve. */
static size_t of_title(const struct unit_cost *u, const struct chart_context *c)
{
    const int subject = chart_shown_find(c, c->facts->subject);
    size_t i = 0;

    if (subject >= 0 && u->curve[subject].count > 0)
        return (size_t)subject;
    while (u->curve[i].count == 0)
        i++;
    return i;
}

static void begin(struct chart_script *s, const struct chart_context *c, const struct unit_cost *u)
{
    const size_t series = of_title(u, c);
    struct text title, subtitle;

    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_unit_cost(&title, c->facts, c->shown.index[series], &u->curve[series]);
    text_format(&subtitle, "What is paid for %s of '",
                u->tokens ? "a million tokens, prompts and answers," : "1,000 answered requests");
    label_shorten(&subtitle, u->workload, 14.0, false);
    text_format(&subtitle, "' in hours of a like load, in the plan world%s",
                u->left_out_h > 0.0 ? "; without hours of overload" : "");
    chart_begin(s, c, c->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

enum chart_result chart_unit_cost(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "requests_per_s", "unit_cost", "hours",
                                          "strategy"};
    struct chart_legend_entry entries[CHART_SERIES_MAX];
    struct unit_cost *u = arena_array(c->arena, 1, sizeof *u);
    size_t others;

    if (u == NULL)
        return CHART_BROKEN;
    *u = (struct unit_cost){.workload = service_course_main(c->tables->services, &others)};
    if (u->workload == NULL || c->shown.count == 0)
        return CHART_NOTHING;
    if (!read_curves(u, c))
        return CHART_BROKEN;
    if (!(u->high > 0.0) || !(u->most > 0.0))
        return CHART_NOTHING;
    begin(s, c, u);
    add_axes(s, u, c->facts->frame->currency);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->shown.count; i++) {
        describe(&entries[i], c, &u->curve[i]);
        add_curve(s, c, u, i);
    }
    chart_legend(s, c, entries, true);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
