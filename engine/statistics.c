/* SPDX-License-Identifier: GPL-3.0-or-later
 * Order statistics, exact and free of any assumption about the distribution.
 *
 * With censoring, the k-th order statistic of the true values lies between that of the bounds (each
 * true value is at least its bound) and that of the values with every censored one moved to
 * infinity; it is known where both agree. Intervals take their lower end from the first and their
 * upper end from the second, so they hold whatever the censored values would have become. */
#include "engine/statistics.h"

#include "engine/double_sort.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

struct sample {
    size_t n, censored;
    double *lower; /* ascending: values and bounds */
    double *known; /* ascending: n - censored values; `lower` itself when none is censored */
};

static const double missing = (double)NAN;

struct sample *sample_new(const double *values, const unsigned char *censored, size_t n)
{
    struct sample *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    double *spare = malloc((n + 1) * sizeof *spare);
    s->lower = malloc((n + 1) * sizeof *s->lower);
    s->known = malloc((n + 1) * sizeof *s->known);
    if (spare == NULL || s->lower == NULL || s->known == NULL) {
        free(spare);
        sample_free(s);
        return NULL;
    }
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i])) {
            continue;
        }
        s->lower[s->n++] = values[i];
        if (censored != NULL && censored[i]) {
            s->censored++;
        } else {
            s->known[known++] = values[i];
        }
    }
    double_sort(s->lower, spare, s->n);
    if (s->censored == 0) {
        free(s->known);
        s->known = s->lower;
    } else {
        double_sort(s->known, spare, known);
    }
    free(spare);
    return s;
}

void sample_free(struct sample *s)
{
    if (s != NULL) {
        if (s->known != s->lower) {
            free(s->known);
        }
        free(s->lower);
        free(s);
    }
}

size_t sample_count(const struct sample *s)
{
    return s->n;
}

size_t sample_censored(const struct sample *s)
{
    return s->censored;
}

const double *sample_sorted(const struct sample *s)
{
    return s->lower;
}

/* ---- quantiles ---- */

/* Order statistic of rank k (from 1) with every censored value at infinity. */
static double upper_rank(const struct sample *s, size_t k)
{
    return k <= s->n - s->censored ? s->known[k - 1] : HUGE_VAL;
}

/* The values of B ~ Binomial(n, p), how many worlds lie below the quantile, that an interval of
 * ranks l, u stands for: l … u - 1. B = 0 means that the quantile lies below all, B = n above all.
 */
struct counts {
    size_t least, most;
};

/* What the interval may use. Both ends are order statistics if that is enough; else the end on the
 * quantile's own side is left open, else both. */
static struct counts usable_counts(size_t n, double p, double confidence)
{
    double all_below = pow(p, (double)n);      /* P(B = n) */
    double none_below = pow(1 - p, (double)n); /* P(B = 0) */
    if (1 - all_below - none_below >= confidence) {
        return (struct counts){1, n - 1};
    }
    bool upper_first = p >= 0.5;
    if (1 - (upper_first ? none_below : all_below) >= confidence) {
        return upper_first ? (struct counts){1, n} : (struct counts){0, n - 1};
    }
    return (struct counts){0, n};
}

/* The fewest successive values of B with probability >= confidence: as the probabilities rise to
 * the mode and fall behind it, taking the likelier neighbour each time finds them. */
static struct counts likeliest_counts(size_t n, double p, double confidence)
{
    const struct counts usable = usable_counts(n, p, confidence);
    const double odds = p / (1 - p);
    const double size = (double)n;
    size_t mode = (size_t)((size + 1) * p);
    mode = mode < usable.least ? usable.least : mode > usable.most ? usable.most : mode;
    struct counts c = {mode, mode};
    double sum = gsl_ran_binomial_pdf((unsigned)mode, p, (unsigned)n);
    double below = sum * (double)mode / (size - (double)mode + 1) / odds;   /* P(B = least - 1) */
    double above = sum * (size - (double)mode) / ((double)mode + 1) * odds; /* P(B = most + 1) */
    while (sum < confidence) {
        bool can_fall = c.least > usable.least;
        bool can_rise = c.most < usable.most;
        if (!can_fall && !can_rise) {
            break;
        }
        if (can_rise && (!can_fall || above >= below)) {
            double most = (double)++c.most;
            sum += above;
            above *= (size - most) / (most + 1) * odds;
        } else {
            double least = (double)--c.least;
            sum += below;
            below *= least / (size - least + 1) / odds;
        }
    }
    return c;
}

struct quantile sample_quantile(const struct sample *s, double p, double confidence)
{
    struct quantile q = {.value = missing,
                         .at_least = missing,
                         .at_most = HUGE_VAL,
                         .low = -HUGE_VAL,
                         .high = HUGE_VAL};
    if (s->n == 0) {
        return q;
    }
    /* n p may be a whole number that rounding put just above: 0.9 × 10 is the 9th, not the 10th. */
    size_t k = (size_t)ceil((double)s->n * p - 1e-9 * (double)s->n);
    k = k < 1 ? 1 : k > s->n ? s->n : k;
    q.at_least = s->lower[k - 1];
    q.at_most = upper_rank(s, k);
    q.known = q.at_most <= q.at_least;
    q.value = q.known ? q.at_least : missing;
    struct counts below = likeliest_counts(s->n, p, confidence);
    if (below.least >= 1) {
        q.low = s->lower[below.least - 1];
    }
    if (below.most < s->n) {
        q.high = upper_rank(s, below.most + 1);
    }
    return q;
}

double quantile_precision(const struct quantile *q)
{
    if (!isfinite(q->low) || !isfinite(q->high)) {
        return HUGE_VAL;
    }
    double half = (q->high - q->low) / 2;
    if (half <= 0) {
        return 0;
    }
    /* A quantile that censoring leaves between two bounds is as precise as the ends of its
     * interval, which allow for the censored values. */
    double size = fabs(q->known ? q->value : (q->at_least + q->at_most) / 2);
    return size > 0 && isfinite(size) ? half / size : HUGE_VAL;
}

/* ---- moments ---- */

double sample_mean(const struct sample *s)
{
    return s->n == 0 || s->censored > 0 ? missing : gsl_stats_mean(s->lower, 1, s->n);
}

double sample_sd(const struct sample *s)
{
    return s->n < 2 || s->censored > 0 ? missing : gsl_stats_sd(s->lower, 1, s->n);
}

double sample_mean_error(const struct sample *s)
{
    return sample_sd(s) / sqrt((double)s->n);
}

double sample_min(const struct sample *s)
{
    bool some_known = s->n > s->censored;
    return some_known && s->known[0] <= s->lower[0] ? s->known[0] : missing;
}

double sample_max(const struct sample *s)
{
    return s->n == 0 || s->censored > 0 ? missing : s->lower[s->n - 1];
}

double sample_share_below(const struct sample *s, double x)
{
    size_t low = 0;
    size_t high = s->n - s->censored;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->known[middle] <= x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return s->n == 0 ? missing : (double)low / (double)s->n;
}

/* ---- pairs and shares ---- */

struct paired paired_difference(const double *a, const unsigned char *a_censored, const double *b,
                                const unsigned char *b_censored, size_t n)
{
    struct paired p = {.mean = missing,
                       .low = missing,
                       .high = missing,
                       .win_share = missing,
                       .tie_share = missing};
    double mean = 0, squares = 0;
    size_t wins = 0, ties = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(a[i]) || isnan(b[i]) || (a_censored != NULL && a_censored[i]) ||
            (b_censored != NULL && b_censored[i])) {
            p.left_out++;
            continue;
        }
        double d = a[i] - b[i];
        p.n++;
        double off = d - mean;
        mean += off / (double)p.n;
        squares += off * (d - mean);
        wins += a[i] < b[i];
        ties += !(a[i] < b[i]) && !(a[i] > b[i]);
    }
    if (p.n == 0) {
        return p;
    }
    p.win_share = (double)wins / (double)p.n;
    p.tie_share = (double)ties / (double)p.n;
    if (p.left_out > 0) {
        return p;
    }
    p.mean = mean;
    if (p.n >= 2) {
        double freedom = (double)p.n - 1;
        double error = sqrt(squares / freedom / (double)p.n);
        double t = gsl_cdf_tdist_Pinv(0.975, freedom);
        p.low = mean - t * error;
        p.high = mean + t * error;
    }
    return p;
}

void share_interval(size_t k, size_t n, double confidence, double *low, double *high)
{
    if (n == 0) {
        *low = 0;
        *high = 1;
        return;
    }
    double z = gsl_cdf_ugaussian_Pinv(0.5 + confidence / 2);
    double size = (double)n;
    double share = (double)k / size;
    double middle = (share + z * z / (2 * size)) / (1 + z * z / size);
    double half =
        z / (1 + z * z / size) * sqrt(share * (1 - share) / size + z * z / (4 * size * size));
    *low = k == 0 ? 0 : fmax(0, middle - half);
    *high = k == n ? 1 : fmin(1, middle + half);
}
