/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a strategy costs at each size of its commitments, out of the table commitment_levels. */
#ifndef FLEETCAST_PLOTS_LEVEL_COURSE_H
#define FLEETCAST_PLOTS_LEVEL_COURSE_H

#include "plots/facts/study_facts.h"

#include <stdbool.h>
#include <stddef.h>

#define LEVEL_POINTS_MAX 80

/* NaN: empty in the table. */
struct level_point {
    double level;                     /* over what is signed */
    double instances, hourly;         /* of Reserved Instances; of savings plans, an hour */
    double mean, p10, p90;            /* of cost */
    double unused;                    /* share */
    double over, over_low, over_high; /* cost less that of the signed level */
    double worlds, censored;
};

struct level_course {
    size_t count; /* rising levels; 0: the strategy signs nothing */
    struct level_point point[LEVEL_POINTS_MAX];
    size_t as_signed, least; /* of level 1; of least mean, the smaller of equals */
    bool known;              /* all means are */
};

/* False, with an error in d, when a column is absent. */
bool level_course_read(struct level_course *out, const struct table *t, const char *strategy,
                       const char *cost_metric, struct diagnostics *d);

/* What a level signs: instances where only instances are signed, an amount an hour where only
 * savings plans are, else a percentage of what is signed. */
enum level_scale { LEVEL_INSTANCES, LEVEL_HOURLY, LEVEL_PERCENT };
enum level_scale level_course_scale(const struct level_course *c);
double level_course_at(const struct level_point *p, enum level_scale scale);
/* "2 instances", "$30/h", "75 % of it"; "nothing". */
struct figure level_course_words(const struct level_point *p, enum level_scale scale,
                                 const char *currency);

#endif
