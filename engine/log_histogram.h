/* SPDX-License-Identifier: GPL-3.0-or-later
 * Quantiles of very many positive values in fixed memory: a histogram of bins whose ends grow by
 * one hundredth, so that a quantile is right to 0.5 % whatever its size. Histograms add up. Weights
 * may be fractions. */
#ifndef FLEETCAST_ENGINE_LOG_HISTOGRAM_H
#define FLEETCAST_ENGINE_LOG_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Values from a microsecond to about 10^8 s have bins of their own; smaller ones, zero and negative
 * ones included, count as 0, larger ones as the largest. */
#define LOG_HISTOGRAM_LEAST 1e-6
enum { LOG_HISTOGRAM_BINS = 3240 };

struct log_histogram {
    double zero;                     /* weight of values below the least */
    double bins[LOG_HISTOGRAM_BINS]; /* bin k: from least × 1.01^k on */
    double weight, sum;              /* of all; sum of weight × value, exact but for rounding */
    double largest;                  /* of all values */
};

void log_histogram_clear(struct log_histogram *h);
/* value finite, weight >= 0. */
void log_histogram_add(struct log_histogram *h, double value, double weight);
void log_histogram_merge(struct log_histogram *into, const struct log_histogram *from);
/* The value that a share p in [0, 1] of the weight does not exceed: the middle of its bin in the
 * logarithm, at most the largest value seen. NaN when there is no weight. */
double log_histogram_quantile(const struct log_histogram *h, double p);
/* Share of the weight at or below a value, as far as bins tell (the bin of the value counts by the
 * part below it). NaN when there is no weight. */
double log_histogram_share(const struct log_histogram *h, double value);

#endif
