/* SPDX-License-Identifier: GPL-3.0-or-later
 * What every chart is drawn from, and what all of them have in common: which strategies they show,
 * the names beside the data, the line at the foot that says where the picture comes from. */
#ifndef FLEETCAST_PLOTS_CHART_CONTEXT_H
#define FLEETCAST_PLOTS_CHART_CONTEXT_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "plots/charts/chart_script.h"
#include "plots/facts/chart_frame.h"
#include "plots/facts/study_facts.h"

#include <stdbool.h>
#include <stddef.h>

/* A chart holds eight strategies; more would be unreadable and have no colours left. Of more, the
 * baseline, the chosen one and those with the lowest P50 of cost (standing ones first) are shown,
 * in the file's order. A strategy keeps its colour on all charts. */
struct chart_shown {
    size_t count;
    size_t index[CHART_SERIES_MAX]; /* into study_facts.strategy */
    size_t of;                      /* strategies that have results */
};

struct chart_context {
    const struct study_facts *facts;
    const struct chart_tables *tables;
    struct chart_shown shown;
    const char *title; /* in place of the chart's own; NULL: that */
    struct arena *arena;
    struct diagnostics *diagnostics;
};

enum chart_result {
    CHART_DRAWN,
    CHART_NOTHING, /* nothing of this kind in the tables */
    CHART_BROKEN   /* an error is in the diagnostics */
};

/* One chart: fills the script and its data. */
typedef enum chart_result chart_writer(struct chart_script *s, const struct chart_context *c);

/* At most `most` (<= CHART_SERIES_MAX) strategies, by the rule above. */
struct chart_shown chart_shown_pick(const struct study_facts *f, size_t most);
/* Position in c->shown, or -1. */
int chart_shown_find(const struct chart_context *c, int strategy);
/* Position in `shown` of the strategy that titles speak of: the subject, else the baseline, else
 * the first. */
size_t chart_shown_titled(const struct chart_context *c, const struct chart_shown *shown);

/* Head, subtitle (with what is left out when the chart shows `shown` strategies, and the frame's
 * note) and foot. */
void chart_begin(struct chart_script *s, const struct chart_context *c, size_t shown,
                 const char *title, const char *subtitle);

/* The strategy's name in at most two lines of room_em; it is shortened only as far as those cannot
 * hold it. second is left empty when one line is enough. */
void chart_wrap_name(struct text *first, struct text *second, const struct study_facts *f,
                     size_t strategy, double room_em, bool one_line, bool bold);

/* The axis' own name under its ticks, in the middle of left..right (screen). */
void chart_axis_name(struct chart_script *s, double left, double right, const char *name);

/* Where a time axis ends: what does not finish may go on for the whole horizon, and would squeeze
 * what does into a corner. Its curve runs off the page at twice the end of what stands. */
double chart_time_end(double of_standing, double of_all);

/* A vertical or horizontal red line at `at` over the plot with its name ("Budget $6,000"): vertical
 * lines are named above the plot, horizontal ones above their left or right end. A line outside
 * low..high is told at the edge instead ("Budget $60k →"). Without a name, a horizontal line stands
 * alone. */
void chart_limit_x(struct chart_script *s, double low, double high, double at, const char *name);
void chart_limit_y(struct chart_script *s, double low, double high, double at, const char *name,
                   enum chart_align side);

/* "$6,000", or "P50 $6,000" when each world has its own budget: for the budget's line. */
struct figure chart_budget(const struct chart_frame *frame);

/* The measure of timeline.csv that sums up spend: "cumulative_usd" for "cost_usd". */
void chart_spend_measure(const struct chart_frame *frame, char out[64]);

/* Adds "; curves: the first 200 futures" when the timeline is not of all. */
void chart_add_curves(struct text *subtitle, const struct chart_frame *frame);

/* Adds "; chosen: X, from which Y and Z cannot be told" to a subtitle, as far as that is so. */
void chart_add_choice(struct text *subtitle, const struct study_facts *f);

/* "13 % not finished" when there is any; else "". */
struct figure chart_unfinished(const struct strategy_facts *s);

#endif
