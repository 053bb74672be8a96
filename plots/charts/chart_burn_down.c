/* SPDX-License-Identifier: GPL-3.0-or-later
 * The budget less the quantiles of cumulative spend; what is overspent lies below the axis and is
 * cut there. */
#include "plots/charts/chart_burn_down.h"

#include "plots/charts/spend_fan.h"
#include "plots/facts/time_course.h"
#include "plots/sentences/title_burn_down.h"

#include <math.h>
#include <stdio.h>

/* What of a course can be seen: until the last of P10, P50, P90 has come to its end. */
static double settled_s(const struct time_course *t)
{
    size_t k = t->count;
    const size_t last = t->count - 1;

    while (k > 1 && !(fabs(t->p90[k - 1] - t->p90[last]) > 0.01 * t->p90[last]) &&
           !(fabs(t->p10[k - 1] - t->p10[last]) > 0.01 * t->p90[last]))
        k--;
    return t->end_s[k < t->count ? k : last];
}

/* "P50 $200 left", or "P50: used up". */
static void describe(char *out, size_t size, const struct chart_context *c,
                     const struct time_course *t)
{
    double left = c->facts->frame->budget - t->p50[t->count - 1];

    if (left > 0.0)
        snprintf(out, size, "P50 %s left",
                 figure_money(left, c->facts->frame->currency, FIGURE_NEAREST).text);
    else
        snprintf(out, size, "P50: used up");
}

static void begin(struct chart_script *s, const struct chart_context *c,
                  const struct chart_shown *shown, const struct time_course *lines,
                  const struct chart_panel_ends *ends)
{
    const struct chart_frame *frame = c->facts->frame;
    const size_t panel = chart_shown_titled(c, shown);
    struct text title, subtitle;

    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_burn_down(&title, c->facts, shown->index[panel], &lines[panel]);
    text_format(&subtitle,
                "What is left of %s%s since %s, UTC; line: P50, dark: P25 to P75, light: P10 to "
                "P90",
                chart_budget(frame).text,
                c->facts->has_obligation ? " by what is paid in cash" : "",
                ticks_date_words(frame->start_unix_s, true).text);
    chart_add_curves(&subtitle, frame);
    chart_panels_say_ends(&subtitle, ends);
    chart_begin(s, c, shown->count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

enum chart_result chart_burn_down(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "end_s",    "left_p10", "left_p25",
                                          "left_p50",        "left_p75", "left_p90", "strategy"};
    struct chart_shown shown = chart_shown_pick(c->facts, CHART_PANELS_MAX);
    struct time_course lines[CHART_PANELS_MAX];
    struct chart_panels panels;
    struct chart_panel_ends ends;
    struct ticks y_ticks;
    double end_s[CHART_PANELS_MAX] = {0.0}, budget = c->facts->frame->budget;
    char measure[64];
    bool all = shown.count > 0;

    if (c->tables->timeline == NULL || !(budget > 0.0) || !isfinite(budget))
        return CHART_NOTHING;
    chart_spend_measure(c->facts->frame, measure);
    for (size_t i = 0; i < shown.count; i++) {
        if (!time_course_read(&lines[i], c->tables->timeline,
                              c->facts->strategy[shown.index[i]].name, measure, c->arena,
                              c->diagnostics))
            return CHART_BROKEN;
        all = all && lines[i].count > 0;
        end_s[i] = lines[i].count > 0 ? settled_s(&lines[i]) : 0.0;
    }
    if (!all)
        return CHART_NOTHING;
    ends = chart_panels_ends(c->facts, &shown, end_s);
    begin(s, c, &shown, lines, &ends);
    panels = chart_panels_begin(s, shown, ends, 1.05 * budget, false);
    ticks_money(&y_ticks, 0.0, 1.05 * budget, panels.lines == 1 ? 6 : 3, c->facts->frame->currency);
    chart_panels_fit(&panels, &y_ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t k = 0; k < shown.count; k++) {
        int series = chart_shown_find(c, (int)shown.index[k]);
        const struct chart_series_style *style =
            chart_series_style(series < 0 ? 0 : (size_t)series);
        char line[128];
        describe(line, sizeof line, c, &lines[k]);
        chart_panels_next(s, c, &panels, k, &y_ticks, style->full, line, "");
        spend_fan(s, c, &lines[k], shown.index[k], style, panels.ends.x_high_s[k], budget);
        chart_panels_drawn(s);
    }
    chart_panels_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
