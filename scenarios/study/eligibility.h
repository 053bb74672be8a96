/* SPDX-License-Identifier: GPL-3.0-or-later
 * Who can be chosen at all: the one rule of `choose`, of a search, and of the values at which a
 * choice flips. Never what is unfinished in more than 1 % of worlds, serves too little, breaks a
 * condition or is not known to hold it, has no value where another has one, or of which the value
 * is not known. */
#ifndef FLEETCAST_SCENARIOS_ELIGIBILITY_H
#define FLEETCAST_SCENARIOS_ELIGIBILITY_H

#include "scenarios/study/objective.h"
#include "scenarios/study/objective_estimate.h"

#include <stdbool.h>
#include <stddef.h>

/* What has a larger share of unfinished worlds is never chosen. */
#define CHOICE_MOST_UNFINISHED 0.01

enum choice_status {
    CHOICE_CHOSEN,
    CHOICE_LEVEL, /* cannot be told from the chosen one */
    CHOICE_WORSE,
    CHOICE_BREAKS_LIMIT, /* a condition, or `serve_at_least` */
    CHOICE_UNFINISHED,
    CHOICE_UNKNOWN /* its value is */
};

/* What is known of one strategy, or plan. */
struct eligibility {
    double unfinished; /* share of all its worlds */
    bool short_of;     /* serves less than it should */
    bool broken;       /* a condition is not known to hold */
    size_t missing;    /* worlds in which it has no value, but another that can be chosen has */
    const struct estimate *value; /* of the objective */
};

/* CHOICE_WORSE when it can be chosen; else the first reason, in the order of the struct. */
enum choice_status eligibility_status(const struct eligibility *e);
/* What is not known, or exists in no world, does not hold. */
bool eligibility_holds(const struct condition *c, const struct estimate *value);

/* What is served of what came, or is needed, over worlds. */
struct served_sum {
    double served, wanted;
};
/* A world; NaN: there is no such in it. */
void served_sum_add(struct served_sum *s, double served, double wanted);
/* NaN: there was none. */
double served_sum_share(const struct served_sum *s);

#endif
