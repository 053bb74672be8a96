/* SPDX-License-Identifier: GPL-3.0-or-later
 * The page shows the front and a margin around it: plans that cost or take many times as much would
 * squeeze it into a corner, and are counted in the subtitle instead. */
#include "plots/charts/chart_front.h"

#include "plots/facts/front_points.h"
#include "plots/sentences/title_front.h"
#include "plots/text/figures.h"
#include "plots/text/label.h"
#include "plots/text/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PLOT_LEFT   0.085
#define PLOT_RIGHT  0.965
#define PLOT_BOTTOM 0.17
/* How far beyond the front the page goes. */
#define MARGIN 1.35

struct front_page {
    double cost_end, time_end; /* in hours */
    enum time_unit unit;
    size_t outside;
};

static struct front_page make_page(const struct front_points *p)
{
    struct front_page page = {.cost_end = 0, .time_end = 0};

    for (size_t i = 0; i < p->front_count; i++) {
        page.cost_end = fmax(page.cost_end, p->front[i].cost);
        page.time_end = fmax(page.time_end, p->front[i].time_h);
    }
    if (p->chosen != NULL) {
        page.cost_end = fmax(page.cost_end, p->chosen->cost);
        page.time_end = fmax(page.time_end, p->chosen->time_h);
    }
    page.cost_end = fmax(MARGIN * page.cost_end, 1e-6);
    page.time_end = fmax(MARGIN * page.time_end, 1e-6);
    page.unit = figure_time_unit(page.time_end / MARGIN);
    for (size_t i = 0; i < p->dot_count; i++)
        page.outside += p->dots[i].cost > page.cost_end || p->dots[i].time_h > page.time_end;
    return page;
}

static void put_row(struct chart_script *s, const struct front_page *page, double cost,
                    double time_h, const char *kind, const char *plan)
{
    csv_put_number(&s->csv, figure_time_in(time_h, page->unit));
    csv_put_number(&s->csv, cost);
    csv_put_text(&s->csv, kind);
    chart_script_put_name(s, plan);
    chart_script_row_end(s);
}

static void add_dots(struct chart_script *s, const struct front_points *p,
                     const struct front_page *page)
{
    const size_t first = s->rows;

    for (size_t i = 0; i < p->dot_count; i++) {
        if (p->dots[i].cost <= page->cost_end && p->dots[i].time_h <= page->time_end)
            put_row(s, page, p->dots[i].cost, p->dots[i].time_h, "plan", p->dots[i].plan);
    }
    if (s->rows > first)
        chart_script_plot(s, first, s->rows - 1,
                          "using 1:2 with points pt 7 ps 0.9*P lc rgb MUTE notitle");
}

/* A step: what a plan costs is paid for all times from its own on. */
static void add_front(struct chart_script *s, const struct front_points *p,
                      const struct front_page *page)
{
    const struct chart_series_style *style = chart_series_style(0);
    const size_t first = s->rows;

    for (size_t i = p->front_count; i-- > 0;)
        put_row(s, page, p->front[i].cost, p->front[i].time_h, "front", p->front[i].plan);
    if (s->rows == first)
        return;
    chart_script_plot(s, first, s->rows - 1, "using 1:2 with steps lw 3.5*W lc rgb %s notitle",
                      style->light);
    chart_script_plot(s, first, s->rows - 1,
                      "using 1:2 with points pt %d ps 1.6*P lc rgb %s notitle", style->point,
                      style->full);
}

static void add_label(struct chart_script *s, const struct front_page *page, const char *plan,
                      double cost, double time_h, bool chosen)
{
    const double x = figure_time_in(time_h, page->unit);
    const bool right = time_h > 0.8 * page->time_end;
    struct text text;

    text_init(&text, 256);
    label_shorten(&text, plan, 14.0, chosen);
    if (chosen)
        text_add(&text, ", chosen");
    chart_script_label(s, &(struct chart_label){.text = text.data,
                                                .x = x,
                                                .y = cost,
                                                .x_in = "first",
                                                .y_in = "first",
                                                .align = right ? CHART_RIGHT : CHART_LEFT,
                                                .bold = chosen,
                                                .size = chosen ? 0 : 18,
                                                .colour = chosen ? CHART_INK : NULL,
                                                .dx = right ? -0.8 : 0.8,
                                                .dy = 0.7});
    text_release(&text);
}

/* The ends of the front and the chosen plan; members between them would write over each other. */
static void add_labels(struct chart_script *s, const struct front_points *p,
                       const struct front_page *page)
{
    for (size_t i = 0; i < p->front_count; i++) {
        const struct front_member *m = &p->front[i];
        const double away = p->chosen == NULL
                                ? 1
                                : hypot((m->cost - p->chosen->cost) / page->cost_end,
                                        (m->time_h - p->chosen->time_h) / page->time_end);
        if (m->chosen || ((i == 0 || i + 1 == p->front_count) && away > 0.06))
            add_label(s, page, m->plan, m->cost, m->time_h, m->chosen);
    }
    for (size_t i = 0; i < p->front_count; i++) {
        if (p->front[i].chosen)
            return;
    }
    if (p->chosen != NULL)
        add_label(s, page, p->chosen->plan, p->chosen->cost, p->chosen->time_h, true);
}

static void begin(struct chart_script *s, const struct chart_context *c,
                  const struct front_points *p, const struct front_page *page)
{
    struct text title, subtitle;

    text_init(&title, 1024);
    text_init(&subtitle, 1024);
    title_front(&title, p, c->facts->frame->currency);
    front_measure_words(&subtitle, p->cost_of, c->facts->frame->cost_metric, "cost");
    text_add(&subtitle, " against ");
    front_measure_words(&subtitle, p->time_of, "time_to_train_h", "time to train");
    text_format(&subtitle,
                "; line: no plan found is both cheaper and faster, on %s; dots: %s "
                "plan%s simulated",
                p->fresh ? "fresh worlds" : "worlds of the search",
                figure_count((double)p->simulated).text, text_plural((double)p->simulated));
    if (p->simulated > p->dot_count)
        text_format(&subtitle, ", %s of them not finished",
                    figure_count((double)(p->simulated - p->dot_count)).text);
    if (page->outside > 0)
        text_format(&subtitle, ", %s beyond this page", figure_count((double)page->outside).text);
    chart_begin(s, c, c->shown.of, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

enum chart_result chart_front(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"time", "cost", "kind", "plan"};
    const struct chart_frame *frame = c->facts->frame;
    struct front_points p;
    struct front_page page;
    struct ticks ticks;
    char name[64];

    if (c->tables->front == NULL || c->tables->candidates == NULL)
        return CHART_NOTHING;
    if (!front_points_read(&p, c->tables->candidates, c->tables->front, frame->cost_metric,
                           c->arena, c->diagnostics))
        return CHART_BROKEN;
    if (p.front_count == 0)
        return CHART_NOTHING;
    page = make_page(&p);
    begin(s, c, &p, &page);
    chart_script_margins(s, PLOT_LEFT, PLOT_RIGHT, PLOT_BOTTOM, s->top - 0.015);
    chart_script_ranges(s, 0.0, figure_time_in(page.time_end, page.unit), 0.0, page.cost_end);
    ticks_plain(&ticks, 0.0, figure_time_in(page.time_end, page.unit), 7);
    chart_script_ticks(s, "x", &ticks);
    ticks_money(&ticks, 0.0, page.cost_end, 6, frame->currency);
    chart_script_ticks(s, "y", &ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    add_dots(s, &p, &page);
    add_front(s, &p, &page);
    add_labels(s, &p, &page);
    snprintf(name, sizeof name, "Time to train, %s",
             page.unit == TIME_DAYS    ? "days"
             : page.unit == TIME_HOURS ? "hours"
                                       : "minutes");
    chart_axis_name(s, PLOT_LEFT, PLOT_RIGHT, name);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
