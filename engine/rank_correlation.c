/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/rank_correlation.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define ALPHA 0.05

static bool is_beyond(const struct ranking *r, uint32_t i)
{
    return r->beyond != NULL && r->beyond[i] != 0;
}

/* -1, 0, 1: all that is beyond is equal, and more than the rest. */
static int compare(const struct ranking *r, uint32_t a, uint32_t b)
{
    bool a_beyond = is_beyond(r, a), b_beyond = is_beyond(r, b);
    if (a_beyond || b_beyond) {
        return (int)a_beyond - (int)b_beyond;
    }
    return (r->values[a] > r->values[b]) - (r->values[a] < r->values[b]);
}

static int by_value(const void *a, const void *b, void *context)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = compare(context, x, y);
    return order != 0 ? order : (x > y) - (x < y);
}

bool ranking_init(struct ranking *r, const double *values, const unsigned char *beyond, size_t n)
{
    assert(n < UINT32_MAX);
    *r = (struct ranking){.n = n, .values = values, .beyond = beyond};
    r->order = malloc((n + 1) * sizeof *r->order);
    r->rank = malloc((n + 1) * sizeof *r->rank);
    if (r->order == NULL || r->rank == NULL) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (!isnan(values[i])) {
            r->order[r->known++] = (uint32_t)i;
        }
    }
    qsort_r(r->order, r->known, sizeof *r->order, by_value, r);
    return true;
}

void ranking_release(struct ranking *r)
{
    free(r->order);
    free(r->rank);
    r->order = NULL;
    r->rank = NULL;
}

/* Ranks from 1 within the worlds in which `other` is there too; 0 elsewhere. Returns their number.
 */
static size_t rank_within(struct ranking *r, const struct ranking *other)
{
    size_t count = 0;
    for (size_t i = 0; i < r->n; i++) {
        r->rank[i] = 0;
    }
    for (size_t from = 0; from < r->known;) {
        size_t to = from, tied = 0;
        while (to < r->known && compare(r, r->order[from], r->order[to]) == 0) {
            tied += isnan(other->values[r->order[to++]]) ? 0 : 1;
        }
        for (size_t i = from; i < to; i++) {
            if (!isnan(other->values[r->order[i]])) {
                r->rank[r->order[i]] = (double)count + 0.5 * ((double)tied + 1);
            }
        }
        count += tied;
        from = to;
    }
    return count;
}

/* Half the width of the interval of Fisher's z. */
static double half_width(double value, double n, double alpha)
{
    double sd = sqrt((1 + 0.5 * value * value) / (n - 3));
    return gsl_cdf_ugaussian_Pinv(1 - 0.5 * alpha) * sd;
}

/* The correlation next to a perfect one: two neighbours exchanged. */
static double next_to_perfect(double n)
{
    return 1 - 12 / (n * (n * n - 1));
}

static void find_interval(struct rank_correlation *c)
{
    const double n = (double)c->n, most = next_to_perfect(n);
    double r = fmax(-most, fmin(most, c->value));
    double z = atanh(r), half = half_width(r, n, ALPHA);
    c->low = c->value <= -most ? -1.0 : tanh(z - half);
    c->high = c->value >= most ? 1.0 : tanh(z + half);
}

struct rank_correlation rank_correlation(struct ranking *a, struct ranking *b)
{
    assert(a->n == b->n);
    struct rank_correlation c = {
        .n = rank_within(a, b), .value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    const double mean = 0.5 * ((double)c.n + 1);
    double ab = 0, aa = 0, bb = 0;
    (void)rank_within(b, a);
    for (size_t i = 0; i < a->n; i++) {
        if (a->rank[i] > 0 && b->rank[i] > 0) {
            double x = a->rank[i] - mean, y = b->rank[i] - mean;
            ab += x * y;
            aa += x * x;
            bb += y * y;
        }
    }
    if (c.n < 2 || !(aa > 0) || !(bb > 0)) {
        return c;
    }
    c.value = fmax(-1.0, fmin(1.0, ab / sqrt(aa * bb)));
    if (c.n >= 4) {
        find_interval(&c);
    }
    return c;
}

bool rank_correlation_is_clear(double value, double n, double alpha)
{
    if (!isfinite(value) || !(n >= 4)) {
        return false;
    }
    double most = next_to_perfect(n), r = fmin(most, fabs(value));
    return atanh(r) > half_width(r, n, alpha);
}
