/* SPDX-License-Identifier: GPL-3.0-or-later
 * Steps: a bucket holds means, so its corners are true. */
#include "plots/charts/chart_utilisation.h"

#include "plots/charts/chart_panels.h"
#include "plots/charts/service_panels.h"
#include "plots/facts/table_columns.h"
#include "plots/sentences/title_utilisation.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WAITS 0.5 /* jobs on average: from so many on some wait in a bucket */

enum { STRATEGY, WORKLOAD, START, END, CAPACITY, HELD, BUSY, OVERFLOW, WAITING, COLUMNS };

/* One queue of one strategy; arrays in the arena. */
struct use_course {
    size_t count;
    double *value[COLUMNS]; /* from START on */
    double end_s;           /* of the last bucket with anything in it */
    double capacity, used, waiting, most_waiting;
};

struct use_page {
    const struct table *t;
    int column[COLUMNS];
    const char *workload;
    size_t others; /* further queues */
    struct chart_shown shown;
    struct use_course course[CHART_PANELS_MAX];
};

static bool find_columns(struct use_page *p, struct diagnostics *d)
{
    static const char *const names[COLUMNS] = {
        "strategy",       "workload",        "start_s",         "end_s",
        "capacity_nodes", "base_held_nodes", "base_busy_nodes", "overflow_busy_nodes",
        "waiting_jobs"};
    return table_columns_needed(p->column, p->t, names, COLUMNS, d);
}

static const char *text_at(const struct use_page *p, size_t row, int column)
{
    return table_text(p->t, row, (size_t)p->column[column]);
}

static double number_at(const struct use_page *p, size_t row, int column)
{
    const size_t at = (size_t)p->column[column];
    double x = table_column(p->t, at)->kind == COLUMN_INTEGER ? (double)table_integer(p->t, row, at)
                                                              : table_number(p->t, row, at);
    return isfinite(x) && x > 0.0 ? x : 0.0;
}

static void choose_workload(struct use_page *p)
{
    const char *last = NULL;

    for (size_t row = 0; row < table_rows(p->t); row++) {
        const char *workload = text_at(p, row, WORKLOAD);
        if (p->workload == NULL)
            p->workload = workload;
        if (last == NULL || strcmp(last, workload) != 0)
            p->others += strcmp(text_at(p, row, STRATEGY), text_at(p, 0, STRATEGY)) == 0 &&
                         strcmp(workload, p->workload) != 0;
        last = workload;
    }
}

static bool read_course(struct use_page *p, struct use_course *u, const char *strategy,
                        const struct chart_context *c)
{
    double **arrays[COLUMNS];
    size_t rows = 0;

    for (size_t row = 0; row < table_rows(p->t); row++)
        rows += strcmp(text_at(p, row, STRATEGY), strategy) == 0 &&
                strcmp(text_at(p, row, WORKLOAD), p->workload) == 0;
    for (int i = START; i < COLUMNS; i++)
        arrays[i] = &u->value[i];
    if (!table_arrays(arrays + START, COLUMNS - START, rows, c->arena, c->diagnostics))
        return false;
    for (size_t row = 0; row < table_rows(p->t); row++) {
        if (strcmp(text_at(p, row, STRATEGY), strategy) != 0 ||
            strcmp(text_at(p, row, WORKLOAD), p->workload) != 0)
            continue;
        for (int i = START; i < COLUMNS; i++)
            u->value[i][u->count] = number_at(p, row, i);
        u->count++;
    }
    return true;
}

/* Over the time up to the last bucket in which there is anything. */
static void sum_up(struct use_course *u)
{
    double all_s = 0.0, busy = 0.0, waiting_s = 0.0;

    for (size_t k = 0; k < u->count; k++) {
        if (u->value[HELD][k] + u->value[BUSY][k] + u->value[OVERFLOW][k] + u->value[WAITING][k] >
            0.0)
            u->end_s = u->value[END][k];
    }
    for (size_t k = 0; k < u->count && u->value[START][k] < u->end_s; k++) {
        double length_s = u->value[END][k] - u->value[START][k];
        all_s += length_s;
        busy += u->value[BUSY][k] * length_s;
        waiting_s += u->value[WAITING][k] >= WAITS ? length_s : 0.0;
        u->most_waiting = fmax(u->most_waiting, u->value[WAITING][k]);
        u->capacity = u->value[CAPACITY][k];
    }
    if (all_s > 0.0 && u->capacity > 0.0) {
        u->used = fmin(1.0, busy / (u->capacity * all_s));
        u->waiting = waiting_s / all_s;
    }
}

static double highest(const struct use_page *p)
{
    double high = 1.0;

    for (size_t i = 0; i < p->shown.count; i++) {
        const struct use_course *u = &p->course[i];
        for (size_t k = 0; k < u->count; k++)
            high = fmax(high, u->value[CAPACITY][k] + u->value[OVERFLOW][k]);
    }
    return 1.08 * high;
}

static void add_course(struct chart_script *s, const struct chart_context *c,
                       const struct use_page *p, size_t panel, double x_high_s)
{
    const struct use_course *u = &p->course[panel];
    const size_t strategy = p->shown.index[panel], first = s->rows;

    for (size_t k = 0; k < u->count && u->value[START][k] < fmin(u->end_s, x_high_s); k++) {
        for (int edge = START; edge <= END; edge++) {
            csv_put_integer(&s->csv, (int64_t)strategy + 1);
            csv_put_number(&s->csv, u->value[edge][k]);
            csv_put_number(&s->csv, u->value[BUSY][k]);
            csv_put_number(&s->csv, fmax(u->value[HELD][k], u->value[BUSY][k]));
            csv_put_number(&s->csv, u->value[CAPACITY][k]);
            csv_put_number(&s->csv, u->value[OVERFLOW][k]);
            csv_put_number(&s->csv, u->value[WAITING][k]);
            chart_script_put_name(s, c->facts->strategy[strategy].name);
            chart_script_row_end(s);
        }
    }
    if (s->rows == first)
        return;
    /* From the top down: each hides what is not its own of the one before. */
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:(0):($6>0?$5+$6:0) with filledcurves lc rgb ORANGE_L notitle");
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:(0):5 with filledcurves lc rgb '#FFFFFF' notitle");
    chart_script_plot(s, first, s->rows - 1, "using 2:(0):4 with filledcurves lc rgb GREY notitle");
    chart_script_plot(s, first, s->rows - 1, "using 2:(0):3 with filledcurves lc rgb BLUE notitle");
    chart_script_plot(s, first, s->rows - 1, "using 2:5 with lines lw 1.6*W lc rgb INK notitle");
}

/* "62 % used; up to 14 jobs wait", or without "jobs" in a narrow panel */
static void describe(const struct use_course *u, double room_em, char *out, size_t size)
{
    const struct figure used = figure_share(u->used, 1e6);
    const double most = ceil(u->most_waiting - 1e-9);

    if (most > 0.0)
        snprintf(out, size, "%s used; up to %s job%s wait%s", used.text, figure_count(most).text,
                 most > 1.0 ? "s" : "", most > 1.0 ? "" : "s");
    if (most > 0.0 && label_width(out, false) > room_em)
        snprintf(out, size, "%s used; up to %s wait", used.text, figure_count(most).text);
    if (!(most > 0.0))
        snprintf(out, size, "%s used; no job waits", used.text);
}

static void begin(struct chart_script *s, const struct chart_context *c, const struct use_page *p,
                  const struct chart_panel_ends *ends)
{
    const struct chart_frame *frame = c->facts->frame;
    const size_t panel = chart_shown_titled(c, &p->shown);
    struct text title, subtitle;

    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    const struct use_course *u = &p->course[panel];
    title_utilisation(&title, c->facts, (int)p->shown.index[panel],
                      &(struct title_utilisation){u->capacity, u->used, u->waiting});
    text_add(&subtitle, "Nodes for the jobs of '");
    label_shorten(&subtitle, p->workload, 24.0, false);
    text_format(&subtitle, "' in the plan world of each strategy; from %s, UTC",
                ticks_date_words(frame->start_unix_s, true).text);
    if (p->others > 0)
        text_format(&subtitle, "; one of %zu queues", p->others + 1);
    chart_panels_say_ends(&subtitle, ends);
    chart_begin(s, c, p->shown.count, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
}

static enum chart_result read_page(struct use_page *p, const struct chart_context *c,
                                   double end_s[CHART_PANELS_MAX])
{
    bool any = false;

    p->t = c->tables->utilisation;
    if (p->t == NULL || table_rows(p->t) == 0)
        return CHART_NOTHING;
    if (!find_columns(p, c->diagnostics))
        return CHART_BROKEN;
    choose_workload(p);
    p->shown = chart_shown_pick(c->facts, CHART_PANELS_MAX);
    for (size_t i = 0; i < p->shown.count; i++) {
        struct use_course *u = &p->course[i];
        if (!read_course(p, u, c->facts->strategy[p->shown.index[i]].name, c))
            return CHART_BROKEN;
        sum_up(u);
        end_s[i] = u->end_s;
        any = any || u->end_s > 0.0;
    }
    return any ? CHART_DRAWN : CHART_NOTHING;
}

static bool overflows(const struct use_page *p)
{
    bool any = false;

    for (size_t i = 0; i < p->shown.count; i++) {
        for (size_t k = 0; k < p->course[i].count; k++)
            any = any || p->course[i].value[OVERFLOW][k] > 0.0;
    }
    return any;
}

enum chart_result chart_utilisation(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "time_s",         "busy_nodes",
                                          "held_nodes",      "capacity_nodes", "overflow_nodes",
                                          "waiting_jobs",    "strategy"};
    static const struct service_panels_key keys[] = {{"With jobs", "BLUE", "BLUE", 0.127},
                                                     {"Held, idle", "GREY", CHART_MUTE, 0.258},
                                                     {"Overflow", "ORANGE_L", "ORANGE", 0.392}};
    struct use_page *p = arena_array(c->arena, 1, sizeof *p);
    double end_s[CHART_PANELS_MAX] = {0.0};
    struct chart_panels panels;
    struct chart_panel_ends ends;
    struct ticks y_ticks;

    if (p == NULL)
        return CHART_BROKEN;
    *p = (struct use_page){0};
    enum chart_result result = read_page(p, c, end_s);
    if (result != CHART_DRAWN)
        return result;
    ends = chart_panels_ends(c->facts, &p->shown, end_s);
    begin(s, c, p, &ends);
    service_panels_keys(s, s->top + 0.05, keys, 2 + overflows(p));
    s->top -= 0.035;
    panels = chart_panels_begin(s, p->shown, ends, highest(p), false);
    ticks_plain(&y_ticks, 0.0, panels.y_high, panels.lines == 1 ? 6 : 3);
    chart_panels_fit(&panels, &y_ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t k = 0; k < p->shown.count; k++) {
        char line[160];
        /* The line is drawn smaller before it is made shorter. */
        describe(&p->course[k], 18.0 / 16.0 * chart_panels_line_em(&panels), line, sizeof line);
        chart_panels_next(s, c, &panels, k, &y_ticks, CHART_INK, line, "");
        add_course(s, c, p, k, ends.x_high_s[k]);
        chart_panels_drawn(s);
    }
    chart_panels_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
