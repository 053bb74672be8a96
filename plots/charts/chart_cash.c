/* SPDX-License-Identifier: GPL-3.0-or-later
 * A broad pale bar is what has been paid by the end of a month, the narrow dark one in front of it
 * what has been borne: either may be the longer, and both are seen. Where nobody is ever ahead or
 * behind, the chart would show one thing twice and is left out. */
#include "plots/charts/chart_cash.h"

#include "plots/charts/month_bars.h"
#include "plots/sentences/title_months.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below half a percent of all cash nobody sees a difference. */
#define SEEN 0.005

struct cash_courses {
    struct month_axis axis;
    struct month_values *cash, *amortised; /* by panel, within the month */
    struct title_cash *sums;               /* by panel */
    const struct title_cash *of[CHART_STRATEGIES_MAX];
    bool apart; /* somewhere they differ */
    double high;
};

static bool out_of_memory(const struct chart_context *c)
{
    diagnostics_add(c->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0},
                    "out of memory for charts");
    return false;
}

static void sum_up(struct cash_courses *all, size_t panel, bool means)
{
    struct title_cash *t = &all->sums[panel];
    double cash = 0.0, amortised = 0.0, apart = 0.0;

    *t = (struct title_cash){.axis = all->axis, .means = means};
    for (size_t m = 0; m < all->axis.count; m++) {
        t->cash[m] = cash += all->cash[panel].value[m];
        t->amortised[m] = amortised += all->amortised[panel].value[m];
        apart = fmax(apart, fabs(cash - amortised));
        all->high = fmax(all->high, fmax(cash, amortised));
    }
    all->apart = all->apart || apart > SEEN * fmax(cash, amortised);
}

static bool read_courses(struct cash_courses *all, const struct chart_context *c,
                         const struct chart_shown *shown)
{
    const char *metric = c->facts->frame->cost_metric;
    struct month_source cash, amortised;
    const int last = month_of_plan_end(c->facts->frame);
    bool means;

    *all = (struct cash_courses){
        .cash = arena_array(c->arena, shown->count + 1, sizeof *all->cash),
        .amortised = arena_array(c->arena, shown->count + 1, sizeof *all->amortised),
        .sums = arena_array(c->arena, shown->count + 1, sizeof *all->sums)};
    if (all->cash == NULL || all->amortised == NULL || all->sums == NULL)
        return out_of_memory(c);
    if (!month_source_open(&cash, c->tables->monthly, "cash", metric, c->diagnostics) ||
        !month_source_open(&amortised, c->tables->monthly, "amortised", metric, c->diagnostics))
        return false;
    means = month_bars_have_means(&cash, c->facts, shown) &&
            month_bars_have_means(&amortised, c->facts, shown);
    for (size_t i = 0; i < shown->count; i++) {
        const char *name = c->facts->strategy[shown->index[i]].name;
        month_source_axis(&cash, name, NULL, means, last, &all->axis);
        month_source_axis(&amortised, name, NULL, means, last, &all->axis);
    }
    for (size_t i = 0; i < shown->count; i++) {
        const char *name = c->facts->strategy[shown->index[i]].name;
        memset(&all->cash[i], 0, sizeof all->cash[i]);
        memset(&all->amortised[i], 0, sizeof all->amortised[i]);
        month_source_add(&cash, name, NULL, means, &all->axis, &all->cash[i]);
        month_source_add(&amortised, name, NULL, means, &all->axis, &all->amortised[i]);
        sum_up(all, i, means);
        all->of[shown->index[i]] = &all->sums[i];
    }
    return true;
}

static void add_bars(struct chart_script *s, const struct chart_context *c,
                     const struct cash_courses *all, size_t panel, size_t strategy)
{
    const double half = month_bars_half(&all->axis), narrow = half < 0.5 ? 0.2 : half;
    size_t first = s->rows;

    for (size_t m = 0; m < all->axis.count; m++) {
        int month = all->axis.first + (int)m;
        char text[32];
        snprintf(text, sizeof text, "%04d-%02d", month / 12, month % 12 + 1);
        csv_put_integer(&s->csv, (int64_t)strategy + 1);
        csv_put_integer(&s->csv, (int64_t)m);
        csv_put_number(&s->csv, all->sums[panel].cash[m]);
        csv_put_number(&s->csv, all->sums[panel].amortised[m]);
        csv_put_number(&s->csv, all->cash[panel].value[m]);
        csv_put_number(&s->csv, all->amortised[panel].value[m]);
        csv_put_text(&s->csv, text);
        chart_script_put_name(s, c->facts->strategy[strategy].name);
        chart_script_row_end(s);
    }
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:3:($2-%.1f):($2+%.1f):(0):3 with boxxyerror lc rgb BLUE_L notitle",
                      half, half);
    chart_script_plot(s, first, s->rows - 1,
                      "using 2:4:($2-%.1f):($2+%.1f):(0):4 with boxxyerror lc rgb BLUE notitle",
                      narrow, narrow);
    /* Where bars touch the front one is as broad as the other, which may then be hidden. */
    if (!(narrow < half))
        chart_script_plot(s, first, s->rows - 1,
                          "using 2:3 with histeps lc rgb SKY lw 3*W notitle");
}

/* "paid $113k, amortised $56.4k" */
static void describe(char *out, size_t size, const struct chart_context *c,
                     const struct chart_panels *panels, const struct title_cash *t)
{
    const char *currency = c->facts->frame->currency;
    size_t last = t->axis.count - 1;

    snprintf(out, size, "paid %s, amortised %s",
             figure_money(t->cash[last], currency, FIGURE_NEAREST).text,
             figure_money(t->amortised[last], currency, FIGURE_NEAREST).text);
    if (label_width(out, false) > chart_panels_line_em(panels))
        snprintf(out, size, "paid %s", figure_money(t->cash[last], currency, FIGURE_NEAREST).text);
}

static void begin(struct chart_script *s, const struct chart_context *c, size_t shown,
                  const struct cash_courses *all)
{
    static const struct month_key keys[] = {{"Paid by the end of the month", "BLUE_L"},
                                            {"Amortised: used or lost by then", "BLUE"}};
    struct text title;

    text_init(&title, 2048);
    title_cash(&title, c->facts, all->of);
    chart_begin(s, c, shown, title.data,
                all->sums[0].means
                    ? "Cash and amortised cost since the start, by calendar month (UTC): means "
                      "over all futures"
                    : "Cash and amortised cost since the start, by calendar month (UTC), in the "
                      "plan world, the future whose cost is nearest to its P50");
    text_release(&title);
    month_bars_key(s, keys, sizeof keys / sizeof keys[0]);
}

enum chart_result chart_cash(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "month_number",  "cash_sum",
                                          "amortised_sum",   "cash_of_month", "amortised_of_month",
                                          "month",           "strategy"};
    struct chart_shown shown = chart_shown_pick(c->facts, CHART_PANELS_MAX);
    struct chart_panel_ends ends = {.own = false};
    struct cash_courses all;
    struct chart_panels panels;
    struct ticks y_ticks;
    bool warnings = false;

    if (c->tables->monthly == NULL)
        return CHART_NOTHING;
    if (!read_courses(&all, c, &shown))
        return CHART_BROKEN;
    if (all.axis.count == 0 || !all.apart)
        return CHART_NOTHING;
    for (size_t i = 0; i < shown.count; i++) {
        ends.x_high_s[i] = 1.0; /* the axis of months replaces it */
        warnings = warnings || c->facts->strategy[shown.index[i]].unfinished > 0.0;
    }
    begin(s, c, shown.count, &all);
    panels = chart_panels_begin(s, shown, ends, 1.08 * all.high, warnings);
    ticks_money(&y_ticks, 0.0, panels.y_high, panels.lines == 1 ? 6 : 3, c->facts->frame->currency);
    chart_panels_fit(&panels, &y_ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t k = 0; k < shown.count; k++) {
        char line[128];
        describe(line, sizeof line, c, &panels, &all.sums[k]);
        chart_panels_next(s, c, &panels, k, &y_ticks, CHART_INK, line,
                          chart_unfinished(&c->facts->strategy[shown.index[k]]).text);
        month_bars_axes(s, &panels, &all.axis, 0.0, panels.y_high);
        add_bars(s, c, &all, k, shown.index[k]);
        chart_panels_drawn(s);
    }
    chart_panels_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
