/* SPDX-License-Identifier: GPL-3.0-or-later
 * The logarithm is taken here: ticks at times that people count in are then ordinary ticks. */
#include "plots/charts/chart_survival.h"

#include "plots/facts/survival_curves.h"
#include "plots/sentences/title_survival.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PLOT_LEFT   0.085
#define PLOT_RIGHT  0.965
#define PLOT_BOTTOM 0.17
#define FIRST_H     (1.0 / 12.0) /* nothing is told below five minutes */

static double end_hours(const struct survival_pairs *p)
{
    double end = 1.0;

    for (size_t i = 0; i < p->count; i++) {
        const struct survival_curve *c = &p->pair[i].seen;
        for (size_t k = 0; k < c->count; k++) {
            if (c->share[k] > 0.002)
                end = fmax(end, c->hours[k]);
        }
    }
    return end;
}

static void make_ticks(struct ticks *t, double end)
{
    static const struct {
        double hours;
        const char *label;
    } at[] = {{1.0 / 6.0, "10 min"}, {0.5, "30 min"}, {1.0, "1 h"},    {3.0, "3 h"},
              {6.0, "6 h"},          {12.0, "12 h"},  {24.0, "1 d"},   {72.0, "3 d"},
              {168.0, "1 w"},        {672.0, "4 w"},  {2016.0, "12 w"}};

    t->count = 0;
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        if (at[i].hours > end)
            break;
        t->tick[t->count].at = log10(at[i].hours);
        snprintf(t->tick[t->count].label, sizeof t->tick[0].label, "%s", at[i].label);
        t->count++;
    }
}

/* The values of point `at` at the time of point k. */
static void put_point(struct chart_script *s, const struct survival_pair *p, bool model, size_t k,
                      size_t at)
{
    const struct survival_curve *c = model ? &p->model : &p->seen;

    csv_put_number(&s->csv, log10(c->hours[k]));
    csv_put_number(&s->csv, c->hours[k]);
    csv_put_number(&s->csv, 100.0 * c->share[at]);
    csv_put_number(&s->csv, 100.0 * c->low[at]);
    csv_put_number(&s->csv, 100.0 * c->high[at]);
    csv_put_text(&s->csv,
                 model ? (p->fitted ? "fitted" : "planned") : (p->fitted ? "trace" : "simulated"));
    chart_script_put_name(s, p->zone);
    chart_script_row_end(s);
}

static void add_curve(struct chart_script *s, const struct survival_pair *p, bool model, size_t i)
{
    const struct survival_curve *c = model ? &p->model : &p->seen;
    const struct chart_series_style *style = chart_series_style(i);
    size_t first = s->rows;

    for (size_t k = 0; k < c->count; k++) {
        if (!(c->hours[k] > 0.0))
            continue;
        if (k > 0 && (!model || p->fitted))
            put_point(s, p, model, k, k - 1); /* a step: up to here as before */
        put_point(s, p, model, k, k);
    }
    if (s->rows == first)
        return;
    if (!model)
        chart_script_plot(s, first, s->rows - 1, "using 1:4:5 with filledcurves lc rgb %s notitle",
                          style->light);
    chart_script_plot(s, first, s->rows - 1, "using 1:3 with lines lw %s*W dt %s lc rgb %s notitle",
                      model ? "3.5" : "5", model ? "(10,6)" : "solid", style->full);
}

/* "us-east-1a, 16 nodes: trace, 142 up times - - the fitted model" */
static void add_key(struct chart_script *s, const struct survival_pairs *p, double y)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct survival_pair *pair = &p->pair[i];
        struct text name;
        text_init(&name, 512);
        if (pair->zone[0] != '\0')
            label_shorten(&name, pair->zone, 14.0, true);
        else
            text_add(&name, "all");
        if (pair->type[0] != '\0') {
            text_add(&name, ", ");
            label_shorten(&name, pair->type, 12.0, true);
        }
        if (pair->nodes > 1.0)
            text_format(&name, ", %s nodes", figure_count(pair->nodes).text);
        text_format(&name, ": %s up time%s", figure_count(pair->seen.runs).text,
                    text_plural(pair->seen.runs));
        chart_script_label(s, &(struct chart_label){.text = name.data,
                                                    .x = PLOT_RIGHT,
                                                    .y = y - 0.045 * (double)i,
                                                    .align = CHART_RIGHT,
                                                    .bold = true,
                                                    .colour = chart_series_style(i)->full});
        text_release(&name);
    }
}

static void begin(struct chart_script *s, const struct chart_context *c,
                  const struct survival_pairs *p)
{
    struct text title, subtitle;
    bool fitted = false, planned = false;

    for (size_t i = 0; i < p->count; i++) {
        fitted = fitted || p->pair[i].fitted;
        planned = planned || !p->pair[i].fitted;
    }
    text_init(&title, 1024);
    text_init(&subtitle, 1024);
    title_survival(&title, p);
    text_add(&subtitle, "Share of up times that last longer; solid: ");
    text_add(&subtitle, fitted && planned ? "as seen, dashed: the model"
                        : fitted ? "the trace, with its 95 % band, dashed: the fitted model"
                                 : "simulated, dashed: the constant rate of loss that planning "
                                   "counts with");
    if (p->of > p->count)
        text_format(&subtitle, "; %zu of %zu pools", p->count, p->of);
    chart_begin(s, c, c->shown.of, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

enum chart_result chart_survival(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"log10_hours",  "hours", "share_percent", "low_percent",
                                          "high_percent", "curve", "zone"};
    struct survival_pairs *p = arena_alloc(c->arena, sizeof *p);
    struct ticks ticks;
    double end;

    if (p == NULL)
        return CHART_BROKEN;
    if (!survival_pairs_read(p, c->tables->survival, c->diagnostics))
        return CHART_BROKEN;
    if (p->count == 0)
        return CHART_NOTHING;
    end = 1.15 * end_hours(p);
    begin(s, c, p);
    chart_script_margins(s, PLOT_LEFT, PLOT_RIGHT, PLOT_BOTTOM, s->top - 0.015);
    chart_script_ranges(s, log10(FIRST_H), log10(end), 0.0, 100.0);
    make_ticks(&ticks, end);
    chart_script_ticks(s, "x", &ticks);
    ticks_plain(&ticks, 0.0, 100.0, 5);
    for (size_t i = 0; i < ticks.count; i++)
        snprintf(ticks.tick[i].label, sizeof ticks.tick[i].label, "%.0f %%", ticks.tick[i].at);
    chart_script_ticks(s, "y", &ticks);
    chart_axis_name(s, PLOT_LEFT, PLOT_RIGHT, "Time since there was room for the gang");
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < p->count; i++) {
        add_curve(s, &p->pair[i], false, i);
        add_curve(s, &p->pair[i], true, i);
    }
    add_key(s, p, s->top - 0.06);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
