/* SPDX-License-Identifier: GPL-3.0-or-later
 * How one plan's results differ from another's: the same strategy in two runs, by any number of the
 * distribution of any metric. World is held against world of the same number, which with one seed
 * are the same world, so that luck cancels out; with two seeds the pairs are as good as any other
 * two worlds, and the interval says so by being wider. */
#ifndef FLEETCAST_SCENARIOS_RESULT_DIFFERENCE_H
#define FLEETCAST_SCENARIOS_RESULT_DIFFERENCE_H

#include "scenarios/study/objective.h"
#include "scenarios/study/results.h"

#include <stdbool.h>
#include <stddef.h>

/* One of the two. Everything is borrowed. */
struct diff_side {
    const char *label; /* as the user named it */
    const char *scenario, *currency, *prices_as_of, *version;
    int64_t seed, start_unix_s;
    double horizon_s, budget; /* budget NaN: none */
    bool partial;
    const struct results *results;
    const char *const *strategies, *const *workloads; /* by index in results */
    const bool *has;                                  /* by metric; NULL: all */
};

/* Index of the name; SIZE_MAX: there is none. */
size_t diff_side_strategy(const struct diff_side *s, const char *name);
/* The index of all workloads together for STUDY_ALL. */
size_t diff_side_workload(const struct diff_side *s, const char *name);

/* Whether a service was overloaded in any world, so that its latency is of no steady state. */
bool diff_side_overloaded(const struct diff_side *s, size_t strategy, const char *workload);

enum diff_verdict {
    DIFF_ABSENT, /* the metric exists in no world of either */
    DIFF_ONLY_A, /* it exists there alone */
    DIFF_ONLY_B,
    DIFF_SAME,    /* the same in every world */
    DIFF_UNCLEAR, /* the interval of the change covers zero: no detectable change */
    DIFF_LESS,    /* B is surely less, at 95 % */
    DIFF_MORE,
    DIFF_UNKNOWN /* work cut off at the horizon leaves it open */
};
extern const char *const diff_verdict_names[]; /* "absent", "only in A", …, NULL */

struct diff {
    enum diff_verdict verdict;
    double a, b;              /* in the metric's unit; NaN: unknown */
    double change;            /* b - a; NaN: unknown */
    double low, high;         /* its 95 % interval; infinite where it is open, NaN when change is */
    double at_least, at_most; /* sure bounds of the change whatever became of work cut off; infinite
                                 where there is none */
    double a_at_least, a_at_most; /* likewise of a and b themselves */
    double b_at_least, b_at_most;
    double share;            /* change over |a|; NaN when a is zero or unknown */
    size_t worlds, left_out; /* pairs, and those in which it does not exist on one side */
};

/* A directory's numbers are those that csv_put_number wrote: whether it would tell these apart. */
bool diff_are_written_alike(double a, double b);

/* The worlds that both have. The objective's workload is taken by its name. False when memory is
 * out. */
bool diff_measure(const struct diff_side *a, size_t strategy_a, const struct diff_side *b,
                  size_t strategy_b, const struct objective *o, struct diff *out);

#endif
