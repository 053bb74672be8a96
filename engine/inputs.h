/* SPDX-License-Identifier: GPL-3.0-or-later
 * The uncertain numbers of a scenario. A *number* is drawn once per replication and becomes a
 * column of replications.csv; a *variate* is drawn anew at each use, and its parameters may be
 * uncertain numbers. Policies and planning see medians of numbers and means of variates
 * (DESIGN invariant 7, "nobody peeks"). */
#ifndef FLEETCAST_ENGINE_INPUTS_H
#define FLEETCAST_ENGINE_INPUTS_H

#include "engine/arena.h"
#include "engine/distribution.h"
#include "engine/random.h"

#include <stdbool.h>
#include <stddef.h>

/* A number of the scenario. Certain: input < 0 and `median` is the value. */
struct number {
    double median;
    int input;  /* index into the inputs table, or -1 */
    int word;   /* index of the word written instead (`auto`), or -1 */
    bool given; /* written by the user, not a default */
    int months; /* of a certain DIMENSION_SPAN: calendar months that median counts as so many mean
                   ones */
};

/* A month in an uncertain span of time: a twelfth of the mean Gregorian year. */
#define NUMBER_MONTH_S    2629746.0
#define NUMBER_CERTAIN(v) ((struct number){.median = (v), .input = -1, .word = -1})

/* drawn: one value per input, of this replication; NULL means "what planning sees" (medians). */
static inline double number_value(const struct number *n, const double *drawn)
{
    return n->input < 0 || drawn == NULL ? n->median : drawn[n->input];
}

/* A distribution whose parameters may be uncertain. Made by expression_variate or variate_constant.
 */
struct variate {
    enum distribution_family family;
    struct number p[3]; /* as of struct distribution, but see p1_is_p95 */
    const double *values;
    size_t value_count;
    double low, high;
    bool p1_is_p95; /* LOGNORMAL: p[1] is the 95 % quantile in place of the sd of the log */
    bool given;
};
struct variate variate_constant(double value);
/* The distribution of this replication. Ends that cross in a world (uniform, triangular, P95 below
 * P50) are taken in their order; a distribution of which more than 20 % lies outside the legal
 * range in this world only is cut to it. False if the drawn parameters are impossible. */
bool variate_resolve(const struct variate *v, const double *drawn, struct distribution *out);
/* Mean with the parameters' medians: what planning sees. */
double variate_planned_mean(const struct variate *v);

struct input {
    const char *name; /* path in the scenario: "workloads.fine-tune.mfu" */
    const char *unit; /* of the drawn value, as a column suffix: "s", "frac", "usd_per_hour", "" */
    struct distribution distribution;
    uint64_t source; /* random_source("input/<name>") */
};

/* Limits: an uncertain number is a column of every result, and a correlation matrix is dense. */
#define INPUTS_MAX            4096
#define INPUTS_MAX_CORRELATED 256

struct inputs;
/* Lives in the arena; NULL when that is out. */
struct inputs *inputs_new(struct arena *a);
/* Copies name, unit and *d (which must be prepared; its values stay borrowed). Returns the index,
 * or -1 when memory or INPUTS_MAX is out or the name is taken. */
int inputs_add(struct inputs *in, const char *name, const char *unit, const struct distribution *d);
size_t inputs_count(const struct inputs *in);
const struct input *inputs_at(const struct inputs *in, size_t index);
int inputs_find(const struct inputs *in, const char *name); /* -1 when absent */

/* The files that empirical distributions were read from, under the names that the scenario gives
 * them, each once and in the order of reading. False when memory is out. */
bool inputs_note_file(struct inputs *in, const char *name);
size_t inputs_files(const struct inputs *in);
const char *inputs_file(const struct inputs *in, size_t index);

/* Ties two inputs with a normal copula: rho in [-1, 1] is the correlation of the two normal scores
 * (not of the values). Pairs that are not stated have 0. False, and nothing is changed, when a ==
 * b, an index or rho is out of range, the pair is tied already, or memory or INPUTS_MAX_CORRELATED
 * is out. */
bool inputs_correlate(struct inputs *in, int a, int b, double rho);
/* After the last correlate: factorises. False with a message when the stated correlations cannot
 * all hold (matrix not positive definite). Must be called before drawing. */
bool inputs_prepare(struct inputs *in, char *message, size_t message_size);

/* Draws all for one world into values[inputs_count]. An input's draw does not depend on which other
 * uncorrelated inputs exist, nor on ties stated after its own. Thread-safe. */
void inputs_draw(const struct inputs *in, struct random_world w, double *values);

#endif
