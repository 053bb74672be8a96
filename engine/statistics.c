/* SPDX-License-Identifier: GPL-3.0-or-later
 * With censoring, the k-th order statistic of the true values lies between that of the bounds (each
 * true value is at least its bound) and that of the values with every censored one moved to
 * infinity; it is known where both agree. */
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

/* P(B <= k) for B ~ Binomial(n, p), for any integer k. */
static double binomial_below(long k, double p, size_t n)
{
    return k < 0 ? 0 : k >= (long)n ? 1 : gsl_cdf_binomial_P((unsigned)k, p, (unsigned)n);
}

/* P(B <= k), walked upwards one k at a time: a call of the distribution function at every rank took
 * 14 s of a run of 2,000 worlds. The error is that of the first probability: 1e-8 of it at a
 * million worlds, far less below. */
struct binomial_walk {
    long k;
    double below, odds, next; /* P(B <= k), p / (1 - p), P(B = k + 1) */
};

static struct binomial_walk binomial_walk_at(long k, double p, size_t n)
{
    return (struct binomial_walk){
        .k = k,
        .below = binomial_below(k, p, n),
        .odds = p / (1 - p),
        .next = k + 1 > (long)n ? 0 : gsl_ran_binomial_pdf((unsigned)(k + 1), p, (unsigned)n),
    };
}

static void binomial_walk_step(struct binomial_walk *w, size_t n)
{
    w->k++;
    w->below = fmin(1, w->below + w->next);
    w->next *= fmax(0, (double)n - (double)w->k) / (double)(w->k + 1) * w->odds;
}

/* Ranks l < u of least distance with P(l <= B <= u - 1) >= confidence; l = 0 and u = n + 1 stand
 * for open ends. Of equally short ones the best covered, then the lowest. */
static void interval_ranks(size_t n, double p, double confidence, long *low, long *high)
{
    double centre = (double)n * p;
    double sd = sqrt(centre * (1 - p));
    long first = (long)floor(fmax(0, centre - 8 * sd - 4));
    long last = (long)ceil(fmin((double)n + 1, centre + 8 * sd + 4));
    double best = -1;
    *low = 0;
    *high = (long)n + 1;
    struct binomial_walk lower = binomial_walk_at(first - 1, p, n); /* P(B <= l - 1) */
    struct binomial_walk upper = binomial_walk_at(first, p, n);     /* P(B <= u - 1) */
    for (long l = first; l <= last; l++) {
        while (upper.k < l || (upper.k + 1 < last && upper.below - lower.below < confidence)) {
            binomial_walk_step(&upper, n);
        }
        double cover = upper.below - lower.below;
        long length = upper.k + 1 - l;
        long shortest = *high - *low;
        if (cover >= confidence &&
            (length < shortest || (length == shortest && cover > best + 1e-12))) {
            *low = l;
            *high = upper.k + 1;
            best = cover;
        }
        binomial_walk_step(&lower, n);
    }
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
    long l, u;
    interval_ranks(s->n, p, confidence, &l, &u);
    if (l >= 1) {
        q.low = s->lower[l - 1];
    }
    if (u >= 1 && u <= (long)s->n) {
        q.high = upper_rank(s, (size_t)u);
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
    return size > 0 ? half / size : HUGE_VAL;
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
    return s->n == 0 ? missing : s->lower[0];
}

double sample_max(const struct sample *s)
{
    return s->n == 0 || s->censored > 0 ? missing : s->lower[s->n - 1];
}

double sample_share_below(const struct sample *s, double x)
{
    size_t known = s->n - s->censored;
    size_t below = 0;
    while (below < known && s->known[below] <= x) {
        below++;
    }
    return s->n == 0 ? missing : (double)below / (double)s->n;
}

/* ---- pairs and shares ---- */

struct paired paired_difference(const double *a, const unsigned char *a_censored, const double *b,
                                const unsigned char *b_censored, size_t n)
{
    struct paired p = {.mean = missing, .low = missing, .high = missing};
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
