/* SPDX-License-Identifier: GPL-3.0-or-later
 * Of the subject, else of the first strategy shown: one that can be read instead of six that
 * cannot. */
#include "plots/charts/chart_week.h"

#include "plots/facts/table_columns.h"
#include "plots/sentences/title_service.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PLOT_LEFT   0.105
#define PLOT_RIGHT  0.83
#define PLOT_BOTTOM 0.17
#define KEY_LEFT    0.875
#define KEY_RIGHT   0.895

struct week {
    double spend[TITLE_WEEK_HOURS];
    double hours; /* over which is averaged, of all */
    double all;   /* inside the horizon */
    double low, high;
};

/* False, told, without its columns. */
static bool read_week(struct week *w, const struct chart_context *c, const char *strategy)
{
    const struct table *t = c->tables->hour_of_week;
    char spend_name[64];
    const char *suffix = strrchr(c->facts->frame->cost_metric, '_');
    snprintf(spend_name, sizeof spend_name, "spend_mean%s", suffix == NULL ? "" : suffix);
    enum { OF, HOUR, HOURS, SPEND, COLUMNS };
    const char *const names[COLUMNS] = {"strategy", "hour_of_week", "hours", spend_name};
    int at[COLUMNS];

    /* A job that is over would make its hours cheap: only those from the first node to the last
     * count. Tables of before do not say which those are. */
    const int used_hours = table_find(t, "hours_used");
    *w = (struct week){.low = INFINITY, .high = -INFINITY};
    for (size_t k = 0; k < TITLE_WEEK_HOURS; k++)
        w->spend[k] = (double)NAN;
    if (!table_columns_needed(at, t, names, COLUMNS, c->diagnostics))
        return false;
    for (size_t row = 0; row < table_rows(t); row++) {
        const double k = table_number(t, row, (size_t)at[HOUR]);
        const double hours = fmax(0.0, table_number(t, row, (size_t)at[HOURS]));
        const double told = table_known(t, row, used_hours);
        const double used = isfinite(told) ? told : hours;
        /* NaN without any such hour. */
        const double x =
            table_number(t, row, (size_t)at[SPEND]) * (used > 0.0 ? hours / used : (double)NAN);
        if (strcmp(table_text(t, row, (size_t)at[OF]), strategy) != 0 || !(k >= 0.0) ||
            !(k < TITLE_WEEK_HOURS))
            continue;
        w->all += hours;
        if (!isfinite(x))
            continue;
        w->spend[(size_t)k] = x;
        w->hours += used;
        w->low = fmin(w->low, x);
        w->high = fmax(w->high, x);
    }
    return true;
}

/* A white zero, and blue for most: lightness alone tells, so that it also reads in grey. */
static void add_cells(struct chart_script *s, const struct week *w)
{
    chart_script_add(s,
                     "set palette defined (0 '#F4F7FA', 0.5 '#7FB2D9', 1 '#0B4F86')\n"
                     "set cbrange [0:%.10g]\nunset colorbox\n",
                     w->high);
    for (size_t k = 0; k < TITLE_WEEK_HOURS; k++) {
        csv_put_integer(&s->csv, (int64_t)(k / 24));
        csv_put_integer(&s->csv, (int64_t)(k % 24));
        csv_put_number(&s->csv, w->spend[k]);
        chart_script_row_end(s);
    }
    chart_script_plot(s, 0, s->rows - 1,
                      "using ($2+0.5):($1+0.5):($2+0.02):($2+0.98):($1+0.03):($1+0.97):3 with "
                      "boxxyerror fs solid 1.0 noborder lc palette notitle");
}

static void add_axes(struct chart_script *s)
{
    static const char *const days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    struct ticks t = {0};

    for (int h = 0; h <= 24; h += 3) {
        t.tick[t.count].at = h;
        snprintf(t.tick[t.count++].label, sizeof t.tick[0].label, "%d:00", h);
    }
    chart_script_ticks(s, "x", &t);
    t.count = 0;
    for (size_t d = 0; d < 7; d++) {
        t.tick[t.count].at = (double)d + 0.5;
        snprintf(t.tick[t.count++].label, sizeof t.tick[0].label, "%s", days[d]);
    }
    chart_script_ticks(s, "y", &t);
}

/* Shades from nothing to the most, and what they mean. */
static void add_key(struct chart_script *s, const struct chart_context *c, const struct week *w)
{
    enum { STEPS = 40 };
    const double low = PLOT_BOTTOM, high = s->top - 0.05;
    static const double shades[3][3] = {{244, 247, 250}, {127, 178, 217}, {11, 79, 134}};

    for (int i = 0; i < STEPS; i++) {
        double at = (i + 0.5) / STEPS * 2.0;
        int k = at < 1.0 ? 0 : 1;
        double part = at - k;
        char colour[16];
        snprintf(colour, sizeof colour, "'#%02X%02X%02X'",
                 (unsigned)(shades[k][0] + part * (shades[k + 1][0] - shades[k][0])),
                 (unsigned)(shades[k][1] + part * (shades[k + 1][1] - shades[k][1])),
                 (unsigned)(shades[k][2] + part * (shades[k + 1][2] - shades[k][2])));
        chart_script_box(s, KEY_LEFT, low + (high - low) * i / STEPS, KEY_RIGHT,
                         low + (high - low) * (i + 1) / STEPS, "screen", colour);
    }
    for (int i = 0; i <= 2; i++) {
        struct figure at =
            figure_money(0.5 * i * w->high, c->facts->frame->currency, FIGURE_NEAREST);
        chart_script_label(s, &(struct chart_label){.text = at.text,
                                                    .x = KEY_RIGHT + 0.008,
                                                    .y = low + 0.5 * i * (high - low),
                                                    .size = 19});
    }
}

enum chart_result chart_week(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"day_from_monday", "hour", "spend_mean"};
    struct week w;
    struct text title, subtitle;

    if (c->tables->hour_of_week == NULL || table_rows(c->tables->hour_of_week) == 0 ||
        c->shown.count == 0)
        return CHART_NOTHING;
    const size_t strategy = c->facts->subject >= 0 ? (size_t)c->facts->subject : c->shown.index[0];
    if (!read_week(&w, c, c->facts->strategy[strategy].name))
        return CHART_BROKEN;
    /* One Tuesday alone says nothing of Tuesdays. */
    if (!(w.high > 0.0) || (w.hours < w.all && w.hours < 2.0 * TITLE_WEEK_HOURS))
        return CHART_NOTHING;
    text_init(&title, 2048);
    text_init(&subtitle, 2048);
    title_week(&title, c->facts, strategy, w.spend);
    text_add(&subtitle, "What nodes of ");
    facts_name(&subtitle, c->facts, strategy, 24.0, false);
    if (w.hours < w.all)
        text_format(&subtitle,
                    " are charged an hour, mean over the %.3g of %.3g weeks from its first node to "
                    "its last in the plan world, before commitments; UTC",
                    w.hours / TITLE_WEEK_HOURS, w.all / TITLE_WEEK_HOURS);
    else
        text_format(&subtitle,
                    " are charged an hour, mean over %.3g weeks of the plan world, before "
                    "commitments; UTC",
                    w.hours / TITLE_WEEK_HOURS);
    chart_begin(s, c, c->shown.of, title.data, subtitle.data);
    text_release(&title);
    text_release(&subtitle);
    chart_script_margins(s, PLOT_LEFT, PLOT_RIGHT, PLOT_BOTTOM, s->top - 0.015);
    chart_script_ranges(s, 0.0, 24.0, 0.0, 7.0);
    chart_script_add(s, "set yrange [7:0]\nunset grid\nunset border\n");
    add_axes(s);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    add_cells(s, &w);
    add_key(s, c, &w);
    chart_axis_name(s, PLOT_LEFT, PLOT_RIGHT, "Hour of the day, UTC");
    chart_script_plot_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
