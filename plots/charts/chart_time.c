/* SPDX-License-Identifier: GPL-3.0-or-later
 * Curves of the share finished, and no histograms: what the horizon cut off has no place on a time
 * axis, but shows as what is missing to 100 %. */
#include "plots/charts/chart_time.h"

#include "plots/charts/chart_legend.h"
#include "plots/facts/quantile_text.h"
#include "plots/facts/spread.h"
#include "plots/sentences/titles.h"
#include "plots/text/label.h"

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

/* Where the curves of those that stand are at 100 %, or all but: a long tail would squeeze what
 * most futures do into a corner. 0 when nobody stands. */
static double standing_end(const struct chart_context *c, const struct spread *spreads)
{
    struct spread standing[CHART_SERIES_MAX];
    double p95 = 0.0;
    size_t count = 0;

    for (size_t i = 0; i < c->shown.count; i++) {
        if (!c->facts->strategy[c->shown.index[i]].stands || spreads[i].count == 0)
            continue;
        standing[count++] = spreads[i];
        p95 = fmax(p95, spread_level(&spreads[i], 0.95));
    }
    return count == 0 ? 0.0 : fmin(1.25 * p95, spread_axis_for(standing, count, (double)NAN).high);
}

static struct spread_axis time_axis(const struct chart_context *c, const struct spread *spreads,
                                    enum time_unit unit)
{
    const struct chart_frame *frame = c->facts->frame;
    struct spread_axis axis = spread_axis_for(spreads, c->shown.count, (double)NAN);
    double deadline = figure_time_in(facts_single_deadline_h(frame), unit);
    double end = standing_end(c, spreads);
    bool any = false, others = false;

    for (size_t i = 0; i < c->shown.count; i++) {
        any = any || spreads[i].count > 0;
        others = others || !c->facts->strategy[c->shown.index[i]].stands;
    }
    if (end > 0.0)
        axis.high = others ? chart_time_end(end, axis.high) : end;
    if (!any)
        axis = (struct spread_axis){0.0, figure_time_in(frame->horizon_s / 3600.0, unit)};
    /* Air beside the line for its name; both do nothing without a deadline. */
    axis = spread_axis_hold(axis, 1.03 * deadline, 1.0);
    axis = spread_axis_hold(axis, deadline, 1.0);
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

/* "late: a 3 %, b 12 %"; false when that is not known of each, or does not fit. */
static bool describe_each_late(char *out, size_t size, const struct chart_context *c,
                               const struct strategy_facts *facts)
{
    const struct chart_frame *frame = c->facts->frame;
    bool ok = frame->deadline_count > 0 && frame->deadline_count <= FACT_DEADLINES_MAX;
    struct text each;

    text_init(&each, 1024);
    text_add(&each, "late: ");
    for (size_t i = 0; ok && i < frame->deadline_count; i++) {
        const struct fact_chance *late = &facts->late_of[i];
        const char *workload = frame->deadlines[i].workload;
        ok = isfinite(late->at_least) && workload != NULL;
        text_add(&each, i > 0 ? ", " : "");
        label_clean(&each, ok ? workload : "");
        text_format(&each, " %s", figure_chance(late->at_least, late->at_most, late->n).text);
    }
    ok = ok && each.length < size &&
         label_width(each.data, false) <= chart_legend_line_em(c->shown.count);
    if (ok)
        snprintf(out, size, "%s", each.data);
    text_release(&each);
    return ok;
}

/* "late: 5 %", or where there is no one deadline of each workload, or of any; "" without a
 * deadline. brief: there is no line for it alone. */
static void describe_late(char *out, size_t size, const struct chart_context *c,
                          const struct strategy_facts *facts, bool brief)
{
    const struct fact_chance *all = &facts->late;
    bool single = isfinite(facts_single_deadline_h(c->facts->frame));

    out[0] = '\0';
    if (!isfinite(all->at_least))
        return;
    if (single || brief || !describe_each_late(out, size, c, facts))
        snprintf(out, size, "%s: %.40s", single ? "late" : "any late",
                 figure_chance(all->at_least, all->at_most, all->n).text);
}

static void describe(struct chart_legend_entry *entry, const struct chart_context *c,
                     const struct strategy_facts *facts, enum time_unit unit)
{
    size_t room = chart_legend_room(c->shown.count), used = 0;
    struct figure unfinished = chart_unfinished(facts);
    char late[64];

    *entry = (struct chart_legend_entry){.warning = unfinished.text[0] != '\0'};
    if (!facts->time.present) {
        snprintf(entry->lines[0], sizeof entry->lines[0], "no work that ends");
        return;
    }
    describe_late(late, sizeof late, c, facts, room == 1 || (room == 2 && entry->warning));
    if (room == 1 && entry->warning) {
        snprintf(entry->lines[0], sizeof entry->lines[0], "%s", unfinished.text);
        return;
    }
    if (room == 1) {
        snprintf(entry->lines[0], sizeof entry->lines[0], "P50 %.24s%s%.30s",
                 quantile_time(&facts->time.p50, unit, QUANTILE_SHORT).text,
                 late[0] != '\0' ? ", " : "", late);
        return;
    }
    /* Without room for both, lateness matters more than P90. */
    if (room == 2 && entry->warning && late[0] != '\0') {
        snprintf(entry->lines[0], sizeof entry->lines[0], "P50 %.24s, %.30s",
                 quantile_time(&facts->time.p50, unit, QUANTILE_SHORT).text, late);
        snprintf(entry->lines[1], sizeof entry->lines[0], "%s", unfinished.text);
        return;
    }
    snprintf(entry->lines[used++], sizeof entry->lines[0], "P50 %.24s, P90 %.24s",
             quantile_time(&facts->time.p50, unit, QUANTILE_SHORT).text,
             quantile_time(&facts->time.p90, unit, QUANTILE_SHORT).text);
    if (late[0] != '\0')
        snprintf(entry->lines[used++], sizeof entry->lines[0], "%s", late);
    snprintf(entry->lines[used], sizeof entry->lines[0], "%s", unfinished.text);
}

/* A line where all work has the same deadline. Another would cross curves that are not of the work
 * it binds. */
static void add_deadline(struct chart_script *s, const struct chart_context *c,
                         struct spread_axis axis)
{
    double hours = facts_single_deadline_h(c->facts->frame);
    char name[96];

    if (!isfinite(hours))
        return;
    snprintf(name, sizeof name, "Deadline %s",
             figure_time_words(hours, c->facts->unit, FIGURE_NEAREST).text);
    chart_limit_x(s, axis.low, axis.high, figure_time_in(hours, c->facts->unit), name);
}

/* "; deadlines: a 4 days, b 7.5 days" where there is no one line to draw. */
static void list_deadlines(struct text *out, const struct study_facts *f)
{
    const struct chart_frame *frame = f->frame;
    size_t shown = frame->deadline_count < 3 ? frame->deadline_count : 3;

    if (isfinite(facts_single_deadline_h(frame)))
        return;
    for (size_t i = 0; i < shown; i++) {
        struct text name;
        text_init(&name, 1024);
        label_clean(&name,
                    frame->deadlines[i].workload == NULL ? "" : frame->deadlines[i].workload);
        text_add(out, i == 0 ? "; deadline of " : ", of ");
        label_shorten(out, name.data, 14.0, false);
        text_format(out, ": %s",
                    figure_time_words(frame->deadlines[i].hours, f->unit, FIGURE_NEAREST).text);
        text_release(&name);
    }
    if (shown < frame->deadline_count)
        text_format(out, " and %zu more", frame->deadline_count - shown);
}

static const struct ticks share_ticks = {
    .count = 5,
    .tick = {{0.0, "0 %"}, {0.1, "10 %"}, {0.5, "50 %"}, {0.9, "90 %"}, {1.0, "100 %"}}};

enum chart_result chart_time(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "time", "finished_frac", "strategy"};
    const struct chart_frame *frame = c->facts->frame;
    enum time_unit unit = c->facts->unit;
    struct chart_legend_entry entries[CHART_SERIES_MAX];
    struct spread spreads[CHART_SERIES_MAX];
    struct spread_axis axis;
    struct ticks ticks;
    struct text title, subtitle;
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
    text_init(&subtitle, 2048);
    title_time(&title, c->facts);
    text_add(&subtitle, "Share of simulated futures in which all work is done by then");
    for (size_t i = 0; i < c->facts->count; i++) {
        if (c->facts->strategy[i].cancelled_share > 0.0) {
            text_add(&subtitle, ", of those that are not cancelled");
            break;
        }
    }
    list_deadlines(&subtitle, c->facts);
    chart_begin(s, c, c->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    chart_script_margins(s, 0.085, 0.7, 0.17, s->top - 0.015);
    chart_script_ranges(s, axis.low, axis.high, 0.0, 1.02);
    ticks_plain(&ticks, axis.low, axis.high, 7);
    chart_script_ticks(s, "x", &ticks);
    chart_script_ticks(s, "y", &share_ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < c->shown.count; i++)
        add_curve(s, c, &spreads[i], i, axis);
    add_deadline(s, c, axis);
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
