/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which of several alternatives is the best, how sure that is, and which cannot be told from it,
 * when all were simulated in the same worlds (common random numbers): by the mean of their values,
 * or by a quantile.
 *
 * Every estimate is turned into one contribution per world, so that differences come paired: for a
 * mean the value less the mean; for the quantile q at p the influence function
 * (p - 1{x <= q}) / f(q) (Serfling, Approximation Theorems of Mathematical Statistics, 1980,
 * section 2.5.1), where 1/f(q) is the spacing of order statistics around q over their probability,
 * with the half width of Hall & Sheather (J. R. Statist. Soc. B 50, 1988, eq. 2.6). Where the
 * quantile is the largest or smallest of all values (P80 of four worlds), and they differ, nothing
 * is known of its error. The covariances
 * of these contributions give the standard error of every difference.
 *
 * The intervals of the differences of all pairs hold together with the stated confidence: their
 * common critical value is the quantile of the largest of all pairs' |t|, found by drawing from the
 * multivariate t with the estimated covariances (Tukey's method for any covariance: Hsu, Multiple
 * Comparisons, 1996, chapters 5 and 7), with fixed random numbers. It is never more than
 * Bonferroni's. Where the interval of the difference to the alternative with the best estimate
 * covers zero, the two are level; since all pairs are covered, the best is among the level ones at
 * least as often as stated, whichever looks best. */
#ifndef FLEETCAST_ENGINE_SELECTION_H
#define FLEETCAST_ENGINE_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct selection_request {
    size_t count;                /* alternatives, 1 or more */
    size_t worlds;               /* in which each has a value */
    const double *const *values; /* [alternative][world]; smaller is better. Finite, but for a
                                    quantile +infinity may stand for "more than any" */
    double p;                    /* quantile, 0 < p < 1; 0: the mean */
    double confidence;           /* such as 0.95 */
};

struct selection_one {
    double value;      /* its estimate */
    double difference; /* to the best estimate: >= 0 */
    double low, high;  /* interval, with all others at once; infinite when nothing is known */
    bool level;        /* cannot be told from the best; true of the best itself */
};

struct selection {
    struct selection_one *one; /* by alternative */
    size_t best, second;       /* by estimate, the first of equals; second = best when alone */
    double sure;    /* largest confidence at which the best is told from every other; 0 with ties */
    double at_most; /* the best estimate may be worse than the true best by so much, at most */
    double worlds_needed; /* about so many tell the best from the second; infinite when they are the
                             same, or nothing is known of their spread */
};

/* False when out of memory. selection_release is due either way. */
bool selection_make(struct selection *s, const struct selection_request *q);
void selection_release(struct selection *s);

#endif
