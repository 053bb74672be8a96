/* SPDX-License-Identifier: GPL-3.0-or-later
 * Quantiles of very many positive values in fixed memory: a histogram with 128 bins of equal width
 * in each octave, so that a quantile is right to 0.4 % whatever its size. The bin is read off the
 * bits of the number, without a logarithm. Histograms add up. Weights may be fractions. */
#ifndef FLEETCAST_ENGINE_LOG_HISTOGRAM_H
#define FLEETCAST_ENGINE_LOG_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Values from a millionth to 10^8 have bins of their own; smaller ones, zero and negative ones
 * included, count as 0, larger ones as the largest. */
enum {
    LOG_HISTOGRAM_FIRST_OCTAVE = -20,
    LOG_HISTOGRAM_OCTAVES = 47,
    LOG_HISTOGRAM_BINS_AN_OCTAVE = 128,
    LOG_HISTOGRAM_BINS = LOG_HISTOGRAM_OCTAVES * LOG_HISTOGRAM_BINS_AN_OCTAVE
};

struct log_histogram {
    double weight, sum; /* of all; sum of weight × value, exact but for rounding */
    double largest;     /* of all values */
    double zero;        /* weight of values below the least */
    double bins[LOG_HISTOGRAM_BINS];
};

void log_histogram_clear(struct log_histogram *h);
/* value finite, weight >= 0. Inline: some are added for every request. */
static inline void log_histogram_add(struct log_histogram *h, double value, double weight);
void log_histogram_merge(struct log_histogram *into, const struct log_histogram *from);
/* The value that a share p in [0, 1] of the weight does not exceed: the middle of its bin, at most
 * the largest value seen. NaN when there is no weight. */
double log_histogram_quantile(const struct log_histogram *h, double p);
/* The value in the middle of a bin. */
double log_histogram_middle(size_t bin);
/* Share of the weight at or below a value, as far as bins tell (the bin of the value counts by the
 * part below it). NaN when there is no weight. */
double log_histogram_share(const struct log_histogram *h, double value);

/* ---- private ---- */

/* From the least value on, as a double's bits count bins; negative: below it. */
static inline int64_t log_histogram_bin(double value)
{
    enum { BITS_OF_BIN = 7 };
    _Static_assert(1 << BITS_OF_BIN == LOG_HISTOGRAM_BINS_AN_OCTAVE, "bins are the upper bits");
    const int64_t first = (int64_t)(LOG_HISTOGRAM_FIRST_OCTAVE + 1023) << BITS_OF_BIN;
    int64_t bits;
    if (!(value > 0)) {
        return -1;
    }
    memcpy(&bits, &value, sizeof bits);
    return (bits >> (52 - BITS_OF_BIN)) - first;
}

static inline void log_histogram_add(struct log_histogram *h, double value, double weight)
{
    const int64_t bin = log_histogram_bin(value);
    h->weight += weight;
    h->sum += weight * value;
    h->largest = value > h->largest ? value : h->largest;
    if (bin < 0) {
        h->zero += weight;
    } else {
        h->bins[bin < LOG_HISTOGRAM_BINS ? bin : LOG_HISTOGRAM_BINS - 1] += weight;
    }
}

#endif
