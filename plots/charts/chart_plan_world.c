/* SPDX-License-Identifier: GPL-3.0-or-later
 * One row per strategy, and in it a lane per workload. The data file is sorted by kind, so that
 * each kind is one element of the plot: there may be thousands of pieces. Checkpoints that would
 * stand closer than can be told apart are a band instead of marks. */
#include "plots/charts/chart_plan_world.h"

#include "plots/charts/chart_rows.h"
#include "plots/facts/plan_lanes.h"
#include "plots/sentences/title_plan_world.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LANES_MAX 4 /* workloads of a strategy */
/* A mark of a checkpoint, and the least that two of them lie apart, in shares of the axis. */
#define MARK  0.0011
#define APART 0.003

/* All lanes on the page. */
struct lane_page {
    struct plan_lane lane[CHART_SERIES_MAX][LANES_MAX];
    struct title_plan_world all[CHART_SERIES_MAX]; /* of each row, lanes that are not drawn too */
    size_t lanes;                                  /* in each row */
    size_t workloads;                              /* of the strategy that has most */
    enum time_unit unit;
    double high;          /* end of the axis, in the unit */
    bool cut_off;         /* some entries are left out of the table */
    bool has[LANE_KINDS]; /* something of the kind is drawn */
    bool failed;          /* some hardware fails */
};

static void add_to_all(struct title_plan_world *all, const struct plan_lane *lane)
{
    all->losses += lane->losses;
    all->failures += lane->failures;
    all->end_h = fmax(all->end_h, lane->end_s / 3600.0);
    all->done = all->done && lane->done;
}

static bool read_page(struct lane_page *p, const struct chart_context *c)
{
    for (size_t i = 0; i < c->shown.count; i++) {
        const char *name = c->facts->strategy[c->shown.index[i]].name;
        size_t drawn = 0;
        p->all[i].done = true;
        for (size_t k = 0;; k++) {
            struct plan_lane lane;
            if (!plan_lane_read(&lane, c->tables->plan_world, name, k, c->arena, c->diagnostics))
                return false;
            if (lane.workload == NULL)
                break;
            add_to_all(&p->all[i], &lane);
            if (lane.count == 0)
                continue; /* only its end is known */
            if (drawn < LANES_MAX)
                p->lane[i][drawn] = lane;
            drawn++;
            p->workloads = drawn > p->workloads ? drawn : p->workloads;
            p->failed = p->failed || lane.failures > 0;
            p->cut_off = p->cut_off || lane.left_out > 0.0;
        }
    }
    p->lanes = p->workloads < LANES_MAX ? p->workloads : LANES_MAX;
    return true;
}

static void measure(struct lane_page *p, const struct chart_context *c)
{
    double standing = 0.0, all = 0.0, deadline = facts_single_deadline_h(c->facts->frame);

    for (size_t i = 0; i < c->shown.count; i++) {
        all = fmax(all, p->all[i].end_h);
        if (c->facts->strategy[c->shown.index[i]].stands)
            standing = fmax(standing, p->all[i].end_h);
    }
    all = chart_time_end(standing, all);
    if (isfinite(deadline) && deadline < 1.6 * all)
        all = fmax(all, deadline);
    p->unit = figure_time_unit(all);
    p->high = 1.02 * figure_time_in(all, p->unit);
}

/* ---- data ---- */

/* Upper and lower edge of lane k in a row; y grows downwards. */
static double lane_top(const struct lane_page *p, size_t row, size_t k)
{
    return (double)row + 0.16 + 0.76 * (double)k / (double)p->lanes;
}

static double lane_height(const struct lane_page *p)
{
    return 0.76 / (double)p->lanes;
}

/* The part of a lane that a kind takes: full bars in the middle, marks of checkpoints below. */
static void edges(const struct lane_page *p, enum lane_kind kind, double top, double *low,
                  double *high)
{
    static const struct {
        double from, to;
    } parts[LANE_KINDS] = {
        [LANE_ON_DEMAND] = {0.22, 0.74}, [LANE_SPOT] = {0.22, 0.74}, [LANE_HELD] = {0.22, 0.74},
        [LANE_OVERHEAD] = {0.22, 0.74},  [LANE_IDLE] = {0.46, 0.5},  [LANE_WRITTEN] = {0.79, 0.89},
        [LANE_LOSS] = {0.08, 0.08}};

    *low = top + parts[kind].from * lane_height(p);
    *high = top + parts[kind].to * lane_height(p);
}

static void put_piece(struct chart_script *s, const struct lane_page *p, size_t row, size_t k,
                      double from, double to, enum lane_kind kind, const char *strategy)
{
    static const char *const names[LANE_KINDS] = {
        "on-demand", "spot", "held beforehand", "overhead", "idle", "checkpoints", "interrupted"};
    double low, high;

    edges(p, kind, lane_top(p, row, k), &low, &high);
    csv_put_number(&s->csv, from);
    csv_put_number(&s->csv, to);
    csv_put_number(&s->csv, low);
    csv_put_number(&s->csv, high);
    csv_put_text(&s->csv, names[kind]);
    chart_script_put_name(s, strategy);
    chart_script_row_end(s);
}

/* Marks that cannot be told apart become one. */
static void put_lane(struct chart_script *s, struct lane_page *p, size_t row, size_t k,
                     enum lane_kind kind, const char *strategy)
{
    const struct plan_lane *lane = &p->lane[row][k];
    double mark_from = -1.0, mark_to = -1.0;

    for (size_t i = 0; i < lane->count; i++) {
        const struct lane_piece *piece = &lane->pieces[i];
        double from = figure_time_in(piece->start_s / 3600.0, p->unit);
        double to = figure_time_in(piece->end_s / 3600.0, p->unit);
        if (piece->kind != kind || from > p->high)
            continue;
        if (kind != LANE_WRITTEN) {
            put_piece(s, p, row, k, from, fmin(to, p->high), kind, strategy);
        } else if (mark_to >= 0.0 && from - mark_to < APART * p->high) {
            mark_to = from;
        } else {
            if (mark_to >= 0.0)
                put_piece(s, p, row, k, mark_from, mark_to, kind, strategy);
            mark_from = mark_to = from;
        }
    }
    if (mark_to >= 0.0)
        put_piece(s, p, row, k, mark_from, mark_to, kind, strategy);
}

static void add_kind(struct chart_script *s, const struct chart_context *c, struct lane_page *p,
                     enum lane_kind kind)
{
    static const char *const colours[LANE_KINDS] = {
        [LANE_ON_DEMAND] = "BLUE", [LANE_SPOT] = "ORANGE_L", [LANE_HELD] = "GREEN_L",
        [LANE_OVERHEAD] = "MUTE",  [LANE_IDLE] = "GREY",     [LANE_WRITTEN] = "INK",
        [LANE_LOSS] = "RED"};
    const size_t first = s->rows;

    for (size_t i = 0; i < c->shown.count; i++) {
        for (size_t k = 0; k < p->lanes; k++)
            put_lane(s, p, i, k, kind, c->facts->strategy[c->shown.index[i]].name);
    }
    p->has[kind] = s->rows > first;
    if (!p->has[kind])
        return;
    if (kind == LANE_LOSS)
        chart_script_plot(s, first, s->rows - 1,
                          "using 1:3 with points pt 11 ps %s*PT lc rgb RED notitle",
                          p->lanes * c->shown.count > 8 ? "1.1" : "1.6");
    else if (kind == LANE_WRITTEN)
        chart_script_plot(s, first, s->rows - 1,
                          "using 1:3:($1-%.8g):($2+%.8g):3:4 with boxxyerror lc rgb %s notitle",
                          0.5 * MARK * p->high, 0.5 * MARK * p->high, colours[kind]);
    else
        chart_script_plot(s, first, s->rows - 1,
                          "using 1:3:1:2:3:4 with boxxyerror lc rgb %s notitle", colours[kind]);
}

/* ---- words ---- */

/* Of what is drawn, in the order of the kinds. */
static void add_key(struct chart_script *s, const struct lane_page *p, double left, double y)
{
    static const struct {
        const char *name, *box, *text;
    } keys[LANE_KINDS] = {{"on-demand", "BLUE", "BLUE"},
                          {"spot", "ORANGE_L", "ORANGE"},
                          {"block or owned", "GREEN_L", "GREEN"},
                          {"boot, restore, waiting for nodes", "MUTE", CHART_MUTE},
                          {"no node", "GREY", CHART_MUTE},
                          {"checkpoint", "INK", CHART_INK},
                          {"interrupted", NULL, CHART_RED}};
    double x = left;

    for (size_t i = 0; i < LANE_KINDS; i++) {
        if (!p->has[i])
            continue;
        if (i == LANE_IDLE)
            chart_script_box(s, x, y - 0.003, x + 0.014, y + 0.002, "screen", keys[i].box);
        else if (i == LANE_WRITTEN)
            chart_script_box(s, x + 0.006, y - 0.012, x + 0.0085, y + 0.012, "screen", "INK");
        else if (keys[i].box != NULL)
            chart_script_box(s, x, y - 0.014, x + 0.014, y + 0.012, "screen", keys[i].box);
        else
            chart_script_label(
                s, &(struct chart_label){
                       .text = "\xe2\x96\xbc", .x = x, .y = y, .size = 17, .colour = CHART_RED});
        const char *name = i == LANE_LOSS && p->failed ? "interrupted or failed" : keys[i].name;
        chart_script_label(s, &(struct chart_label){.text = name,
                                                    .x = x + 0.019,
                                                    .y = y,
                                                    .size = 18,
                                                    .colour = keys[i].text,
                                                    .word = true});
        x += 0.019 + 0.018 + label_width(name, false) * 18.0 / 1200.0;
    }
}

static void add_numbers(struct chart_script *s, const struct chart_context *c,
                        const struct chart_rows *rows, const struct lane_page *p, size_t row)
{
    const double end = p->all[row].end_h, deadline = facts_single_deadline_h(c->facts->frame);

    chart_rows_name(s, rows, c->facts, c->shown.index[row], row);
    if (p->lane[row][0].workload == NULL) {
        chart_rows_value(s, rows, row, 1, "no plan world", CHART_QUIET);
        return;
    }
    chart_rows_value(s, rows, row, 0, figure_count((double)p->all[row].losses).text, CHART_PLAIN);
    if (!p->all[row].done) {
        chart_rows_value(s, rows, row, 1, "never", CHART_ALARM);
        return;
    }
    bool late = isfinite(deadline) && end > deadline;
    chart_rows_value(s, rows, row, 1, figure_time(end, p->unit, FIGURE_NEAREST).text,
                     late ? CHART_ALARM : CHART_STRONG);
}

static bool checkpoints_are_close(const struct lane_page *p)
{
    for (size_t i = 0; i < CHART_SERIES_MAX; i++) {
        for (size_t k = 0; k < p->lanes; k++) {
            const struct plan_lane *lane = &p->lane[i][k];
            double last = -HUGE_VAL;
            for (size_t j = 0; j < lane->count; j++) {
                double at = figure_time_in(lane->pieces[j].start_s / 3600.0, p->unit);
                if (lane->pieces[j].kind != LANE_WRITTEN)
                    continue;
                if (at - last < APART * p->high)
                    return true;
                last = at;
            }
        }
    }
    return false;
}

static void begin(struct chart_script *s, const struct chart_context *c, const struct lane_page *p)
{
    struct title_plan_world of[CHART_STRATEGIES_MAX] = {{0}};
    struct text title, subtitle;

    for (size_t i = 0; i < c->shown.count; i++) {
        of[c->shown.index[i]] = p->all[i];
    }
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_plan_world(&title, c->facts, of);
    text_add(&subtitle, "Each strategy in its own plan world, the future whose cost is nearest to "
                        "its P50");
    for (size_t k = 0; k < p->lanes && p->workloads > 1; k++) {
        text_add(&subtitle, k == 0 ? "; lanes from above: " : ", ");
        for (size_t i = 0; i < c->shown.count; i++) {
            if (p->lane[i][k].workload != NULL) {
                label_shorten(&subtitle, p->lane[i][k].workload, 14.0, false);
                break;
            }
        }
    }
    if (p->workloads > LANES_MAX)
        text_format(&subtitle, " (%d of %zu)", LANES_MAX, p->workloads);
    if (checkpoints_are_close(p))
        text_add(&subtitle, "; many checkpoints are a band");
    if (p->cut_off)
        text_add(&subtitle, "; not all of it is in the table");
    chart_begin(s, c, c->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

enum chart_result chart_plan_world(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"start", "end", "top", "bottom", "what", "strategy"};
    static const char *const headings[] = {"losses", "done"};
    struct lane_page *p = arena_alloc(c->arena, sizeof *p);
    struct chart_rows rows;
    struct ticks ticks;
    double key_y;
    char name[64];

    if (p == NULL)
        return CHART_BROKEN;
    memset(p, 0, sizeof *p);
    if (c->tables->plan_world == NULL || c->shown.count == 0)
        return CHART_NOTHING;
    if (!read_page(p, c))
        return CHART_BROKEN;
    if (p->workloads == 0)
        return CHART_NOTHING;
    measure(p, c);
    begin(s, c, p);
    key_y = s->top + 0.05;
    s->top -= 0.035;
    rows = chart_rows_begin(s, c, (struct spread_axis){0.0, p->high}, c->shown.count, headings, 2);
    ticks_plain(&ticks, 0.0, p->high, 8);
    chart_script_ticks(s, "x", &ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (int kind = 0; kind < LANE_KINDS; kind++)
        add_kind(s, c, p, (enum lane_kind)kind);
    add_key(s, p, 0.03, key_y);
    for (size_t i = 0; i < c->shown.count; i++)
        add_numbers(s, c, &rows, p, i);
    if (isfinite(facts_single_deadline_h(c->facts->frame)))
        chart_limit_x(s, 0.0, p->high,
                      figure_time_in(facts_single_deadline_h(c->facts->frame), p->unit),
                      "Deadline");
    snprintf(name, sizeof name, "Time since the start, %s",
             p->unit == TIME_MINUTES ? "minutes"
             : p->unit == TIME_HOURS ? "hours"
                                     : "days");
    chart_axis_name(s, rows.left, rows.right, name);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
