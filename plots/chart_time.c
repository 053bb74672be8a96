/* SPDX-License-Identifier: GPL-3.0-or-later
 * Curves of the share finished, and no histograms: what the horizon cut off has no place on a time
 * axis, but shows as what is missing to 100 %. */
#include "plots/chart_time.h"

#include "plots/chart_legend.h"
#include "plots/spread.h"
#include "plots/titles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The finished futures alone, in the chart's unit; shares stay those of all futures. */
static void finished_only(struct spread *s, enum time_unit unit)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++) {
        if (s->censored[i])
            continue;
        s->value[kept] = figure_time_in(s->value[i], unit);
        s->share[kept] = s->share[i];
        s->censored[kept++] = false;
    }
    s->count = kept;
}

static struct spread_axis time_axis(const struct chart_context *c, const struct spread *spreads,
                                    enum time_unit unit)
{
    const struct chart_frame *frame = c->facts->frame;
    struct spread_axis axis = spread_axis_for(spreads, c->shown.count, (double)NAN);
    struct spread standing[CHART_SERIES_MAX];
    size_t count = 0;
    bool any = false;

    for (size_t i = 0; i < c->shown.count; i++) {
        any = any || spreads[i].count > 0;
        if (c->facts->strategy[c->shown.index[i]].stands && spreads[i].count > 0)
            standing[count++] = spreads[i];
    }
    if (count > 0)
        axis.high = chart_time_end(spread_axis_for(standing, count, (double)NAN).high, axis.high);
    if (!any)
        axis = (struct spread_axis){0.0, figure_time_in(frame->horizon_s / 3600.0, unit)};
    for (size_t i = 0; i < frame->deadline_count; i++) {
        double at = figure_time_in(frame->deadlines[i].hours, unit);
        /* Air beside the line for its name. */
        axis = spread_axis_hold(axis, 1.03 * at, 1.0);
        axis = spread_axis_hold(axis, at, 1.0);
    }
    return axis.high > axis.low ? axis : spread_axis_pad(axis);
}

/* A curve of more points than this is drawn as a line through every so many of them: steps too
 * small to see would break its dashes. */
#define CURVE_POINTS 200

static void add_point(struct chart_script *s, size_t strategy, const char *name, double x,
                      double share)
{
    csv_put_integer(&s->csv, (int64_t)strategy + 1);
    csv_put_number(&s->csv, x);
    csv_put_number(&s->csv, fmin(share, 1.0));
    chart_script_put_name(s, name);
    chart_script_row_end(s);
}

static void add_curve(struct chart_script *s, const struct chart_context *c,
                      const struct spread *spread, size_t series, struct spread_axis axis)
{
    const struct chart_series_style *style = chart_series_style(series);
    size_t strategy = c->shown.index[series], first = s->rows;
    size_t every = (spread->count + CURVE_POINTS - 1) / CURVE_POINTS;
    const char *name = c->facts->strategy[strategy].name;
    double share = 0.0;

    add_point(s, strategy, name, axis.low, 0.0);
    for (size_t i = 0; i < spread->count && spread->value[i] <= axis.high; i++) {
        if (i == 0 && every > 1)
            add_point(s, strategy, name, spread->value[i], 0.0);
        share += spread->share[i];
        if (i % every == 0 || i + 1 == spread->count)
            add_point(s, strategy, name, spread->value[i], share);
    }
    add_point(s, strategy, name, axis.high, share);
    chart_script_plot(s, first, s->rows - 1, "using 2:3 with %s lc rgb %s lw %.2f*W dt %s notitle",
                      every > 1 ? "lines" : "steps", style->full,
                      chart_legend_width(series) - (series > 0 ? 0.1 : 0.0), style->dash);
}

static void describe(struct chart_legend_entry *entry, const struct chart_context *c,
                     const struct strategy_facts *facts, enum time_unit unit)
{
    size_t room = chart_legend_room(c->shown.count), used = 0;
    struct figure unfinished = chart_unfinished(facts);
    char late[48] = "";

    *entry = (struct chart_legend_entry){.warning = unfinished.text[0] != '\0'};
    if (!facts->time.present) {
        snprintf(entry->lines[0], sizeof entry->lines[0], "no finite work");
        return;
    }
    if (isfinite(facts->late.share))
        snprintf(late, sizeof late, "late: %.40s",
                 figure_share(facts->late.share, facts->late.n, facts->late.at_least).text);
    if (room == 1 && entry->warning) {
        snprintf(entry->lines[0], sizeof entry->lines[0], "%s", unfinished.text);
        return;
    }
    if (room == 1) {
        snprintf(entry->lines[0], sizeof entry->lines[0], "P50 %.24s%s%.30s",
                 chart_time_quantile(&facts->time.p50, unit).text, late[0] != '\0' ? ", " : "",
                 late);
        return;
    }
    snprintf(entry->lines[used++], sizeof entry->lines[0], "P50 %.24s, P90 %.24s",
             chart_time_quantile(&facts->time.p50, unit).text,
             chart_time_quantile(&facts->time.p90, unit).text);
    if (late[0] != '\0' && (room > 2 || !entry->warning))
        snprintf(entry->lines[used++], sizeof entry->lines[0], "%s", late);
    snprintf(entry->lines[used], sizeof entry->lines[0], "%s", unfinished.text);
}

/* One line per deadline; its workload's name when there are several. */
static void add_deadlines(struct chart_script *s, const struct chart_context *c,
                          struct spread_axis axis, enum time_unit unit)
{
    const struct chart_frame *frame = c->facts->frame;
    bool single = isfinite(facts_single_deadline_h(frame));
    size_t count = single ? 1 : frame->deadline_count;

    for (size_t i = 0; i < count && i < 3; i++) {
        struct text name;
        text_init(&name, 1024);
        text_format(&name, "Deadline %s",
                    figure_time_words(frame->deadlines[i].hours, FIGURE_NEAREST).text);
        if (!single && frame->deadlines[i].workload != NULL)
            text_format(&name, " %.200s", frame->deadlines[i].workload);
        chart_limit_x(s, axis.low, axis.high, figure_time_in(frame->deadlines[i].hours, unit),
                      name.data);
        text_release(&name);
    }
}

static const struct ticks share_ticks = {
    .count = 5,
    .tick = {{0.0, "0 %"}, {0.1, "10 %"}, {0.5, "50 %"}, {0.9, "90 %"}, {1.0, "100 %"}}};

enum chart_result chart_time(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "time", "finished_frac", "strategy"};
    const struct chart_frame *frame = c->facts->frame;
    enum time_unit unit = figure_time_unit(c->facts->largest_time_h);
    struct chart_legend_entry entries[CHART_SERIES_MAX];
    struct spread spreads[CHART_SERIES_MAX];
    struct spread_axis axis;
    struct ticks ticks;
    struct text title;
    char axis_name[64];

    if (c->tables->distribution == NULL || !c->facts->has_time || frame->time_metric == NULL ||
        c->shown.count == 0)
        return CHART_NOTHING;
    for (size_t i = 0; i < c->shown.count; i++) {
        const struct strategy_facts *facts = &c->facts->strategy[c->shown.index[i]];
        if (!spread_read(&spreads[i], c->tables->distribution, facts->name, frame->time_metric,
                         c->arena, c->diagnostics))
            return CHART_BROKEN;
        finished_only(&spreads[i], unit);
        describe(&entries[i], c, facts, unit);
    }
    axis = time_axis(c, spreads, unit);
    text_init(&title, 2048);
    title_time(&title, c->facts);
    chart_begin(s, c, c->shown.count, title.data,
                "Share of simulated futures in which all finite work is done by then");
    text_release(&title);
    chart_script_margins(s, 0.085, 0.7, 0.17, s->top - 0.015);
    chart_script_ranges(s, axis.low, axis.high, 0.0, 1.02);
    ticks_plain(&ticks, axis.low, axis.high, 7);
    chart_script_ticks(s, "x", &ticks);
    chart_script_ticks(s, "y", &share_ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->shown.count; i++)
        add_curve(s, c, &spreads[i], i, axis);
    add_deadlines(s, c, axis, unit);
    chart_legend(s, c, entries, false);
    snprintf(axis_name, sizeof axis_name, "Time to train, %s",
             unit == TIME_DAYS    ? "days"
             : unit == TIME_HOURS ? "hours"
                                  : "minutes");
    chart_axis_name(s, 0.085, 0.7, axis_name);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
