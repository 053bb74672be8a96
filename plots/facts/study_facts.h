/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the result tables say about each strategy, gathered once: quantiles with their bounds,
 * chances, what is not finished, the paired difference to the baseline. Titles, charts and the
 * table for people all read this, so that they cannot disagree.
 *
 * Two ideas carry the honesty of all of them. A strategy *stands* when at most 1 % of its worlds
 * are unfinished, the P50 of its cost is known, or surely within 1 %, and of what is needed by the
 * clock, and of requests, it serves no less than 99 % of what the best strategy does; only one that
 * stands is ever called cheap, fast or best. And two strategies differ only where an interval says
 * so: the paired one to the baseline, or, between two others, intervals of P50 that do not touch.
 */
#ifndef FLEETCAST_PLOTS_STUDY_FACTS_H
#define FLEETCAST_PLOTS_STUDY_FACTS_H

#include "engine/diagnostics.h"
#include "engine/text.h"
#include "plots/facts/chart_frame.h"
#include "plots/facts/fact_difference.h"
#include "plots/facts/fact_metric.h"
#include "plots/text/figures.h"

#include <stdbool.h>
#include <stddef.h>

#define FACT_DEADLINES_MAX 4

struct strategy_facts {
    const char *name; /* the frame's */
    struct fact_metric cost, time;
    struct fact_metric spend; /* paid inside the horizon; the cost where the tables do not say */
    struct fact_chance over_budget, late;
    struct fact_chance late_of[FACT_DEADLINES_MAX]; /* in the order of the frame's deadlines */
    double obligation;      /* P50 of the signed obligation; NaN = none given */
    double unused, later;   /* P50 of what commitments cost in vain inside the horizon, and of what
                               is borne of them after it; NaN = none given */
    double owned_capital;   /* P50 of the price of owned hardware that the plan bears */
    double block_unused;    /* P50 of the price of capacity blocks in which no node ran */
    double served;          /* mean share of what is needed by the clock; NaN = nothing is */
    struct fact_metric slo; /* of services: share of requests within the objective … */
    struct fact_metric latency_p95; /* … P95 of latency within a future, seconds … */
    double overloaded_h; /* … hours of overload, mean over futures, of the service that has most */
    struct fact_metric per_1000; /* … and what a thousand requests cost */
    double came;                 /* mean requests; NaN = no service */
    double answered;         /* mean share of requests that are answered at all; NaN = no service */
    double worlds;           /* simulated futures */
    double unfinished;       /* how many of them are not finished */
    double unfinished_share; /* 0 … 1; NaN when nothing is known */
    double beyond_trace;     /* share in which work went on behind a trace's end; 0: none ended */
    double cancelled_share;  /* with the project: neither in time nor late; 0 when it cannot be */
    bool stands;
    struct fact_difference cost_difference, time_difference;
};

struct study_facts {
    const struct chart_frame *frame;
    size_t count; /* strategies, in the frame's order */
    struct strategy_facts strategy[CHART_STRATEGIES_MAX];
    int baseline; /* index; -1 = none */
    int chosen;   /* the frame's choice; -1 = none, or it does not stand */
    int subject;  /* stands and has the lowest P50 of cost; -1 = none stands */
    bool has_time, has_budget, has_late, has_obligation, has_served;
    bool has_service, has_slo;
    double best_served;    /* of all strategies; NaN = nothing is needed by the clock */
    double best_answered;  /* likewise; NaN = there is no service */
    double largest_time_h; /* of all known quantiles and bounds; 0 without any */
    enum time_unit unit;   /* for all times on one chart or table */
};

/* Reads summary (must be there) and comparison (may be NULL). False, with an error in d, when a
 * table lacks a column. frame must outlive f. */
bool study_facts_init(struct study_facts *f, const struct chart_frame *frame,
                      const struct chart_tables *tables, struct diagnostics *d);

/* facts_p50_relation of two strategies of the study; FACT_ASSUMED when the frame says that their
 * difference rests on an assumption. */
enum fact_relation facts_p50_between(const struct study_facts *f, size_t a, size_t b);
/* Whether the frame says so. */
bool facts_undecided(const struct study_facts *f, size_t a, size_t b);

/* True when the strategy leaves more unmet of what is needed by the clock than another does. */
bool facts_serves_less(const struct study_facts *f, size_t index);
/* Likewise of requests that it answers. */
bool facts_answers_less(const struct study_facts *f, size_t index);
/* Answers less than 99 % of its requests, whatever others do. */
bool facts_answers_too_few(const struct study_facts *f, size_t index);

/* Adds the strategy's name, cleaned, shortened to max_em; with "#3", its place in the file, when
 * another name looks the same when shortened. */
void facts_name(struct text *out, const struct study_facts *f, size_t index, double max_em,
                bool bold);

/* Whom charts of one strategy speak of: the chosen one, else the subject; -1: none. */
static inline int facts_told(const struct study_facts *f)
{
    return f->chosen >= 0 ? f->chosen : f->subject;
}

/* True when it is said that the strategy cannot be told from the chosen one, and both stand. */
bool facts_level(const struct study_facts *f, size_t index);

/* The deadline in hours when all workloads have the same one: then it is that of all work together.
 * NaN else. */
double facts_single_deadline_h(const struct chart_frame *frame);

#endif
