/* SPDX-License-Identifier: GPL-3.0-or-later
 * The axis begins where the worst hour lies, not at 0: 95 and 99 % are a world apart. Panels begin
 * at 0, so that what is drawn is percent above that. */
#include "plots/charts/chart_slo_hours.h"

#include "plots/charts/chart_panels.h"
#include "plots/charts/service_panels.h"
#include "plots/facts/hour_course.h"
#include "plots/facts/service_course.h"
#include "plots/sentences/title_service.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct slo_panels {
    struct chart_shown shown;
    const char *workload;
    size_t others;
    struct hour_course course[CHART_PANELS_MAX];
    size_t subject;
    double bucket_s, end_s;
    double low; /* percent */
};

static const char *first_workload(const struct table *t)
{
    const int c = table_find(t, "workload");

    return c < 0 || table_rows(t) == 0 ? NULL : table_text(t, 0, (size_t)c);
}

static enum chart_result read(struct slo_panels *p, const struct chart_context *c)
{
    const struct table *t = c->tables->service_hours;
    double worst = (double)NAN;

    *p = (struct slo_panels){.shown = chart_shown_pick(c->facts, CHART_PANELS_MAX)};
    if (t == NULL || p->shown.count == 0)
        return CHART_NOTHING;
    p->workload = service_course_main(c->tables->services, &p->others);
    if (p->workload == NULL)
        p->workload = first_workload(t);
    for (size_t i = 0; p->workload != NULL && i < p->shown.count; i++) {
        struct hour_course *of = &p->course[i];
        if (!hour_course_read(of, t, c->facts->strategy[p->shown.index[i]].name, p->workload,
                              c->arena, c->diagnostics))
            return CHART_BROKEN;
        if (of->count > 0) {
            p->bucket_s = fmax(p->bucket_s, of->end_s[0] - of->start_s[0]);
            p->end_s = fmax(p->end_s, of->end_s[of->count - 1]);
        }
        worst = fmin(worst, hour_course_worst(of));
        if ((int)p->shown.index[i] == c->facts->subject)
            p->subject = i;
    }
    if (!isfinite(worst) || p->end_s <= p->bucket_s)
        return CHART_NOTHING; /* no objective, or a single bucket */
    p->low = worst >= 0.9 ? floor(100.0 * worst) - 1.0 : 10.0 * floor(10.0 * worst);
    return CHART_DRAWN;
}

static void put_point(struct chart_script *s, const struct chart_context *c, size_t strategy,
                      double at_s, const struct hour_course *of, size_t k)
{
    csv_put_integer(&s->csv, (int64_t)strategy + 1);
    csv_put_number(&s->csv, at_s);
    csv_put_number(&s->csv, 100.0 * of->p10[k]);
    csv_put_number(&s->csv, 100.0 * of->p50[k]);
    csv_put_number(&s->csv, 100.0 * of->p90[k]);
    csv_put_number(&s->csv, 100.0 * of->overloaded[k]);
    chart_script_put_name(s, c->facts->strategy[strategy].name);
    chart_script_row_end(s);
}

/* Behind the data. */
static void mark_overload(struct chart_script *s, const struct hour_course *of, double y_high)
{
    for (size_t k = 0; k < of->count;) {
        const size_t first = k++;
        if (!(of->overloaded[first] >= HOUR_COURSE_OVERLOADED))
            continue;
        while (k < of->count && of->overloaded[k] >= HOUR_COURSE_OVERLOADED &&
               of->start_s[k] <= of->end_s[k - 1])
            k++;
        chart_script_box(s, of->start_s[first], 0.0, of->end_s[k - 1], y_high, "first",
                         SERVICE_PANELS_OVERLOAD);
    }
}

static void add_course(struct chart_script *s, const struct chart_context *c,
                       const struct slo_panels *p, size_t panel)
{
    const struct hour_course *of = &p->course[panel];
    const size_t strategy = p->shown.index[panel], first = s->rows;

    for (size_t k = 0; k < of->count; k++) {
        put_point(s, c, strategy, of->start_s[k], of, k);
        put_point(s, c, strategy, of->end_s[k], of, k);
    }
    if (s->rows == first)
        return;
    mark_overload(s, of, 100.0 - p->low);
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:($3-%.10g):($5-%.10g) with filledcurves fs transparent solid 0.75 "
                      "lc rgb BLUE_L notitle",
                      p->low, p->low);
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:($4-%.10g) with lines lw 2.2*W lc rgb BLUE notitle", p->low);
}

static void describe(const struct slo_panels *p, size_t panel, char *line, size_t size)
{
    const struct hour_course *of = &p->course[panel];
    double marked_s = 0.0, all_s = 0.0;

    for (size_t k = 0; k < of->count; k++) {
        const double length_s = of->end_s[k] - of->start_s[k];
        all_s += length_s;
        marked_s += of->overloaded[k] >= HOUR_COURSE_OVERLOADED ? length_s : 0.0;
    }
    if (!(all_s > 0.0))
        snprintf(line, size, "does not run");
    else if (marked_s > 0.0)
        snprintf(line, size, "shaded: %.3g of %.4g h",
                 figure_round(marked_s / 3600.0, 3, FIGURE_NEAREST), all_s / 3600.0);
    else
        snprintf(line, size, "rarely or never overloaded");
}

static void say(struct text *subtitle, const struct slo_panels *p, const struct chart_frame *frame)
{
    const double hours = p->bucket_s / 3600.0;

    text_add(subtitle, "Share of the requests of '");
    label_shorten(subtitle, p->workload, 14.0, false);
    text_format(subtitle, "' within the objective, per %s, over all futures; from %s, UTC",
                hours == 1.0
                    ? "hour"
                    : figure_time_words(hours, figure_time_unit(hours), FIGURE_NEAREST).text,
                ticks_date_words(frame->start_unix_s, true).text);
    if (p->others > 0)
        text_format(subtitle, "; one of %zu services", p->others + 1);
}

static struct ticks percents(double low, size_t wanted)
{
    struct ticks t;

    ticks_plain(&t, low, 100.0, wanted);
    for (size_t i = 0; i < t.count; i++) {
        const size_t used = strlen(t.tick[i].label);
        t.tick[i].at -= low;
        snprintf(t.tick[i].label + used, sizeof t.tick[i].label - used, " %%");
    }
    return t;
}

enum chart_result chart_slo_hours(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number",
                                          "time_s",
                                          "within_slo_percent_p10",
                                          "within_slo_percent_p50",
                                          "within_slo_percent_p90",
                                          "overloaded_percent_of_futures",
                                          "strategy"};
    static const struct service_panels_key keys[] = {
        {"P50, P10 to P90", "BLUE_L", "BLUE", 0.127},
        {"Overloaded in 1 of 10 futures or more: no steady state", NULL, "MUTE", 0.335}};
    struct slo_panels *p = arena_array(c->arena, 1, sizeof *p);
    struct chart_panel_ends ends = {.own = false};
    enum chart_result result;
    struct chart_panels panels;
    struct ticks y_ticks;
    struct text title, subtitle;

    if (p == NULL)
        return CHART_BROKEN;
    result = read(p, c);
    if (result != CHART_DRAWN)
        return result;
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_slo_hours(&title, c->facts, p->shown.index[p->subject],
                    hour_course_worst(&p->course[p->subject]), p->bucket_s / 3600.0);
    say(&subtitle, p, c->facts->frame);
    chart_begin(s, c, p->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    service_panels_keys(s, s->top + 0.05, keys, 2);
    s->top -= 0.035;
    for (size_t i = 0; i < p->shown.count; i++)
        ends.x_high_s[i] = p->end_s;
    panels = chart_panels_begin(s, p->shown, ends, 100.0 - p->low, false);
    panels.x_ticks = panels.columns == 3 ? 2 : panels.x_ticks;
    y_ticks = percents(p->low, panels.lines == 1 ? 7 : 4);
    chart_panels_fit(&panels, &y_ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t k = 0; k < p->shown.count; k++) {
        char line[96];
        describe(p, k, line, sizeof line);
        chart_panels_next(s, c, &panels, k, &y_ticks, CHART_INK, line, "");
        add_course(s, c, p, k);
        chart_panels_drawn(s);
    }
    chart_panels_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
