/* SPDX-License-Identifier: GPL-3.0-or-later
 * Of many jobs only the first of each workload are drawn. The data file is sorted by kind, so that
 * each kind is one element of the plot. */
#include "plots/charts/chart_gantt.h"

#include "plots/facts/table_columns.h"
#include "plots/sentences/title_gantt.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROWS_MAX      90
#define WORKLOADS_MAX 24
#define MARK          0.003 /* breadth of a mark, in shares of the axis */

enum bar_kind {
    BAR_WAIT,
    BAR_ON_DEMAND,
    BAR_SPOT,
    BAR_HELD,    /* bought beforehand */
    BAR_STOPPED, /* the end of a trial that was given up */
    BAR_LOST,    /* the end of an attempt that lost nodes */
    BAR_KINDS
};

enum { STRATEGY, WORKLOAD, JOB, ROW, SUBMITTED, STARTED, ENDED, PURCHASE, OUTCOME, COLUMNS };

struct gantt_group {
    const char *workload;
    size_t jobs, shown, done;
    double top, row; /* where its rows begin, and how high each is; the page is 1 high */
    double end_s;
};

struct gantt_page {
    const struct table *t;
    int column[COLUMNS];
    const char *strategy;
    int index; /* of the strategy */
    struct gantt_group group[WORKLOADS_MAX];
    size_t groups, jobs, lost;
    double end_s;   /* of all jobs */
    double shown_s; /* of those that are drawn */
    double high;
    enum time_unit unit;
    bool has[BAR_KINDS], others;
};

static bool find_columns(struct gantt_page *p, struct diagnostics *d)
{
    static const char *const names[COLUMNS] = {"strategy", "workload",    "job",
                                               "row",      "submitted_s", "started_s",
                                               "ended_s",  "purchase",    "outcome"};
    return table_columns_needed(p->column, p->t, names, COLUMNS, d);
}

static const char *text_at(const struct gantt_page *p, size_t row, int column)
{
    return table_text(p->t, row, (size_t)p->column[column]);
}

static double number_at(const struct gantt_page *p, size_t row, int column)
{
    return table_number(p->t, row, (size_t)p->column[column]);
}

static bool is_job(const struct gantt_page *p, size_t row)
{
    return strcmp(text_at(p, row, ROW), "job") == 0;
}

static bool is_ours(const struct gantt_page *p, size_t row)
{
    return strcmp(text_at(p, row, STRATEGY), p->strategy) == 0;
}

/* Rows of a workload stand together. */
static void gather(struct gantt_page *p)
{
    for (size_t row = 0; row < table_rows(p->t); row++) {
        const char *workload = text_at(p, row, WORKLOAD), *outcome = text_at(p, row, OUTCOME);
        if (!is_ours(p, row))
            continue;
        if (!is_job(p, row)) {
            p->lost += strcmp(outcome, "lost") == 0;
            continue;
        }
        struct gantt_group *g = p->groups == 0 ? NULL : &p->group[p->groups - 1];
        if (g == NULL || strcmp(g->workload, workload) != 0) {
            if (p->groups == WORKLOADS_MAX) {
                p->others = true;
                continue;
            }
            g = &p->group[p->groups++];
            g->workload = workload;
        }
        g->jobs++;
        g->done += strcmp(outcome, "finished") == 0 || strcmp(outcome, "stopped") == 0;
        g->end_s = fmax(g->end_s, number_at(p, row, ENDED));
        p->jobs++;
        p->end_s = fmax(p->end_s, number_at(p, row, ENDED));
    }
}

/* How many rows each workload gets, and where they stand: each has room for its name, what is left
 * is shared by those with many jobs. */
static void place(struct gantt_page *p)
{
    const double least = fmin(0.075, 0.9 / (double)p->groups);
    double y = 0.01, more = 0.0;

    for (size_t i = 0; i < p->groups; i++) {
        struct gantt_group *g = &p->group[i];
        g->shown = p->jobs <= ROWS_MAX ? g->jobs : g->jobs * ROWS_MAX / p->jobs;
        g->shown = g->shown == 0 ? 1 : g->shown;
        p->others = p->others || g->shown < g->jobs;
        more += (double)(g->shown - 1);
    }
    for (size_t i = 0; i < p->groups; i++) {
        struct gantt_group *g = &p->group[i];
        double rest = 0.98 - least * (double)p->groups;
        double share = more > 0.0 ? (double)(g->shown - 1) / more : 1.0 / (double)p->groups;
        double height = least + rest * share;
        g->row = fmin(0.12, (height - 0.02) / (double)g->shown);
        g->top = y + 0.5 * (height - g->row * (double)g->shown);
        y += height;
    }
}

/* When the last of the jobs that are drawn ends: of many the last may be no row of the page, and
 * would leave most of it empty. */
static void find_end(struct gantt_page *p)
{
    size_t group = 0, job = 0;
    bool any = false;

    for (size_t row = 0; row < table_rows(p->t) && group < p->groups; row++) {
        if (!is_ours(p, row) || !is_job(p, row))
            continue;
        if (any && strcmp(p->group[group].workload, text_at(p, row, WORKLOAD)) != 0) {
            group++;
            job = 0;
        } else if (any) {
            job++;
        }
        any = true;
        if (group < p->groups && job < p->group[group].shown)
            p->shown_s = fmax(p->shown_s, number_at(p, row, ENDED));
    }
}

static enum bar_kind kind_of(const char *purchase)
{
    return strcmp(purchase, "spot") == 0        ? BAR_SPOT
           : strcmp(purchase, "on-demand") == 0 ? BAR_ON_DEMAND
                                                : BAR_HELD;
}

static void put_bar(struct chart_script *s, const struct gantt_page *p, double from_s, double to_s,
                    double y, double half, const char *what, const char *workload)
{
    csv_put_number(&s->csv, figure_time_in(from_s / 3600.0, p->unit));
    csv_put_number(&s->csv, figure_time_in(to_s / 3600.0, p->unit));
    csv_put_number(&s->csv, y - half);
    csv_put_number(&s->csv, y + half);
    csv_put_text(&s->csv, what);
    chart_script_put_name(s, workload);
    chart_script_row_end(s);
}

static const char *const kind_names[BAR_KINDS] = {"waits",       "on-demand", "spot",
                                                  "held before", "stopped",   "lost"};

/* What of this attempt is of this kind. */
static void put_attempt(struct chart_script *s, struct gantt_page *p, size_t row, double y,
                        double high, enum bar_kind kind, const char *workload)
{
    double submitted_s = number_at(p, row, SUBMITTED), started_s = number_at(p, row, STARTED);
    double ended_s = number_at(p, row, ENDED);
    bool ran = isfinite(started_s);
    const char *outcome = text_at(p, row, OUTCOME);

    if (kind == BAR_WAIT) {
        double until_s = ran ? started_s : ended_s;
        if (until_s > submitted_s)
            put_bar(s, p, submitted_s, until_s, y, fmin(0.06 * high, 0.003), kind_names[kind],
                    workload);
    } else if (kind == BAR_LOST || kind == BAR_STOPPED) {
        if (ran && strcmp(outcome, kind == BAR_LOST ? "lost" : "stopped") == 0)
            put_bar(s, p, ended_s, ended_s, y, 0.4 * high, kind_names[kind], workload);
    } else if (ran && kind_of(text_at(p, row, PURCHASE)) == kind) {
        put_bar(s, p, started_s, ended_s, y, 0.4 * high, kind_names[kind], workload);
    }
}

static void add_kind(struct chart_script *s, struct gantt_page *p, enum bar_kind kind)
{
    static const char *const colours[BAR_KINDS] = {"GREY",    "BLUE", "ORANGE_L",
                                                   "GREEN_L", "INK",  "RED"};
    size_t first = s->rows, group = 0, job = 0;
    bool any = false, shown = false;

    for (size_t row = 0; row < table_rows(p->t); row++) {
        if (!is_ours(p, row))
            continue;
        if (is_job(p, row)) {
            const char *workload = text_at(p, row, WORKLOAD);
            if (any && strcmp(p->group[group].workload, workload) != 0) {
                group++;
                job = 0;
            } else if (any) {
                job++;
            }
            any = true;
            if (group == p->groups)
                break;
            shown = job < p->group[group].shown;
        } else if (shown) {
            const struct gantt_group *g = &p->group[group];
            put_attempt(s, p, row, g->top + ((double)job + 0.5) * g->row, g->row, kind,
                        g->workload);
        }
    }
    p->has[kind] = s->rows > first;
    if (!p->has[kind])
        return;
    if (kind == BAR_LOST || kind == BAR_STOPPED)
        chart_script_plot(s, first, s->rows - 1,
                          "using 1:3:($1-%.8g):1:3:4 with boxxyerror lc rgb %s notitle",
                          MARK * p->high, colours[kind]);
    else
        chart_script_plot(s, first, s->rows - 1,
                          "using 1:3:1:2:3:4 with boxxyerror lc rgb %s notitle", colours[kind]);
}

static void add_key(struct chart_script *s, const struct gantt_page *p, double x, double y)
{
    static const struct {
        const char *name, *box, *text;
    } keys[BAR_KINDS] = {
        {"waits", "GREY", CHART_MUTE},        {"on-demand", "BLUE", "BLUE"},
        {"spot", "ORANGE_L", "ORANGE"},       {"block or owned", "GREEN_L", "GREEN"},
        {"given up early", "INK", CHART_INK}, {"lost nodes", "RED", CHART_RED}};

    for (int i = 0; i < BAR_KINDS; i++) {
        if (!p->has[i])
            continue;
        if (i == BAR_WAIT)
            chart_script_box(s, x, y - 0.003, x + 0.014, y + 0.002, "screen", keys[i].box);
        else if (i == BAR_STOPPED || i == BAR_LOST)
            chart_script_box(s, x + 0.005, y - 0.014, x + 0.009, y + 0.012, "screen", keys[i].box);
        else
            chart_script_box(s, x, y - 0.014, x + 0.014, y + 0.012, "screen", keys[i].box);
        chart_script_label(s, &(struct chart_label){.text = keys[i].name,
                                                    .x = x + 0.019,
                                                    .y = y,
                                                    .size = 18,
                                                    .colour = keys[i].text,
                                                    .word = true});
        x += 0.019 + 0.018 + label_width(keys[i].name, false) * 18.0 / 1200.0;
    }
}

/* The workload's name in the middle of its rows, with the number of jobs where they are many. */
static void add_names(struct chart_script *s, const struct gantt_page *p, double left)
{
    for (size_t i = 0; i < p->groups; i++) {
        const struct gantt_group *g = &p->group[i];
        struct text name;
        char count[64] = "";
        double middle = g->top + 0.5 * g->row * (double)g->shown;
        bool two = g->jobs > 1 && g->row * (double)g->shown > 0.1;

        text_init(&name, 512);
        label_shorten(&name, g->workload, (left - 0.045) * 1200.0 / 20.0, false);
        if (g->shown < g->jobs)
            snprintf(count, sizeof count, "first %zu of %s", g->shown,
                     figure_count((double)g->jobs).text);
        else if (g->jobs > 1)
            snprintf(count, sizeof count, "%zu jobs", g->jobs);
        chart_script_label(s, &(struct chart_label){.text = name.data,
                                                    .name = true,
                                                    .x = left - 0.012,
                                                    .y = middle,
                                                    .y_in = "first",
                                                    .align = CHART_RIGHT,
                                                    .size = 20,
                                                    .colour = CHART_INK,
                                                    .dy = two ? 0.5 : 0.0});
        if (two)
            chart_script_label(s, &(struct chart_label){.text = count,
                                                        .x = left - 0.012,
                                                        .y = middle,
                                                        .y_in = "first",
                                                        .align = CHART_RIGHT,
                                                        .size = 17,
                                                        .dy = -0.7});
        text_release(&name);
    }
}

/* The strategy that the titles speak of; else the baseline, else the first that is shown. */
static int subject(const struct chart_context *c)
{
    return c->facts->subject >= 0    ? c->facts->subject
           : c->facts->baseline >= 0 ? c->facts->baseline
           : c->shown.count > 0      ? (int)c->shown.index[0]
                                     : -1;
}

static void measure(struct gantt_page *p, const struct chart_context *c, double *deadline_h)
{
    const struct chart_frame *frame = c->facts->frame;
    double end_h = p->shown_s / 3600.0;

    *deadline_h = (double)NAN; /* the last of all */
    for (size_t i = 0; i < frame->deadline_count; i++)
        *deadline_h = fmax(*deadline_h, frame->deadlines[i].hours);
    /* Beside a part of the jobs it would look as if the others were in time. */
    if (!p->others && isfinite(*deadline_h) && *deadline_h < 1.6 * end_h)
        end_h = fmax(end_h, *deadline_h);
    if (*deadline_h > end_h)
        *deadline_h = (double)NAN;
    p->unit = figure_time_unit(end_h);
    p->high = 1.02 * figure_time_in(end_h, p->unit);
}

static void begin(struct chart_script *s, const struct chart_context *c, const struct gantt_page *p)
{
    struct title_gantt of = {.jobs = p->jobs, .lost = p->lost, .end_h = p->end_s / 3600.0};
    struct text title, subtitle;
    double last_s = -1.0;

    for (size_t i = 0; i < p->groups; i++) {
        of.done += p->group[i].done;
        if (p->group[i].end_s > last_s) {
            last_s = p->group[i].end_s;
            of.last = p->group[i].workload;
        }
    }
    if (p->groups < 2)
        of.last = NULL;
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_gantt(&title, c->facts, p->index, &of);
    text_format(&subtitle,
                "Each row a job, in the order in which they came, in the future whose cost is "
                "nearest to its P50; from %s, UTC",
                ticks_date_words(c->facts->frame->start_unix_s, true).text);
    if (p->others)
        text_add(&subtitle, p->shown_s < p->end_s
                                ? "; not all jobs are drawn, and the axis ends with those that are"
                                : "; not all jobs are drawn");
    chart_begin(s, c, c->shown.of, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

enum chart_result chart_gantt(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"start", "end", "top", "bottom", "what", "workload"};
    struct gantt_page *p = arena_alloc(c->arena, sizeof *p);
    struct ticks ticks;
    double deadline_h, left = 0.2;
    char name[64];

    if (p == NULL)
        return CHART_BROKEN;
    memset(p, 0, sizeof *p);
    p->t = c->tables->jobs;
    p->index = subject(c);
    if (p->t == NULL || p->index < 0)
        return CHART_NOTHING;
    p->strategy = c->facts->strategy[p->index].name;
    if (!find_columns(p, c->diagnostics))
        return CHART_BROKEN;
    gather(p);
    if (p->jobs < 2 || !(p->end_s > 0.0))
        return CHART_NOTHING;
    place(p);
    find_end(p);
    if (!(p->shown_s > 0.0))
        return CHART_NOTHING;
    measure(p, c, &deadline_h);
    begin(s, c, p);
    chart_script_margins(s, left, 0.955, 0.17, s->top - 0.05);
    chart_script_ranges(s, 0.0, p->high, 1.0, 0.0);
    ticks_plain(&ticks, 0.0, p->high, 8);
    chart_script_ticks(s, "x", &ticks);
    chart_script_add(s, "unset ytics\nset grid noytics xtics lc rgb GRID lw 1.5*W lt 1\n");
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (int kind = 0; kind < BAR_KINDS; kind++)
        add_kind(s, p, (enum bar_kind)kind);
    add_key(s, p, left, s->top + 0.0);
    add_names(s, p, left);
    if (isfinite(deadline_h))
        chart_limit_x(s, 0.0, p->high, figure_time_in(deadline_h, p->unit), "Deadline");
    snprintf(name, sizeof name, "Time since the start, %s",
             p->unit == TIME_MINUTES ? "minutes"
             : p->unit == TIME_HOURS ? "hours"
                                     : "days");
    chart_axis_name(s, left, 0.955, name);
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
