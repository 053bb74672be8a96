/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/chart_spend.h"

#include "plots/charts/spend_fan.h"
#include "plots/facts/quantile_text.h"
#include "plots/facts/spread.h"
#include "plots/facts/time_course.h"
#include "plots/sentences/titles.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>

/* What cannot be seen on the money axis. */
#define SEEN 0.01

static bool settled(const double *quantile, size_t k, const struct time_course *t)
{
    size_t last = t->count - 1;

    return !(fabs(quantile[k] - quantile[last]) > SEEN * fabs(t->p90[last]));
}

/* Where P10, P50 and P90 have come to their ends, but for what cannot be seen: work that waits for
 * capacity in a few futures may add a little for weeks. */
static double settled_s(const struct time_course *t)
{
    size_t k = t->count;

    while (k > 1 && settled(t->p10, k - 1, t) && settled(t->p50, k - 1, t) &&
           settled(t->p90, k - 1, t))
        k--;
    return t->count == 0 ? 0.0 : t->end_s[k < t->count ? k : t->count - 1];
}

/* What is paid upfront settles at once, but the work goes on. */
static double panel_end_s(const struct time_course *t, const struct strategy_facts *facts)
{
    return t->count == 0 ? 0.0 : fmax(settled_s(t), 3600.0 * facts->time.p50.value);
}

/* The common end of the money axes; a strategy far above the others runs off the top. */
static double money_end(const struct chart_context *c, const struct chart_shown *shown,
                        const struct time_course *lines)
{
    struct spread_axis y = {0.0, 0.0};
    double middles[CHART_PANELS_MAX], typical;
    size_t known = 0;

    for (size_t i = 0; i < shown->count; i++) {
        if (lines[i].count > 0 && isfinite(lines[i].p50[lines[i].count - 1]))
            middles[known++] = lines[i].p50[lines[i].count - 1];
    }
    typical = spread_typical(middles, known);
    for (size_t i = 0; i < shown->count; i++) {
        if (lines[i].count > 0 && !spread_far(lines[i].p50[lines[i].count - 1], typical))
            y.high = fmax(y.high, lines[i].p90[lines[i].count - 1]);
    }
    y = spread_axis_hold(y, c->facts->frame->budget, 1.0);
    return y.high > 0.0 ? 1.08 * y.high : 1.0;
}

/* Left of the axis there is little room: a smaller size, and then fewer digits (the title has the
 * exact amount). */
static struct figure budget_beside_axis(const struct chart_frame *frame, double room, int *size)
{
    struct figure amount = figure_money_exact(frame->budget, frame->currency);
    double em = label_width(amount.text, true) / 1200.0;

    *size = frame->budget_uncertain || em * 20.0 > room ? 17 : 20;
    return em * *size <= room ? amount
                              : figure_money(frame->budget, frame->currency, FIGURE_NEAREST);
}

/* The panels share their axis, so the budget is named once, among the ticks. */
static void name_budget(struct chart_script *s, const struct chart_panels *panels,
                        const struct chart_frame *frame)
{
    int size;
    struct figure amount = budget_beside_axis(frame, panels->left - 0.013, &size);
    struct chart_label label = {.text = amount.text,
                                .x = panels->left - 0.008,
                                .y_in = "first",
                                .y = frame->budget,
                                .align = CHART_RIGHT,
                                .size = size,
                                .bold = true,
                                .colour = CHART_RED,
                                .dy = panels->lines == 1 ? -0.5 : 0.0};
    char edge[96];

    if (frame->budget > panels->y_high || frame->budget < 0.0) {
        snprintf(edge, sizeof edge, "Budget %.60s", chart_budget(frame).text);
        chart_limit_y(s, 0.0, panels->y_high, frame->budget, edge, CHART_LEFT);
        return;
    }
    if (panels->lines == 1) {
        chart_script_label(s, &label);
        label.dy = 0.5;
    }
    label.text = frame->budget_uncertain ? "Budget P50" : "Budget";
    chart_script_label(s, &label);
}

/* Ticks without those that the budget's name would cover. */
static void clear_ticks(struct ticks *t, const struct chart_panels *panels,
                        const struct chart_frame *frame)
{
    double room = (panels->lines == 1 ? 0.08 : 0.15) * panels->y_high;

    for (size_t i = 0; i < t->count; i++) {
        if (fabs(t->tick[i].at - frame->budget) < room)
            t->tick[i].label[0] = '\0';
    }
}

/* P50 and P90 over all futures, as on the other charts; what does not fit is left out. */
static void describe(char *out, size_t size, const struct chart_context *c,
                     const struct chart_panels *panels, const struct fact_metric *spend)
{
    const char *currency = c->facts->frame->currency;
    double room = chart_panels_line_em(panels);

    for (int style = QUANTILE_FULL; style <= QUANTILE_SHORT; style++) {
        snprintf(out, size, "P50 %s, P90 %s",
                 quantile_money(&spend->p50, currency, (enum quantile_style)style).text,
                 quantile_money(&spend->p90, currency, (enum quantile_style)style).text);
        if (label_width(out, false) <= room)
            return;
        snprintf(out, size, "P50 %s",
                 quantile_money(&spend->p50, currency, (enum quantile_style)style).text);
        if (label_width(out, false) <= room)
            return;
    }
}

static void add_subtitle(struct text *out, const struct chart_context *c, size_t panels)
{
    const struct chart_frame *frame = c->facts->frame;

    text_format(out, "%s since %s, UTC; line: P50, dark: P25 to P75, light: P10 to P90",
                c->facts->has_obligation ? "Cash paid" : "Spend",
                ticks_date_words(frame->start_unix_s, true).text);
    chart_add_curves(out, frame);
    if (isfinite(frame->budget) && panels > 4)
        text_format(out, "; dashed: budget %s", chart_budget(frame).text);
}

static void add_panel(struct chart_script *s, const struct chart_context *c,
                      const struct chart_panels *panels, size_t k, const struct time_course *t,
                      const struct ticks *y_ticks)
{
    const struct chart_frame *frame = c->facts->frame;
    size_t strategy = panels->shown.index[k];
    int series = chart_shown_find(c, (int)strategy);
    const struct chart_series_style *style = chart_series_style(series < 0 ? 0 : (size_t)series);
    char line[128] = "no spend";

    if (t->count > 0)
        describe(line, sizeof line, c, panels, &c->facts->strategy[strategy].spend);
    chart_panels_next(s, c, panels, k, y_ticks, style->full, line,
                      chart_unfinished(&c->facts->strategy[strategy]).text);
    if (isfinite(frame->budget)) {
        chart_limit_y(s, 0.0, panels->y_high, frame->budget, NULL, CHART_LEFT);
        if (k == 0)
            name_budget(s, panels, frame);
    }
    spend_fan(s, c, t, strategy, style, panels->ends.x_high_s[k], (double)NAN);
    chart_panels_drawn(s);
}

enum chart_result chart_spend(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {
        "strategy_number", "end_s", "p10", "p25", "p50", "p75", "p90", "strategy"};
    struct chart_shown shown = chart_shown_pick(c->facts, CHART_PANELS_MAX);
    struct time_course lines[CHART_PANELS_MAX];
    struct chart_panels panels;
    struct ticks y_ticks;
    struct text title, subtitle;
    char measure[64];
    struct chart_panel_ends ends;
    double end_s[CHART_PANELS_MAX] = {0.0}, y_high;
    bool any = false, warnings = false;

    if (c->tables->timeline == NULL)
        return CHART_NOTHING;
    chart_spend_measure(c->facts->frame, measure);
    for (size_t i = 0; i < shown.count; i++) {
        if (!time_course_read(&lines[i], c->tables->timeline,
                              c->facts->strategy[shown.index[i]].name, measure, c->arena,
                              c->diagnostics))
            return CHART_BROKEN;
        any = any || lines[i].count > 0;
        warnings = warnings || c->facts->strategy[shown.index[i]].unfinished > 0.0;
        end_s[i] = panel_end_s(&lines[i], &c->facts->strategy[shown.index[i]]);
    }
    if (!any)
        return CHART_NOTHING;
    y_high = money_end(c, &shown, lines);
    ends = chart_panels_ends(c->facts, &shown, end_s);
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    const size_t titled = chart_shown_titled(c, &shown);
    title_spend(&title, c->facts, shown.index[titled], &lines[titled]);
    add_subtitle(&subtitle, c, shown.count);
    chart_panels_say_ends(&subtitle, &ends);
    chart_begin(s, c, shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    panels = chart_panels_begin(s, shown, ends, y_high, warnings);
    ticks_money(&y_ticks, 0.0, y_high, panels.lines == 1 ? 6 : 3, c->facts->frame->currency);
    chart_panels_fit(&panels, &y_ticks);
    clear_ticks(&y_ticks, &panels, c->facts->frame);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t k = 0; k < shown.count; k++)
        add_panel(s, c, &panels, k, &lines[k], &y_ticks);
    chart_panels_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
