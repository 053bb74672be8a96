/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/information_value.h"

#include "engine/rank_correlation.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

enum { FOLDS = 5, TERMS = 4 };

static const struct information_value unknown = {(double)NAN, (double)NAN, (double)NAN};

size_t information_best(const struct information_losses *l)
{
    size_t best = 0;
    double least = INFINITY;
    for (size_t k = 0; k < l->options; k++) {
        double sum = 0;
        for (size_t i = 0; i < l->n; i++) {
            sum += l->loss[k][i];
        }
        if (sum < least) {
            least = sum;
            best = k;
        }
    }
    return best;
}

/* Mean and interval of what is gained over the best option, loss by loss. */
static struct information_value value_of_gains(const double *gain, size_t n)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double before = mean;
        mean += (gain[i] - mean) / (double)(i + 1);
        squares += (gain[i] - before) * (gain[i] - mean);
    }
    double error = sqrt(squares / (double)(n - 1) / (double)n);
    double half = gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * error;
    return (struct information_value){fmax(0.0, mean), fmax(0.0, mean - half),
                                      fmax(0.0, mean + half)};
}

struct information_value information_value_of_all(const struct information_losses *l)
{
    double *gain = l->n < INFORMATION_MIN_WORLDS ? NULL : calloc(l->n, sizeof *gain);
    if (gain == NULL) {
        return unknown;
    }
    const size_t best = information_best(l);
    for (size_t i = 0; i < l->n; i++) {
        for (size_t k = 0; k < l->options; k++) {
            gain[i] = fmax(gain[i], l->loss[best][i] - l->loss[k][i]);
        }
    }
    struct information_value v = value_of_gains(gain, l->n);
    free(gain);
    return v;
}

/* ---- conditional means ---- */

/* A cubic in the normal score of x, by powers. */
struct cubic {
    double by[TERMS];
};

static double power_sum(const struct cubic *c, double z)
{
    return c->by[0] + z * (c->by[1] + z * (c->by[2] + z * c->by[3]));
}

/* Solves the normal equations a c = b in place, a symmetric and at least semidefinite, by Cholesky;
 * a direction that the worlds do not tell apart (an input of few values) gets 0. */
static void solve(double a[TERMS][TERMS], double b[TERMS], struct cubic *c)
{
    bool free_term[TERMS];
    for (int j = 0; j < TERMS; j++) {
        double pivot = a[j][j];
        for (int k = 0; k < j; k++) {
            pivot -= a[j][k] * a[j][k];
        }
        free_term[j] = !(pivot > 1e-9 * a[j][j]);
        double root = free_term[j] ? 0.0 : sqrt(pivot);
        for (int i = j + 1; i < TERMS; i++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++) {
                sum -= a[i][k] * a[j][k];
            }
            a[i][j] = free_term[j] ? 0.0 : sum / root;
        }
        a[j][j] = root;
    }
    for (int j = 0; j < TERMS; j++) {
        for (int k = 0; k < j; k++) {
            b[j] -= a[j][k] * b[k];
        }
        b[j] = free_term[j] ? 0.0 : b[j] / a[j][j];
    }
    for (int j = TERMS; j-- > 0;) {
        for (int k = j + 1; k < TERMS; k++) {
            b[j] -= a[k][j] * b[k];
        }
        b[j] = free_term[j] ? 0.0 : b[j] / a[j][j];
        c->by[j] = b[j];
    }
}

/* Least squares over all worlds but those of one fold. */
static struct cubic fit(const double *y, const double *z, size_t n, size_t without)
{
    double a[TERMS][TERMS] = {{0}}, b[TERMS] = {0};
    struct cubic c;
    for (size_t i = 0; i < n; i++) {
        double power[TERMS] = {1, z[i], z[i] * z[i], z[i] * z[i] * z[i]};
        for (int j = 0; j < TERMS && i % FOLDS != without; j++) {
            b[j] += power[j] * y[i];
            for (int k = 0; k <= j; k++) {
                a[j][k] += power[j] * power[k];
            }
        }
    }
    solve(a, b, &c);
    return c;
}

/* Normal scores of x: equal values have the same. False when out of memory. */
static bool score(const double *x, size_t n, double *z)
{
    struct ranking r;
    bool ok = ranking_init(&r, x, NULL, n) && r.known == n;
    for (size_t from = 0; ok && from < n;) {
        size_t to = from;
        while (to < n && !(x[r.order[to]] > x[r.order[from]])) {
            to++;
        }
        double middle = 0.5 * (double)(from + to) / (double)n;
        for (size_t i = from; i < to; i++) {
            z[r.order[i]] = gsl_cdf_ugaussian_Pinv(middle);
        }
        from = to;
    }
    ranking_release(&r);
    return ok;
}

/* What each world of a fold gains when the option is chosen by fits to the others. difference:
 * room for n. */
static void gain_in_fold(const struct information_losses *l, const double *z, size_t fold,
                         double *difference, double *expected, double *gain)
{
    const size_t best = information_best(l);
    for (size_t i = fold; i < l->n; i += FOLDS) {
        expected[i] = 0;
        gain[i] = 0;
    }
    for (size_t k = 0; k < l->options; k++) {
        if (k == best) {
            continue;
        }
        for (size_t i = 0; i < l->n; i++) {
            difference[i] = l->loss[best][i] - l->loss[k][i];
        }
        struct cubic c = fit(difference, z, l->n, fold);
        for (size_t i = fold; i < l->n; i += FOLDS) {
            double guess = power_sum(&c, z[i]);
            if (guess > expected[i]) {
                expected[i] = guess;
                gain[i] = difference[i];
            }
        }
    }
}

struct information_value information_value_of(const struct information_losses *l, const double *x)
{
    double *room = l->n < INFORMATION_MIN_WORLDS ? NULL : calloc(4 * l->n, sizeof *room);
    struct information_value v = unknown;
    if (room != NULL && score(x, l->n, room)) {
        double *difference = room + l->n, *expected = room + 2 * l->n, *gain = room + 3 * l->n;
        for (size_t fold = 0; fold < FOLDS; fold++) {
            gain_in_fold(l, room, fold, difference, expected, gain);
        }
        v = value_of_gains(gain, l->n);
    }
    free(room);
    return v;
}
