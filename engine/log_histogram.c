/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/log_histogram.h"

#include <math.h>
#include <string.h>

#define LOG_GROWTH 0.009950330853168083 /* ln 1.01 */

void log_histogram_clear(struct log_histogram *h)
{
    memset(h, 0, sizeof *h);
}

/* In bins, whole ones and parts; below 0: none. */
static double place_of(double value)
{
    return log(value / LOG_HISTOGRAM_LEAST) / LOG_GROWTH;
}

void log_histogram_add(struct log_histogram *h, double value, double weight)
{
    h->weight += weight;
    h->sum += weight * value;
    h->largest = fmax(h->largest, value);
    if (!(value >= LOG_HISTOGRAM_LEAST)) {
        h->zero += weight;
        return;
    }
    double place = place_of(value);
    size_t bin = place < LOG_HISTOGRAM_BINS - 1 ? (size_t)place : LOG_HISTOGRAM_BINS - 1;
    h->bins[bin] += weight;
}

void log_histogram_merge(struct log_histogram *into, const struct log_histogram *from)
{
    into->zero += from->zero;
    for (size_t k = 0; k < LOG_HISTOGRAM_BINS; k++) {
        into->bins[k] += from->bins[k];
    }
    into->weight += from->weight;
    into->sum += from->sum;
    into->largest = fmax(into->largest, from->largest);
}

double log_histogram_quantile(const struct log_histogram *h, double p)
{
    if (!(h->weight > 0)) {
        return (double)NAN;
    }
    double below = h->zero, wanted = p * h->weight;
    if (below >= wanted && below > 0) {
        return 0;
    }
    size_t last = 0;
    for (size_t k = 0; k < LOG_HISTOGRAM_BINS; k++) {
        below += h->bins[k];
        last = h->bins[k] > 0 ? k : last;
        if (below >= wanted && h->bins[k] > 0) {
            break;
        }
    }
    return fmin(LOG_HISTOGRAM_LEAST * exp(((double)last + 0.5) * LOG_GROWTH), h->largest);
}

double log_histogram_share(const struct log_histogram *h, double value)
{
    if (!(h->weight > 0)) {
        return (double)NAN;
    }
    double below = h->zero;
    double place = value >= LOG_HISTOGRAM_LEAST ? place_of(value) : 0;
    size_t bin = place < LOG_HISTOGRAM_BINS - 1 ? (size_t)place : LOG_HISTOGRAM_BINS - 1;
    for (size_t k = 0; k < bin; k++) {
        below += h->bins[k];
    }
    if (value >= LOG_HISTOGRAM_LEAST) {
        below += h->bins[bin] * fmin(place - (double)bin, 1.0);
    }
    return below / h->weight;
}
