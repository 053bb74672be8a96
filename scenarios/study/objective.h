/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a plan is judged by, as people write it: one number of the distribution of a metric, and
 * conditions on such numbers.
 *
 *   [WORKLOAD:]METRIC[.STAT]    cost_usd.p80, time_to_train_h.mean, chat:ttft_p99_s.p90
 *       METRIC  as in summary.csv; STAT  mean (also when it is left out), min, max, p1 … p99.9
 *       WORKLOAD  none or "all": all of them together
 *   [WORKLOAD:]p_METRIC         p_late, p_over_budget: the chance that a yes-or-no metric is yes
 *   p_unfinished                the chance that the work is not finished, of what is not cancelled
 *   EXPRESSION <= VALUE         a condition; also < >= >. VALUE has the metric's kind of unit:
 *                               6000 USD, 4d, 5 %, 30/s */
#ifndef FLEETCAST_SCENARIOS_OBJECTIVE_H
#define FLEETCAST_SCENARIOS_OBJECTIVE_H

#include "engine/quantity.h"
#include "scenarios/study/metric_table.h"

#include <stdbool.h>
#include <stddef.h>

/* What may be named. */
struct objective_names {
    const char *currency;         /* of the metrics' columns */
    const char *const *workloads; /* NULL: any name is taken */
    size_t workload_count;
};

enum objective_stat { OBJECTIVE_MEAN, OBJECTIVE_MIN, OBJECTIVE_MAX, OBJECTIVE_QUANTILE };

/* Points into the text it was parsed from, which must outlive it. */
struct objective {
    const char *text; /* the whole expression, without spaces around */
    size_t length;
    const char *workload; /* a part of it; NULL: all together */
    size_t workload_length;
    size_t workload_index; /* among the names; of all together, or of any name: workload_count */
    enum metric metric;
    enum objective_stat stat;
    double quantile; /* of OBJECTIVE_QUANTILE */
    bool unfinished; /* 1 - mean: p_unfinished */
};

/* False with a sentence for the user. */
bool objective_parse(const char *text, size_t length, const struct objective_names *names,
                     struct objective *out, char *message, size_t message_size);

/* What a value of it is: MONEY, TIME, SHARE, RATE or COUNT. */
enum dimension objective_dimension(const struct objective *o);
/* Inside units (seconds) to a unit of the metric (3,600 of an hour). */
double objective_scale(const struct objective *o);
/* "5,827 USD", "2.46 d", "6 %": a value in the metric's unit, for people. NaN: "unknown", infinity:
 * "no limit". Returns out. */
char *objective_value_text(const struct objective *o, double value, const char *currency,
                           char out[48]);

/* ---- conditions ---- */

enum condition_op { CONDITION_AT_MOST, CONDITION_BELOW, CONDITION_AT_LEAST, CONDITION_ABOVE };

/* What the bound is compared with. */
enum condition_kind {
    CONDITION_LEVEL,   /* the value: cost_usd.p90 <= 6000 USD */
    CONDITION_CHANGE,  /* its change: > +500 USD, p_late > +5 % (points) */
    CONDITION_RELATIVE /* its change over what it was: cost_usd.p90 > +10 % */
};

struct condition {
    struct objective objective;
    enum condition_op op;
    enum condition_kind kind;
    double bound;     /* in the metric's unit; of a relative one a share */
    const char *text; /* the whole, without spaces around */
    size_t length;
};

/* changes: whether a value with a sign means a change, or is an ordinary value. False with a
 * sentence for the user. */
bool condition_parse(const char *text, const struct objective_names *names, bool changes,
                     struct condition *out, char *message, size_t message_size);
/* Whether a value that is surely between these bounds (the same, where it is known) satisfies the
 * condition: always, or never. Neither: not known. NaN: neither. For a change give that of it. */
bool condition_holds(const struct condition *c, double at_least, double at_most);
bool condition_fails(const struct condition *c, double at_least, double at_most);

#endif
