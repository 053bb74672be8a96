/* SPDX-License-Identifier: GPL-3.0-or-later
 * Bars show means, since only they add up over categories and months; where work that was cut off
 * leaves one unknown, all bars are of the plan world. What falls behind the plan (the rest of
 * commitments, work that is finished late) would dwarf its months: the panel says it. Discounts
 * hang below zero. */
#include "plots/charts/chart_months.h"

#include "plots/charts/month_bars.h"
#include "plots/sentences/title_months.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LATER "commitments-later"

/* From the bottom up: what runs, then what is around it. */
static const struct {
    const char *category, *name, *words, *colour;
} layers[] = {
    {"commitments-used", "Commitments, used", "commitments that are used", "GREEN"},
    {"commitments-unused", "Commitments, unused", "commitments that nothing uses", "GREEN_L"},
    {"capacity-blocks", "Capacity blocks", "capacity blocks", "BROWN"},
    {"owned", "Owned hardware", "owned hardware", "SLATE_L"},
    {"on-demand", "On-demand", "on-demand nodes", "BLUE"},
    {"capacity-reservations", "Reserved, idle", "reserved capacity that nothing uses", "SKY_L"},
    {"spot", "Spot", "spot nodes", "ORANGE_L"},
    {"displaced", "Displaced", "what others no longer have covered", "BLUE_L"},
    {"storage", "Storage", "storage charges", "PURPLE"},
    {"transfer", "Transfer", "transfer charges", "SKY"},
    {"fees", "Fees", "fees", "BROWN_L"},
    {"support", "Support", "support charges", "SLATE"},
    {"tax", "Tax", "taxes", "GREY"},
    {"discount", "Discount", "discounts", "BLACK"},
};
enum { LAYERS = sizeof layers / sizeof layers[0] };

/* One strategy. */
struct month_stack {
    struct month_values layer[LAYERS];
    double sum, later;
};

/* All of them. */
struct month_stacks {
    struct month_axis axis;
    struct month_stack *of; /* by panel */
    bool used[LAYERS];
    bool means;
    double low, high;
};

static void measure(struct month_stacks *all, const struct month_stack *one)
{
    for (size_t m = 0; m < all->axis.count; m++) {
        double above = 0.0, below = 0.0;
        for (size_t l = 0; l < LAYERS; l++) {
            above += fmax(one->layer[l].value[m], 0.0);
            below += fmin(one->layer[l].value[m], 0.0);
        }
        all->high = fmax(all->high, above);
        all->low = fmin(all->low, below);
    }
}

/* False when memory is out or a column is absent (told). */
static bool read_stacks(struct month_stacks *all, const struct chart_context *c,
                        const struct chart_shown *shown)
{
    const int last = month_of_plan_end(c->facts->frame);
    struct month_source s;

    *all = (struct month_stacks){.of = arena_array(c->arena, shown->count + 1, sizeof *all->of)};
    if (all->of == NULL) {
        diagnostics_add(c->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0},
                        "out of memory for charts");
        return false;
    }
    if (!month_source_open(&s, c->tables->categories, "cost", c->facts->frame->cost_metric,
                           c->diagnostics))
        return false;
    all->means = month_bars_have_means(&s, c->facts, shown);
    for (size_t i = 0; i < shown->count; i++)
        month_source_axis(&s, c->facts->strategy[shown->index[i]].name, LATER, all->means, last,
                          &all->axis);
    for (size_t i = 0; i < shown->count; i++) {
        const char *name = c->facts->strategy[shown->index[i]].name;
        struct month_stack *one = &all->of[i];
        memset(one, 0, sizeof *one);
        one->later = month_source_behind(&s, name, LATER, all->means, last);
        for (size_t l = 0; l < LAYERS; l++) {
            month_source_add(&s, name, layers[l].category, all->means, &all->axis, &one->layer[l]);
            for (size_t m = 0; m < all->axis.count; m++) {
                one->sum += one->layer[l].value[m];
                all->used[l] = all->used[l] || fabs(one->layer[l].value[m]) > 0.0;
            }
        }
        measure(all, one);
    }
    return true;
}

static void sum_up(struct title_categories *t, const struct month_stacks *all,
                   const struct month_stack *one)
{
    *t = (struct title_categories){.axis = all->axis, .later = one->later, .means = all->means};
    for (size_t m = 0; m < all->axis.count; m++) {
        t->category[m] = layers[0].words;
        for (size_t l = 0; l < LAYERS; l++) {
            double x = one->layer[l].value[m];
            t->total[m] += x;
            t->charges[m] += fmax(x, 0.0);
            if (x > t->largest[m]) {
                t->largest[m] = x;
                t->category[m] = layers[l].words;
            }
        }
    }
}

static void add_bars(struct chart_script *s, const struct chart_context *c,
                     const struct month_stacks *all, size_t panel, size_t strategy)
{
    const double half = month_bars_half(&all->axis);
    double above[MONTH_BARS_MAX] = {0.0}, below[MONTH_BARS_MAX] = {0.0};

    for (size_t l = 0; l < LAYERS; l++) {
        size_t first = s->rows;
        for (size_t m = 0; m < all->axis.count; m++) {
            double x = all->of[panel].layer[l].value[m];
            double *edge = x < 0.0 ? &below[m] : &above[m];
            int month = all->axis.first + (int)m;
            char text[32];
            if (!(fabs(x) > 0.0))
                continue;
            snprintf(text, sizeof text, "%04d-%02d", month / 12, month % 12 + 1);
            csv_put_integer(&s->csv, (int64_t)strategy + 1);
            csv_put_integer(&s->csv, (int64_t)m);
            csv_put_number(&s->csv, *edge);
            csv_put_number(&s->csv, *edge + x);
            csv_put_text(&s->csv, text);
            csv_put_text(&s->csv, layers[l].category);
            chart_script_put_name(s, c->facts->strategy[strategy].name);
            chart_script_row_end(s);
            *edge += x;
        }
        if (s->rows > first)
            chart_script_plot(s, first, s->rows - 1,
                              "using 2:4:($2-%.1f):($2+%.1f):3:4 with boxxyerror lc rgb %s "
                              "notitle",
                              half, half, layers[l].colour);
    }
}

/* "$57.4k, $52.7k after it" */
static void describe(char *out, size_t size, const struct chart_context *c,
                     const struct chart_panels *panels, const struct month_stack *one)
{
    const char *currency = c->facts->frame->currency;
    struct figure sum = figure_money(one->sum, currency, FIGURE_NEAREST);

    snprintf(out, size, "%s", sum.text);
    if (!(one->later > 0.0))
        return;
    snprintf(out, size, "%s, then %s after the plan", sum.text,
             figure_money(one->later, currency, FIGURE_NEAREST).text);
    if (label_width(out, false) > chart_panels_line_em(panels))
        snprintf(out, size, "%s + %s later", sum.text,
                 figure_money(one->later, currency, FIGURE_NEAREST).text);
}

static void begin(struct chart_script *s, const struct chart_context *c,
                  const struct chart_shown *shown, const struct month_stacks *all)
{
    struct month_key keys[LAYERS];
    struct title_categories *of = arena_alloc(c->arena, sizeof *of);
    struct text title;
    size_t count = 0;
    bool commits = false;

    for (size_t l = 0; l < LAYERS; l++)
        commits = commits || (all->used[l] && strncmp(layers[l].name, "Commitments", 11) == 0);
    text_init(&title, 2048);
    for (size_t i = 0; of != NULL && i < shown->count; i++) {
        if ((int)shown->index[i] == c->facts->subject)
            sum_up(of, all, &all->of[i]);
    }
    if (of != NULL)
        title_months(&title, c->facts, of);
    chart_begin(s, c, shown->count, title.data,
                all->means && commits
                    ? "Cost by calendar month (UTC) and what it is for: means over all futures, "
                      "commitments by their amortised cost"
                : all->means ? "Cost by calendar month (UTC) and what it is for: means over all "
                               "futures"
                             : "Cost by calendar month (UTC) and what it is for in the plan world, "
                               "the future whose cost is nearest to its P50");
    text_release(&title);
    for (size_t l = 0; l < LAYERS; l++) {
        if (all->used[l])
            keys[count++] = (struct month_key){layers[l].name, layers[l].colour};
    }
    month_bars_key(s, keys, count);
}

enum chart_result chart_months(struct chart_script *s, const struct chart_context *c)
{
    static const char *const columns[] = {"strategy_number", "month_number", "from",    "to",
                                          "month",           "category",     "strategy"};
    struct chart_shown shown = chart_shown_pick(c->facts, CHART_PANELS_MAX);
    struct chart_panel_ends ends = {.own = false};
    struct month_stacks all;
    struct chart_panels panels;
    struct ticks y_ticks;
    bool warnings = false;
    double low, high;

    if (c->tables->categories == NULL)
        return CHART_NOTHING;
    if (!read_stacks(&all, c, &shown))
        return CHART_BROKEN;
    if (all.axis.count == 0 || !(all.high > 0.0))
        return CHART_NOTHING;
    for (size_t i = 0; i < shown.count; i++) {
        ends.x_high_s[i] = 1.0; /* the axis of months replaces it */
        warnings = warnings || c->facts->strategy[shown.index[i]].unfinished > 0.0;
    }
    high = 1.08 * all.high;
    low = 1.08 * all.low;
    begin(s, c, &shown, &all);
    panels = chart_panels_begin(s, shown, ends, high, warnings);
    ticks_money(&y_ticks, low, high, panels.lines == 1 ? 6 : 3, c->facts->frame->currency);
    chart_panels_fit(&panels, &y_ticks);
    chart_script_columns(s, columns, sizeof columns / sizeof columns[0]);
    for (size_t k = 0; k < shown.count; k++) {
        char line[128];
        describe(line, sizeof line, c, &panels, &all.of[k]);
        chart_panels_next(s, c, &panels, k, &y_ticks, CHART_INK, line,
                          chart_unfinished(&c->facts->strategy[shown.index[k]]).text);
        month_bars_axes(s, &panels, &all.axis, low, high);
        add_bars(s, c, &all, k, shown.index[k]);
        chart_panels_drawn(s);
    }
    chart_panels_end(s);
    chart_script_tail(s);
    return CHART_DRAWN;
}
