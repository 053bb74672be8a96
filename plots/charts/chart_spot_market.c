/* SPDX-License-Identifier: GPL-3.0-or-later
 * The prices stand above, and under them, on the same axis of time, the lanes. The world is the
 * plan world of the chosen strategy, else the subject; where nothing of spot is used in it, that of
 * the first strategy that uses some. */
#include "plots/charts/chart_spot_market.h"

#include "plots/facts/plan_lanes.h"
#include "plots/facts/spot_paths.h"
#include "plots/sentences/title_spot_market.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PLOT_RIGHT  0.9
#define PLOT_BOTTOM 0.13
#define LITTLE      0.02 /* of a price: no move */
#define LANE        0.1  /* of the height of the prices' part, with its gap */

struct spot_picture {
    struct spot_paths paths;
    double low, high; /* of the prices' part */
    double left;
    const char *of; /* the strategy whose plan world it is */
    double world;
};

static double lane_step(const struct spot_picture *p)
{
    return LANE * (p->high - p->low) * (p->paths.count < 3 ? 1.4 : 1.0);
}

static double lane_top(const struct spot_picture *p, size_t k)
{
    return p->low - (0.35 + (double)k) * lane_step(p);
}

static double bottom(const struct spot_picture *p)
{
    return lane_top(p, p->paths.count) + 0.15 * lane_step(p);
}

/* Small moves are not blown up to the height of the page, and none stand on a line from 0. */
static void measure(struct spot_picture *p)
{
    double air;

    p->low = INFINITY;
    p->high = -INFINITY;
    for (size_t i = 0; i < p->paths.count; i++) {
        p->low = fmin(p->low, p->paths.path[i].low);
        p->high = fmax(p->high, p->paths.path[i].high);
    }
    if (p->high - p->low < LITTLE * p->high) {
        p->low = 0.0;
        p->high = p->high > 0.0 ? 1.3 * p->high : 1.0;
        return;
    }
    air = fmax(0.15 * (p->high - p->low), 0.1 * p->high);
    p->low = fmax(0.0, p->low - air);
    p->high += air;
}

/* ---- the world ---- */

/* Reads the world of this strategy, if its market is in the table. */
static bool read_world(struct spot_picture *p, const struct chart_context *c, int strategy)
{
    struct plan_lane lane = {0};

    p->of = c->facts->strategy[strategy].name;
    if (!plan_lane_read(&lane, c->tables->plan_world, p->of, 0, c->arena, c->diagnostics))
        return false;
    p->world = lane.replication;
    if (lane.workload == NULL)
        return true;
    return spot_paths_read(&p->paths, c->tables->market, p->world, c->facts->frame->cost_metric,
                           c->arena, c->diagnostics);
}

static bool read_picture(struct spot_picture *p, const struct chart_context *c)
{
    int told = facts_told(c->facts);

    if (told >= 0 && !read_world(p, c, told))
        return false;
    for (size_t i = 0; i < c->shown.count && p->paths.count == 0; i++) {
        if (!read_world(p, c, (int)c->shown.index[i]))
            return false;
    }
    if (p->paths.count == 0) {
        p->of = NULL;
        return spot_paths_read(&p->paths, c->tables->market, (double)NAN,
                               c->facts->frame->cost_metric, c->arena, c->diagnostics);
    }
    return true;
}

/* ---- data ---- */

static void put_row(struct chart_script *s, const struct spot_step *step, double price, double top,
                    double low, const char *what, const char *zone)
{
    csv_put_number(&s->csv, step->start_s);
    csv_put_number(&s->csv, step->end_s);
    csv_put_number(&s->csv, price);
    csv_put_number(&s->csv, top);
    csv_put_number(&s->csv, low);
    csv_put_text(&s->csv, what);
    chart_script_put_name(s, zone);
    chart_script_row_end(s);
}

/* Corners of the price's steps; equal neighbours are one. */
static void add_price(struct chart_script *s, const struct spot_picture *p, size_t i)
{
    const struct spot_path *path = &p->paths.path[i];
    const struct chart_series_style *style = chart_series_style(i);
    size_t first = s->rows;

    for (size_t k = 0; k < path->count;) {
        struct spot_step step = path->steps[k];
        while (k < path->count && path->steps[k].price == step.price)
            step.end_s = path->steps[k++].end_s;
        put_row(s, &step, step.price, step.price, step.price, "price", path->zone);
        put_row(s, &(struct spot_step){.start_s = step.end_s, .end_s = step.end_s}, step.price,
                step.price, step.price, "price", path->zone);
    }
    if (s->rows > first)
        chart_script_plot(s, first, s->rows - 1,
                          "using 1:3 with lines lw 4*W dt %s lc rgb %s notitle", style->dash,
                          style->full);
}

/* Stretches of a lane: room for all (some of them: false: for a part of them). */
static void add_room(struct chart_script *s, const struct spot_picture *p, size_t i, bool all)
{
    const struct spot_path *path = &p->paths.path[i];
    const struct chart_series_style *style = chart_series_style(i);
    double top = lane_top(p, i), low = top - 0.62 * lane_step(p);
    size_t first = s->rows;

    for (size_t k = 0; k < path->count; k++) {
        struct spot_step step = path->steps[k];
        bool whole = step.capacity >= path->nodes;
        if (whole != all || !(step.capacity > 0.0))
            continue;
        while (k + 1 < path->count && path->steps[k + 1].capacity > 0.0 &&
               (path->steps[k + 1].capacity >= path->nodes) == all)
            step.end_s = path->steps[++k].end_s;
        put_row(s, &step, step.price, top, low, all ? "room for all" : "room for some", path->zone);
    }
    if (s->rows > first)
        chart_script_plot(s, first, s->rows - 1,
                          "using 1:4:1:2:4:5 with boxxyerror lc rgb %s notitle",
                          all ? style->full : style->light);
}

/* More marks are a band that hides the price; the lanes show when there is no room. */
#define LOSSES_SHOWN 300

static bool shows_losses(const struct spot_path *path)
{
    return path->losses <= LOSSES_SHOWN;
}

static void add_losses(struct chart_script *s, const struct spot_picture *p, size_t i)
{
    const struct spot_path *path = &p->paths.path[i];
    size_t first = s->rows;

    if (!shows_losses(path))
        return;
    for (size_t k = 1; k < path->count; k++) {
        const struct spot_step *step = &path->steps[k];
        if (path->steps[k - 1].capacity >= path->nodes && step->capacity < path->nodes)
            put_row(s, step, path->steps[k - 1].price, lane_top(p, i), lane_top(p, i), "loss",
                    path->zone);
    }
    if (s->rows > first)
        chart_script_plot(s, first, s->rows - 1,
                          "using 1:3 with points pt 11 ps %s*PT lc rgb RED notitle",
                          path->losses > 60 ? "1.7" : "2.2");
}

/* ---- words ---- */

/* The zone, with the type where zones are not enough; the type alone where all are in one zone. */
static void pool_name(struct text *out, const struct spot_picture *p, size_t i)
{
    bool twice = false, one_zone = p->paths.count > 1;

    for (size_t k = 0; k < p->paths.count; k++) {
        const bool same = strcmp(p->paths.path[k].zone, p->paths.path[i].zone) == 0;
        twice = twice || (k != i && same);
        one_zone = one_zone && same;
    }
    if (!one_zone)
        label_clean(out, p->paths.path[i].zone);
    if (twice && !one_zone)
        text_add(out, " ");
    if (twice || one_zone)
        label_clean(out, p->paths.path[i].type);
}

#define LEFT_LEAST 0.15
#define LEFT_MOST  0.26
#define NAME_EM    (1200.0 / 18.0)

/* Room for the broadest name of a pool. */
static double names_end(const struct spot_picture *p)
{
    struct text name;
    double em = 0.0;

    text_init(&name, 256);
    for (size_t i = 0; i < p->paths.count; i++) {
        text_clear(&name);
        pool_name(&name, p, i);
        em = fmax(em, label_width(name.data, false));
    }
    text_release(&name);
    return fmin(LEFT_MOST, fmax(LEFT_LEAST, 0.03 + em / NAME_EM));
}

/* "38 %", "0 %", "100 %" */
static struct figure percent(double share)
{
    struct figure f;

    if (share > 0.0 && share < 1.0)
        return figure_share(share, 1e6);
    snprintf(f.text, sizeof f.text, "%.0f %%", 100.0 * share);
    return f;
}

/* The zone before its lane, and behind it the share of time with room. */
static void add_names(struct chart_script *s, const struct spot_picture *p)
{
    struct chart_label label = {.y_in = "first", .size = 18};

    for (size_t i = 0; i < p->paths.count; i++) {
        const struct spot_path *path = &p->paths.path[i];
        struct figure share = percent(path->room_s / path->seen_s);
        struct text name, whole;
        text_init(&name, 256);
        text_init(&whole, 256);
        pool_name(&whole, p, i);
        label_shorten(&name, whole.data, (p->left - 0.03) * NAME_EM, false);
        text_release(&whole);
        label.y = lane_top(p, i) - 0.31 * lane_step(p);
        label.colour = chart_series_style(i)->full;
        label.text = name.data;
        label.x = p->left - 0.01;
        label.align = CHART_RIGHT;
        chart_script_label(s, &label);
        label.text = share.text;
        label.x = 0.965;
        chart_script_label(s, &label);
        text_release(&name);
    }
    label.y = p->low + 0.1 * lane_step(p);
    label.colour = NULL;
    label.text = "room";
    chart_script_label(s, &label);
}

static void begin(struct chart_script *s, const struct chart_context *c,
                  const struct spot_picture *p)
{
    struct text title, subtitle;
    const char *type = p->paths.path[0].type;
    const char *zone = p->paths.path[0].zone;
    bool one_type = true, one_zone = p->paths.count > 1, marks = false;

    for (size_t i = 0; i < p->paths.count; i++) {
        marks = marks || shows_losses(&p->paths.path[i]);
        one_type = one_type && strcmp(p->paths.path[i].type, type) == 0;
        one_zone = one_zone && strcmp(p->paths.path[i].zone, zone) == 0;
    }
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_spot_market(&title, &p->paths, c->facts->frame->currency);
    text_add(&subtitle, "Spot price of a node");
    if (one_type || one_zone) {
        text_add(&subtitle, ", ");
        label_shorten(&subtitle, one_type ? type : zone, 14.0, false);
    }
    if (marks)
        text_add(&subtitle, "; \xe2\x96\xbc room for the gang is lost");
    text_add(&subtitle, "; bars: there is room");
    if (p->of != NULL) {
        text_add(&subtitle, "; plan world of ");
        label_shorten(&subtitle, p->of, 24.0, false);
    }
    if (p->paths.of > p->paths.count)
        text_format(&subtitle, "; %zu of %zu pools", p->paths.count, p->paths.of);
    chart_begin(s, c, c->shown.of, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

enum chart_result chart_spot_market(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"start_s", "end_s", "price", "top",
                                          "bottom",  "what",  "zone"};
    struct spot_picture *p = arena_alloc(c->arena, sizeof *p);
    const struct chart_frame *frame = c->facts->frame;
    struct ticks ticks;

    if (p == NULL)
        return CHART_BROKEN;
    memset(p, 0, sizeof *p);
    if (c->tables->market == NULL)
        return CHART_NOTHING;
    if (!read_picture(p, c))
        return CHART_BROKEN;
    if (p->paths.count == 0 || !(p->paths.end_s > 0.0))
        return CHART_NOTHING;
    measure(p);
    p->left = names_end(p);
    begin(s, c, p);
    chart_script_margins(s, p->left, PLOT_RIGHT, PLOT_BOTTOM, s->top - 0.015);
    chart_script_ranges(s, 0.0, p->paths.end_s, bottom(p), p->high);
    ticks_money(&ticks, p->low, p->high, 5, frame->currency);
    chart_script_ticks(s, "y", &ticks);
    ticks_dates(&ticks, frame->start_unix_s, 0.0, p->paths.end_s, 7);
    chart_script_ticks(s, "x", &ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < p->paths.count; i++) {
        add_room(s, p, i, true);
        add_room(s, p, i, false);
    }
    for (size_t i = 0; i < p->paths.count; i++)
        add_price(s, p, i);
    for (size_t i = 0; i < p->paths.count; i++)
        add_losses(s, p, i);
    add_names(s, p);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
