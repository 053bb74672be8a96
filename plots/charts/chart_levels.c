/* SPDX-License-Identifier: GPL-3.0-or-later
 * The curve stands above, and under it, on the same axis, a strip of bars for the unused share: one
 * grows as the other has passed its lowest place. One strategy has the page: the subject if it
 * signs anything, else the first that does; where work was cut off no mean is known, nor a curve.
 */
#include "plots/charts/chart_levels.h"

#include "plots/facts/level_course.h"
#include "plots/sentences/title_levels.h"

#include <math.h>
#include <stdio.h>

#define PLOT_LEFT   0.105
#define PLOT_RIGHT  0.885
#define PLOT_BOTTOM 0.17
/* Of the height of the curve's part: the strip below it, and a full bar. */
#define STRIP 0.42
#define FULL  0.27

struct level_picture {
    const struct level_course *course;
    enum level_scale scale;
    double low, high;         /* of the curve's part */
    double bottom;            /* of the strip */
    double left, right, half; /* of the axis; of a bar */
};

static double height(const struct level_picture *p)
{
    return p->high - p->low;
}

static double at(const struct level_picture *p, size_t i)
{
    return level_course_at(&p->course->point[i], p->scale);
}

static struct level_picture measure(const struct level_course *c)
{
    struct level_picture p = {
        .course = c, .scale = level_course_scale(c), .low = INFINITY, .high = -INFINITY};
    double air, closest = INFINITY;

    for (size_t i = 0; i < c->count; i++) {
        const struct level_point *q = &c->point[i];
        p.low = fmin(p.low, fmin(q->mean, q->p10));
        p.high = fmax(p.high, fmax(q->mean, q->p90));
        if (i > 0)
            closest = fmin(closest, at(&p, i) - at(&p, i - 1));
    }
    air = p.high > p.low ? 0.08 * height(&p) : fmax(1.0, 0.05 * fabs(p.high));
    p.low -= p.low > 0.0 ? fmin(air, p.low) : air;
    p.high += air;
    p.bottom = p.low - STRIP * height(&p);
    p.half = 0.36 * closest;
    p.left = at(&p, 0) - 1.4 * p.half;
    p.right = at(&p, c->count - 1) + 1.4 * p.half;
    return p;
}

static void add_data(struct chart_script *s, const struct level_picture *p, const char *strategy)
{
    static const char *const columns[] = {"level",    "signed", "cost_mean", "cost_p10",
                                          "cost_p90", "unused", "strategy"};

    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < p->course->count; i++) {
        const struct level_point *q = &p->course->point[i];
        csv_put_number(&s->csv, q->level);
        csv_put_number(&s->csv, at(p, i));
        csv_put_number(&s->csv, q->mean);
        csv_put_number(&s->csv, q->p10);
        csv_put_number(&s->csv, q->p90);
        csv_put_number(&s->csv, q->unused);
        chart_script_put_name(s, strategy);
        chart_script_row_end(s);
    }
}

static void add_curves(struct chart_script *s, const struct level_picture *p)
{
    const size_t last = p->course->count - 1;

    chart_script_plot(s, 0, last, "using 2:4:5 with filledcurves lc rgb BLUE_L notitle");
    chart_script_plot(s, 0, last,
                      "using 2:3 with linespoints lw 5*W pt 7 ps 1.3*P lc rgb BLUE notitle");
    chart_script_plot(s, 0, last,
                      "using 2:(%.10g):($2-%.10g):($2+%.10g):(%.10g):(%.10g+%.10g*$6) with "
                      "boxxyerror lc rgb ORANGE_L notitle",
                      p->bottom, p->half, p->half, p->bottom, p->bottom, FULL * height(p));
}

/* "0 %", "< 1 %", "38 %" */
static struct figure percent(double share)
{
    struct figure f = {"0 %"};

    return share > 0.0 ? figure_share(share, 1e6) : f;
}

/* The unused share over each bar, as many as there is room for. */
static void add_shares(struct chart_script *s, const struct level_picture *p)
{
    const double em = 18.0 / 1200.0 / (PLOT_RIGHT - PLOT_LEFT) * (p->right - p->left);
    double free_from = -INFINITY;

    for (size_t i = 0; i < p->course->count; i++) {
        const struct level_point *q = &p->course->point[i];
        struct figure share;
        if (!isfinite(q->unused) || at(p, i) < free_from)
            continue;
        share = percent(q->unused);
        chart_script_label(s, &(struct chart_label){.text = share.text,
                                                    .x = at(p, i),
                                                    .y = p->bottom + FULL * height(p) * q->unused,
                                                    .x_in = "first",
                                                    .y_in = "first",
                                                    .align = CHART_CENTRE,
                                                    .size = 18,
                                                    .dy = 0.5});
        free_from = at(p, i) + 3.2 * em;
    }
    chart_script_label(s, &(struct chart_label){.text = "Share of them that goes unused",
                                                .x = PLOT_LEFT,
                                                .y = p->bottom + 1.12 * FULL * height(p),
                                                .y_in = "first",
                                                .size = 19});
}

/* Names at the right end, those apart by a line's height. */
static void add_names(struct chart_script *s, const struct level_picture *p)
{
    const struct level_point *q = &p->course->point[p->course->count - 1];
    const double apart = 0.06 * (p->high - p->bottom);
    const struct {
        const char *name;
        double y;
        bool bold;
    } ends[] = {{"Mean", q->mean, true}, {"P90", q->p90, false}, {"P10", q->p10, false}};

    for (size_t i = 0; i < 3; i++) {
        double y = ends[i].y;
        if (i > 0 && (!isfinite(y) || fabs(y - q->mean) < apart))
            continue;
        chart_script_label(s, &(struct chart_label){.text = ends[i].name,
                                                    .x = PLOT_RIGHT + 0.008,
                                                    .y = y,
                                                    .y_in = "first",
                                                    .bold = ends[i].bold,
                                                    .colour = ends[i].bold ? "BLUE" : NULL});
    }
}

static void add_signed(struct chart_script *s, const struct level_picture *p, const char *currency)
{
    const struct level_point *q = &p->course->point[p->course->as_signed];
    const double x = at(p, p->course->as_signed), place = (x - p->left) / (p->right - p->left);
    char name[96];

    if (p->scale == LEVEL_PERCENT)
        snprintf(name, sizeof name, "As signed");
    else
        snprintf(name, sizeof name, "Signed: %.60s",
                 level_course_words(q, p->scale, currency).text);
    chart_script_line(s, &(struct chart_line){.x1 = x,
                                              .x2 = x,
                                              .y1 = p->low,
                                              .y2 = p->high,
                                              .x_in = "first",
                                              .y_in = "first",
                                              .colour = CHART_INK,
                                              .dash = "(12,7)"});
    chart_script_label(s, &(struct chart_label){.text = name,
                                                .x = x,
                                                .y = 1.05,
                                                .x_in = "first",
                                                .y_in = "graph",
                                                .align = place > 0.8   ? CHART_RIGHT
                                                         : place < 0.2 ? CHART_LEFT
                                                                       : CHART_CENTRE,
                                                .bold = true,
                                                .colour = CHART_INK});
}

static void add_least(struct chart_script *s, const struct level_picture *p, const char *currency)
{
    const struct level_point *q = &p->course->point[p->course->least];
    const double x = at(p, p->course->least), place = (x - p->left) / (p->right - p->left);
    const bool on_line = p->course->least == p->course->as_signed;
    char text[96];

    snprintf(text, sizeof text, "Least mean: %.60s",
             figure_money(q->mean, currency, FIGURE_NEAREST).text);
    /* Beside the line of what is signed, not on it. */
    chart_script_label(s, &(struct chart_label){.text = text,
                                                .x = x,
                                                .y = q->mean,
                                                .x_in = "first",
                                                .y_in = "first",
                                                .align = place > 0.7               ? CHART_RIGHT
                                                         : place < 0.25 || on_line ? CHART_LEFT
                                                                                   : CHART_CENTRE,
                                                .bold = true,
                                                .colour = CHART_INK,
                                                .dx = !on_line      ? 0.0
                                                      : place > 0.7 ? -0.8
                                                                    : 0.8,
                                                .dy = -1.0});
}

static void add_axes(struct chart_script *s, const struct level_picture *p, const char *currency)
{
    struct ticks ticks;

    chart_script_margins(s, PLOT_LEFT, PLOT_RIGHT, PLOT_BOTTOM, s->top - 0.03);
    chart_script_ranges(s, p->left, p->right, p->bottom, p->high);
    ticks_money(&ticks, p->low, p->high, 5, currency);
    chart_script_ticks(s, "y", &ticks);
    if (p->scale == LEVEL_INSTANCES)
        ticks_whole(&ticks, p->left, p->right, 11);
    else if (p->scale == LEVEL_HOURLY)
        ticks_money(&ticks, p->left, p->right, 9, currency);
    else
        ticks_plain(&ticks, p->left, p->right, 9);
    chart_script_ticks(s, "x", &ticks);
    chart_axis_name(s, PLOT_LEFT, PLOT_RIGHT,
                    p->scale == LEVEL_INSTANCES ? "Instances reserved"
                    : p->scale == LEVEL_HOURLY  ? "Savings plan commitment an hour"
                                                : "Commitments, % of what is signed");
}

/* The subject, else the first strategy, whose levels are known; -1: none. others: how many more
 * have any. */
static bool choose(const struct chart_context *c, struct level_course *course, int *strategy,
                   size_t *others)
{
    const struct study_facts *f = c->facts;
    const char *metric = f->frame->cost_metric;

    *strategy = -1;
    *others = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (!level_course_read(course, c->tables->levels, f->strategy[i].name, metric,
                               c->diagnostics))
            return false;
        if (course->count > 1 && course->known) {
            *others += *strategy >= 0;
            *strategy = *strategy < 0 || (int)i == f->subject ? (int)i : *strategy;
        }
    }
    return *strategy < 0 || level_course_read(course, c->tables->levels,
                                              f->strategy[*strategy].name, metric, c->diagnostics);
}

static void begin(struct chart_script *s, const struct chart_context *c, int strategy,
                  size_t others, const struct level_course *course)
{
    struct text title, subtitle, name;

    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    text_init(&name, 2048);
    facts_name(&name, c->facts, (size_t)strategy, 24.0, false);
    title_levels(&title, c->facts, strategy, course);
    text_format(&subtitle,
                "%s: cost against the size of its commitments, with the usage of what is signed; "
                "mean and P10 to P90 of %s future%s",
                name.data, figure_count(course->point[0].worlds).text,
                course->point[0].worlds == 1.0 ? "" : "s");
    if (others > 0)
        text_format(&subtitle, "; %zu more strateg%s in commitment_levels.csv", others,
                    others == 1 ? "y is" : "ies are");
    chart_begin(s, c, c->shown.of, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    text_release(&name);
}

enum chart_result chart_levels(struct chart_script *s, const struct chart_context *c)
{
    const char *currency = c->facts->frame->currency;
    struct level_course *course;
    struct level_picture p;
    size_t others;
    int strategy;

    if (c->tables->levels == NULL)
        return CHART_NOTHING;
    course = arena_alloc(c->arena, sizeof *course);
    if (course == NULL) {
        diagnostics_add(c->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0},
                        "out of memory for charts");
        return CHART_BROKEN;
    }
    if (!choose(c, course, &strategy, &others))
        return CHART_BROKEN;
    if (strategy < 0)
        return CHART_NOTHING;
    p = measure(course);
    begin(s, c, strategy, others, course);
    add_axes(s, &p, currency);
    add_data(s, &p, c->facts->strategy[strategy].name);
    add_curves(s, &p);
    add_shares(s, &p);
    add_names(s, &p);
    add_signed(s, &p, currency);
    add_least(s, &p, currency);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
