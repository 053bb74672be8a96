/* SPDX-License-Identifier: GPL-3.0-or-later
 * Statistics of a sample of worlds. Quantiles are exact order statistics (the inverse of the
 * empirical distribution: P90 is the smallest x with at least 90 % of worlds <= x) with an interval
 * of order statistics; censored values are known only to be >= what was seen. */
#ifndef FLEETCAST_ENGINE_STATISTICS_H
#define FLEETCAST_ENGINE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* n values; censored[i] != 0 means "at least value". censored may be NULL. NaN = not in the sample
 * (a metric that does not exist in that world); all else is finite. Values are copied. NULL when
 * out of memory. */
struct sample;
struct sample *sample_new(const double *values, const unsigned char *censored, size_t n);
void sample_free(struct sample *s);
size_t sample_count(const struct sample *s); /* without NaN */
size_t sample_censored(const struct sample *s);

/* A quantile and its uncertainty. With censoring it may be known, bounded below only, or unknown.
 */
struct quantile {
    double value; /* NaN when unknown */
    bool known;
    double at_least;  /* a sure lower bound (= value when known) */
    double at_most;   /* a sure upper bound (= value when known); +infinity when there is none */
    double low, high; /* distribution-free interval at `confidence`; high = +infinity when censoring
                         or a small sample leaves it open; low likewise -infinity */
};
/* 0 < p < 1; confidence such as 0.95. Interval: the order statistics l, u of smallest u - l with
 * binomial coverage >= confidence (David & Nagaraja, Order Statistics, 3rd ed., section 7.1); an
 * end is left open only if no two order statistics cover enough, the upper one first for p >= 0.5.
 */
struct quantile sample_quantile(const struct sample *s, double p, double confidence);

/* NaN when the sample is empty or anything is censored: a mean of censored values is not printed.
 */
double sample_mean(const struct sample *s);
double sample_sd(const struct sample *s);         /* n - 1; NaN as above or when n < 2 */
double sample_mean_error(const struct sample *s); /* standard error of the mean */
double sample_min(const struct sample *s);        /* NaN when a censored value may be the least */
double sample_max(const struct sample *s);        /* NaN when anything is censored */
/* Share of the sample <= x; censored values below x make it a lower bound. */
double sample_share_below(const struct sample *s, double x);
/* Sorted values (uncensored order, censored among them by their bound); borrowed. */
const double *sample_sorted(const struct sample *s);

/* a - b, world by world; pairs in which either is NaN or censored are left out and counted. */
struct paired {
    size_t n, left_out;
    double mean;      /* NaN when n == 0 or left_out > 0 */
    double low, high; /* 95 % Student interval of the mean; NaN when n < 2 or as above */
    double win_share; /* share of all usable pairs in which a < b; NaN when n == 0 */
    double tie_share;
};
struct paired paired_difference(const double *a, const unsigned char *a_censored, const double *b,
                                const unsigned char *b_censored, size_t n);

/* Half width of the interval of a quantile relative to its value (or the middle of its bounds): the
 * precision reached. +infinity when an end of the interval is open. */
double quantile_precision(const struct quantile *q);
/* Wilson interval of a share k/n. */
void share_interval(size_t k, size_t n, double confidence, double *low, double *high);

#endif
