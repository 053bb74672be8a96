/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stacked areas with steps: a bucket holds the mean number of nodes, so its corners are true. Equal
 * neighbours are merged. */
#include "plots/chart_nodes.h"

#include "plots/chart_panels.h"
#include "plots/time_course.h"
#include "plots/titles.h"

#include <math.h>
#include <stdio.h>

struct node_lines {
    struct time_course on_demand, spot;
};

static double held(const struct time_course *t, size_t k)
{
    return k < t->count && t->plan[k] > 0.0 ? t->plan[k] : 0.0;
}

static size_t buckets(const struct node_lines *l)
{
    return l->on_demand.count > l->spot.count ? l->on_demand.count : l->spot.count;
}

static const struct time_course *longer(const struct node_lines *l)
{
    return l->on_demand.count >= l->spot.count ? &l->on_demand : &l->spot;
}

static struct title_nodes sum_up(const struct node_lines *l, double *last_s, double *peak)
{
    struct title_nodes n = {0.0, 0.0};

    for (size_t k = 0; k < buckets(l); k++) {
        const struct time_course *t = longer(l);
        double hours = (t->end_s[k] - t->start_s[k]) / 3600.0;
        n.on_demand_h += hours * held(&l->on_demand, k);
        n.spot_h += hours * held(&l->spot, k);
        *peak = fmax(*peak, held(&l->on_demand, k) + held(&l->spot, k));
        if (held(&l->on_demand, k) + held(&l->spot, k) > 0.0)
            *last_s = fmax(*last_s, t->end_s[k]);
    }
    return n;
}

static void add_point(struct chart_script *s, const struct chart_context *c, size_t strategy,
                      double at_s, double on_demand, double spot)
{
    csv_put_integer(&s->csv, (int64_t)strategy + 1);
    csv_put_number(&s->csv, at_s);
    csv_put_number(&s->csv, on_demand);
    csv_put_number(&s->csv, spot);
    chart_script_put_name(s, c->facts->strategy[strategy].name);
    chart_script_row_end(s);
}

static void add_areas(struct chart_script *s, const struct chart_context *c,
                      const struct node_lines *l, size_t strategy, double x_high_s)
{
    const struct time_course *t = longer(l);
    size_t first = s->rows, k = 0;

    while (k < buckets(l) && t->start_s[k] < x_high_s) {
        double on_demand = held(&l->on_demand, k), spot = held(&l->spot, k);
        size_t run = k;
        while (run + 1 < buckets(l) && held(&l->on_demand, run + 1) == on_demand &&
               held(&l->spot, run + 1) == spot)
            run++;
        add_point(s, c, strategy, t->start_s[k], on_demand, spot);
        add_point(s, c, strategy, t->end_s[run], on_demand, spot);
        k = run + 1;
    }
    if (s->rows == first)
        return;
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:3:($3+$4) with filledcurves lc rgb ORANGE_L notitle");
    chart_script_plot(s, first, s->rows - 1, "using 2:(0):3 with filledcurves lc rgb BLUE notitle");
}

/* "268 node h, 62 % spot" */
static void describe(const struct title_nodes *n, char *out, size_t size)
{
    double hours = n->on_demand_h + n->spot_h;

    if (!(hours > 0.0))
        snprintf(out, size, "no node");
    else if (!(n->on_demand_h > 0.0) || !(n->spot_h > 0.0))
        snprintf(out, size, "%s node h, %s", figure_count(figure_round(hours, 3, 0)).text,
                 n->spot_h > 0.0 ? "all spot" : "no spot");
    else
        snprintf(out, size, "%s node h, %s spot", figure_count(figure_round(hours, 3, 0)).text,
                 figure_share(n->spot_h / hours, 1e6).text);
}

static void add_key(struct chart_script *s, double y)
{
    static const struct {
        const char *name, *colour, *text;
        double x;
    } keys[] = {{"On-demand", "BLUE", "BLUE", 0.127}, {"Spot", "ORANGE_L", "ORANGE", 0.272}};

    for (size_t i = 0; i < 2; i++) {
        chart_script_box(s, keys[i].x - 0.022, y - 0.016, keys[i].x - 0.006, y + 0.012, "screen",
                         keys[i].colour);
        chart_script_label(s, &(struct chart_label){.text = keys[i].name,
                                                    .x = keys[i].x,
                                                    .y = y,
                                                    .bold = true,
                                                    .colour = keys[i].text});
    }
}

static bool read_lines(const struct chart_context *c, const struct chart_shown *shown,
                       struct node_lines *lines)
{
    for (size_t i = 0; i < shown->count; i++) {
        const char *name = c->facts->strategy[shown->index[i]].name;
        if (!time_course_read(&lines[i].on_demand, c->tables->timeline, name, "on_demand_nodes",
                              c->arena, c->diagnostics) ||
            !time_course_read(&lines[i].spot, c->tables->timeline, name, "spot_nodes", c->arena,
                              c->diagnostics))
            return false;
    }
    return true;
}

/* Bars are means: within a bucket there may have been more and fewer nodes. */
static void add_subtitle(struct text *out, const struct chart_frame *frame, double bucket_s)
{
    double hours = bucket_s / 3600.0;

    text_format(out,
                "Mean nodes held per %s in the plan world, the future whose cost is nearest to its "
                "P50; from %s, UTC",
                figure_time_words(hours, figure_time_unit(hours), FIGURE_NEAREST).text,
                ticks_date_words(frame->start_unix_s, true).text);
}

enum chart_result chart_nodes(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "time_s", "on_demand_nodes",
                                          "spot_nodes", "strategy"};
    struct chart_shown shown = chart_shown_pick(c->facts, CHART_PANELS_MAX);
    struct node_lines lines[CHART_PANELS_MAX];
    struct title_nodes sums[CHART_STRATEGIES_MAX] = {{0.0, 0.0}};
    struct chart_panels panels;
    struct ticks y_ticks;
    struct text title, subtitle;
    struct chart_panel_ends ends;
    double end_s[CHART_PANELS_MAX] = {0.0}, peak = 0.0, bucket_s = 0.0;

    if (c->tables->timeline == NULL)
        return CHART_NOTHING;
    if (!read_lines(c, &shown, lines))
        return CHART_BROKEN;
    for (size_t i = 0; i < shown.count; i++) {
        if (buckets(&lines[i]) > 0)
            bucket_s = longer(&lines[i])->end_s[0] - longer(&lines[i])->start_s[0];
        sums[shown.index[i]] = sum_up(&lines[i], &end_s[i], &peak);
    }
    if (!(bucket_s > 0.0))
        return CHART_NOTHING;
    ends = chart_panels_ends(c->facts, &shown, end_s);
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_nodes(&title, c->facts, sums);
    add_subtitle(&subtitle, c->facts->frame, bucket_s);
    chart_panels_say_ends(&subtitle, &ends);
    chart_begin(s, c, shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    add_key(s, s->top + 0.05);
    s->top -= 0.035;
    panels = chart_panels_begin(s, shown, ends, peak > 0.0 ? 1.1 * peak : 1.0, false);
    ticks_whole(&y_ticks, 0.0, panels.y_high, panels.lines == 1 ? 6 : 3);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    chart_script_add(s, "set grid front\n");
    for (size_t k = 0; k < shown.count; k++) {
        char line[128];
        describe(&sums[shown.index[k]], line, sizeof line);
        chart_panels_next(s, c, &panels, k, &y_ticks, CHART_INK, line, "");
        add_areas(s, c, &lines[k], shown.index[k], ends.x_high_s[k]);
        chart_panels_drawn(s);
    }
    chart_panels_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
