/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stacked areas with steps: a bucket holds the mean number of nodes, so its corners are true. Equal
 * neighbours are merged. */
#include "plots/charts/chart_nodes.h"

#include "plots/charts/chart_panels.h"
#include "plots/facts/time_course.h"
#include "plots/sentences/titles.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>

struct node_lines {
    struct time_course on_demand, spot;
    struct time_course block, owned; /* drawn as one: bought beforehand */
};

static double held(const struct time_course *t, size_t k)
{
    return k < t->count && t->plan[k] > 0.0 ? t->plan[k] : 0.0;
}

static const struct time_course *longer(const struct node_lines *l)
{
    const struct time_course *t = l->on_demand.count >= l->spot.count ? &l->on_demand : &l->spot;
    t = t->count >= l->block.count ? t : &l->block;
    return t->count >= l->owned.count ? t : &l->owned;
}

/* Nodes of what was bought beforehand. */
static double held_before(const struct node_lines *l, size_t k)
{
    return held(&l->block, k) + held(&l->owned, k);
}

static size_t buckets(const struct node_lines *l)
{
    return longer(l)->count;
}

static bool any_block(const struct node_lines *lines, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || lines[i].block.count > 0 || lines[i].owned.count > 0;
    return any;
}

static struct title_nodes sum_up(const struct node_lines *l, double *last_s, double *peak)
{
    struct title_nodes n = {0.0, 0.0, 0.0};

    for (size_t k = 0; k < buckets(l); k++) {
        const struct time_course *t = longer(l);
        double hours = (t->end_s[k] - t->start_s[k]) / 3600.0;
        n.on_demand_h += hours * held(&l->on_demand, k);
        n.spot_h += hours * held(&l->spot, k);
        n.held_h += hours * held_before(l, k);
        double all = held(&l->on_demand, k) + held(&l->spot, k) + held_before(l, k);
        *peak = fmax(*peak, all);
        if (all > 0.0)
            *last_s = fmax(*last_s, t->end_s[k]);
    }
    return n;
}

/* The nodes of one stretch. */
struct node_levels {
    double on_demand, spot, block;
};

static struct node_levels levels_at(const struct node_lines *l, size_t k)
{
    return (struct node_levels){held(&l->on_demand, k), held(&l->spot, k), held_before(l, k)};
}

static bool same_levels(struct node_levels a, struct node_levels b)
{
    return a.on_demand == b.on_demand && a.spot == b.spot && a.block == b.block;
}

static void add_point(struct chart_script *s, const struct chart_context *c, size_t strategy,
                      double at_s, struct node_levels n, bool blocks)
{
    csv_put_integer(&s->csv, (int64_t)strategy + 1);
    csv_put_number(&s->csv, at_s);
    csv_put_number(&s->csv, n.on_demand);
    csv_put_number(&s->csv, n.spot);
    chart_script_put_name(s, c->facts->strategy[strategy].name);
    if (blocks)
        csv_put_number(&s->csv, n.block);
    chart_script_row_end(s);
}

static void add_areas(struct chart_script *s, const struct chart_context *c,
                      const struct node_lines *l, size_t strategy, double x_high_s, bool blocks)
{
    const struct time_course *t = longer(l);
    size_t first = s->rows, k = 0;

    while (k < buckets(l) && t->start_s[k] < x_high_s) {
        struct node_levels n = levels_at(l, k);
        size_t run = k;
        while (run + 1 < buckets(l) && same_levels(levels_at(l, run + 1), n))
            run++;
        add_point(s, c, strategy, t->start_s[k], n, blocks);
        add_point(s, c, strategy, t->end_s[run], n, blocks);
        k = run + 1;
    }
    if (s->rows == first)
        return;
    if (l->block.count > 0 || l->owned.count > 0)
        chart_script_plot(s, first, s->rows - 1,
                          "using 2:($3+$4):($3+$4+$6) with filledcurves lc rgb GREEN_L notitle");
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:3:($3+$4) with filledcurves lc rgb ORANGE_L notitle");
    chart_script_plot(s, first, s->rows - 1, "using 2:(0):3 with filledcurves lc rgb BLUE notitle");
}

/* "268 node h, 62 % spot" */
static void describe(const struct title_nodes *n, char *out, size_t size)
{
    double hours = n->on_demand_h + n->spot_h + n->held_h;

    if (!(hours > 0.0))
        snprintf(out, size, "no node");
    else if (!(n->on_demand_h + n->held_h > 0.0) || !(n->spot_h > 0.0))
        snprintf(out, size, "%s node h, %s", figure_count(figure_round(hours, 3, 0)).text,
                 n->spot_h > 0.0 ? "all spot" : "no spot");
    else
        snprintf(out, size, "%s node h, %s spot", figure_count(figure_round(hours, 3, 0)).text,
                 figure_share(n->spot_h / hours, 1e6).text);
}

/* Of what some strategy shown holds. */
static void add_key(struct chart_script *s, double y, const struct chart_shown *shown,
                    const struct title_nodes *sums)
{
    static const struct {
        const char *name, *colour, *text;
    } keys[] = {{"On-demand", "BLUE", "BLUE"},
                {"Spot", "ORANGE_L", "ORANGE"},
                {"Block or owned", "GREEN_L", "GREEN"}};
    double held[3] = {0.0, 0.0, 0.0}, x = 0.127;

    for (size_t i = 0; i < shown->count; i++) {
        const struct title_nodes *n = &sums[shown->index[i]];
        held[0] += n->on_demand_h;
        held[1] += n->spot_h;
        held[2] += n->held_h;
    }
    for (size_t i = 0; i < 3; i++) {
        if (!(held[i] > 0.0))
            continue;
        chart_script_box(s, x - 0.022, y - 0.016, x - 0.006, y + 0.012, "screen", keys[i].colour);
        chart_script_label(
            s, &(struct chart_label){
                   .text = keys[i].name, .x = x, .y = y, .bold = true, .colour = keys[i].text});
        x += 0.045 + label_width(keys[i].name, true) * 21.0 / 1200.0;
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
                              c->diagnostics) ||
            !time_course_read(&lines[i].block, c->tables->timeline, name, "capacity_block_nodes",
                              c->arena, c->diagnostics) ||
            !time_course_read(&lines[i].owned, c->tables->timeline, name, "owned_nodes", c->arena,
                              c->diagnostics))
            return false;
    }
    return true;
}

/* Bars are means: within a bucket there may have been more and fewer nodes. The buckets of a
 * strategy that ends sooner may be shorter. */
static void add_subtitle(struct text *out, const struct chart_frame *frame, double bucket_s,
                         bool differ)
{
    double hours = bucket_s / 3600.0;

    text_format(out,
                "Mean nodes held per %s%s in the plan world, the future whose cost is nearest to "
                "its P50; from %s, UTC",
                differ ? "at most " : "",
                figure_time_words(hours, figure_time_unit(hours), FIGURE_NEAREST).text,
                ticks_date_words(frame->start_unix_s, true).text);
}

enum chart_result chart_nodes(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "time_s",   "on_demand_nodes",
                                          "spot_nodes",      "strategy", "block_and_owned_nodes"};
    struct chart_shown shown = chart_shown_pick(c->facts, CHART_PANELS_MAX);
    struct node_lines lines[CHART_PANELS_MAX];
    struct title_nodes sums[CHART_STRATEGIES_MAX] = {{0.0, 0.0, 0.0}};
    struct chart_panels panels;
    struct ticks y_ticks;
    struct text title, subtitle;
    struct chart_panel_ends ends;
    double end_s[CHART_PANELS_MAX] = {0.0}, peak = 0.0, bucket_s = 0.0;
    bool differ = false;

    if (c->tables->timeline == NULL)
        return CHART_NOTHING;
    if (!read_lines(c, &shown, lines))
        return CHART_BROKEN;
    const bool blocks = any_block(lines, shown.count);
    for (size_t i = 0; i < shown.count; i++) {
        if (buckets(&lines[i]) > 0) {
            double own_s = longer(&lines[i])->end_s[0] - longer(&lines[i])->start_s[0];
            differ = differ || (bucket_s > 0.0 && fabs(own_s - bucket_s) > 0.5);
            bucket_s = fmax(bucket_s, own_s);
        }
        sums[shown.index[i]] = sum_up(&lines[i], &end_s[i], &peak);
    }
    if (!(bucket_s > 0.0))
        return CHART_NOTHING;
    ends = chart_panels_ends(c->facts, &shown, end_s);
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_nodes(&title, c->facts, sums);
    add_subtitle(&subtitle, c->facts->frame, bucket_s, differ);
    chart_panels_say_ends(&subtitle, &ends);
    chart_begin(s, c, shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    add_key(s, s->top + 0.05, &shown, sums);
    s->top -= 0.035;
    panels = chart_panels_begin(s, shown, ends, peak > 0.0 ? 1.1 * peak : 1.0, false);
    ticks_whole(&y_ticks, 0.0, panels.y_high, panels.lines == 1 ? 6 : 3);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0] - !blocks);
    chart_script_add(s, "set grid front\n");
    for (size_t k = 0; k < shown.count; k++) {
        char line[128];
        describe(&sums[shown.index[k]], line, sizeof line);
        chart_panels_next(s, c, &panels, k, &y_ticks, CHART_INK, line, "");
        add_areas(s, c, &lines[k], shown.index[k], ends.x_high_s[k], blocks);
        chart_panels_drawn(s);
    }
    chart_panels_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
