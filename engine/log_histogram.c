/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/log_histogram.h"

#include <math.h>

void log_histogram_clear(struct log_histogram *h)
{
    memset(h, 0, sizeof *h);
}

static double begin_of(int64_t bin)
{
    int64_t octave = bin / LOG_HISTOGRAM_BINS_AN_OCTAVE, part = bin % LOG_HISTOGRAM_BINS_AN_OCTAVE;
    return ldexp(1.0 + (double)part / LOG_HISTOGRAM_BINS_AN_OCTAVE,
                 (int)octave + LOG_HISTOGRAM_FIRST_OCTAVE);
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
    int64_t last = 0;
    for (int64_t k = 0; k < LOG_HISTOGRAM_BINS; k++) {
        below += h->bins[k];
        last = h->bins[k] > 0 ? k : last;
        if (below >= wanted && h->bins[k] > 0) {
            break;
        }
    }
    return fmin(0.5 * (begin_of(last) + begin_of(last + 1)), h->largest);
}

double log_histogram_middle(size_t bin)
{
    return 0.5 * (begin_of((int64_t)bin) + begin_of((int64_t)bin + 1));
}

double log_histogram_share(const struct log_histogram *h, double value)
{
    if (!(h->weight > 0)) {
        return (double)NAN;
    }
    int64_t bin = log_histogram_bin(value);
    bin = bin < LOG_HISTOGRAM_BINS ? bin : LOG_HISTOGRAM_BINS - 1;
    double below = h->zero;
    for (int64_t k = 0; k < bin; k++) {
        below += h->bins[k];
    }
    if (bin >= 0) {
        double from = begin_of(bin), to = begin_of(bin + 1);
        below += h->bins[bin] * fmin((value - from) / (to - from), 1.0);
    }
    return below / h->weight;
}
