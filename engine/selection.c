/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/selection.h"

#include "engine/double_sort.h"
#include "engine/random.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Draws for the critical value: 95 % is then known to 0.34 %. */
#define DRAWS 4096
/* Beyond so many alternatives the draws would cost more than they save: Bonferroni's bound. */
#define MOST_DRAWN 128
/* Worlds taken at once for the covariances. */
#define BLOCK 512
/* Worlds from which Student's t is as good as normal. */
#define LARGE 2000
/* A difference, or an error of it, below this share of the values is rounding. */
#define ROUNDING 1e-11

/* What is known of one estimate. */
struct estimated {
    double value;
    double slope;  /* of a quantile 1/f; of a mean 1 */
    double middle; /* mean of the indicator, or of the values */
    double step;   /* of a quantile among values that come in steps: its error by that */
};

struct selecting {
    const struct selection_request *q;
    struct estimated *one;
    double *covariance; /* [alternative][alternative], of the contributions of one world */
};

/* ---- estimates ---- */

/* Half width in probability: alpha = 5 %. */
static double hall_sheather(double p, double n)
{
    const double z = gsl_cdf_ugaussian_Pinv(p), density = gsl_ran_ugaussian_pdf(z);
    return pow(n, -1.0 / 3) * pow(1.959963984540054, 2.0 / 3) *
           pow(1.5 * density * density / (2 * z * z + 1), 1.0 / 3);
}

static size_t rank_of(double p, size_t n)
{
    const double size = (double)n;
    const double k = ceil(size * p - 1e-9 * size); /* as sample_quantile */
    return k < 1 ? 0 : k > size ? n - 1 : (size_t)k - 1;
}

/* Where most values have equals the quantile jumps from step to step, which no density describes:
 * the widest step between the ranks. 0 where they do not. */
static double step_between(const double *sorted, size_t low, size_t high)
{
    double widest = 0;
    size_t distinct = 0;
    for (size_t i = low + 1; i <= high; i++) {
        if (sorted[i] > sorted[i - 1]) {
            distinct++;
            widest = fmax(widest, sorted[i] - sorted[i - 1]);
        }
    }
    return 2 * distinct < high - low ? widest : 0;
}

static void estimate_quantile(struct estimated *e, const double *values, size_t n, double p,
                              double *sorted, double *spare)
{
    memcpy(sorted, values, n * sizeof *sorted);
    double_sort(sorted, spare, n);
    const size_t k = rank_of(p, n);
    e->value = sorted[k];
    const size_t half = (size_t)ceil(hall_sheather(p, (double)n) * (double)n);
    const size_t low = k > half ? k - half : 0, high = k + half < n ? k + half : n - 1;
    e->slope =
        high > low ? (sorted[high] - sorted[low]) * (double)n / (double)(high - low) : HUGE_VAL;
    /* The dearest, or the cheapest, of so few worlds says nothing of what lies beyond it. */
    if ((k == n - 1 || (double)n * p < 1) && sorted[0] < sorted[n - 1]) {
        e->slope = HUGE_VAL;
    }
    e->step = step_between(sorted, low, high);
    size_t below = k + 1;
    while (below < n && sorted[below] <= e->value) {
        below++;
    }
    e->middle = (double)below / (double)n;
}

static void estimate_mean(struct estimated *e, const double *values, size_t n)
{
    double mean = 0;
    for (size_t i = 0; i < n; i++) {
        mean += (values[i] - mean) / (double)(i + 1);
    }
    *e = (struct estimated){.value = mean, .slope = 1, .middle = mean};
}

static bool estimate_all(struct selecting *s)
{
    const struct selection_request *q = s->q;
    double *sorted = malloc((q->worlds + 1) * sizeof *sorted);
    double *spare = malloc((q->worlds + 1) * sizeof *spare);
    const bool ok = sorted != NULL && spare != NULL;
    for (size_t k = 0; ok && k < q->count; k++) {
        if (q->p > 0) {
            estimate_quantile(&s->one[k], q->values[k], q->worlds, q->p, sorted, spare);
        } else {
            estimate_mean(&s->one[k], q->values[k], q->worlds);
        }
    }
    free(sorted);
    free(spare);
    return ok;
}

/* ---- covariances ---- */

static void contributions(const struct selecting *s, size_t k, size_t from, size_t n, double *out)
{
    const double *values = s->q->values[k] + from;
    const struct estimated *e = &s->one[k];
    for (size_t i = 0; i < n; i++) {
        out[i] = s->q->p > 0 ? e->slope * (e->middle - (values[i] <= e->value ? 1 : 0))
                             : values[i] - e->middle;
    }
}

/* Sums over a block of worlds: all rows side by side in a cache. */
static void add_block(struct selecting *s, const double *rows, size_t n)
{
    const size_t count = s->q->count;
    for (size_t k = 0; k < count; k++) {
        for (size_t l = 0; l <= k; l++) {
            const double *a = rows + k * BLOCK, *b = rows + l * BLOCK;
            double sum = 0;
            for (size_t i = 0; i < n; i++) {
                sum += a[i] * b[i];
            }
            s->covariance[k * count + l] += sum;
        }
    }
}

static bool find_covariances(struct selecting *s)
{
    const size_t count = s->q->count, n = s->q->worlds;
    double *rows = malloc(count * BLOCK * sizeof *rows);
    for (size_t from = 0; rows != NULL && from < n; from += BLOCK) {
        const size_t some = n - from < BLOCK ? n - from : BLOCK;
        for (size_t k = 0; k < count; k++) {
            contributions(s, k, from, some, rows + k * BLOCK);
        }
        add_block(s, rows, some);
    }
    const bool ok = rows != NULL;
    free(rows);
    for (size_t k = 0; ok && k < count; k++) {
        for (size_t l = 0; l <= k; l++) {
            s->covariance[k * count + l] /= (double)n - 1;
            s->covariance[l * count + k] = s->covariance[k * count + l];
        }
    }
    return ok;
}

static bool is_rounding(const struct selecting *s, size_t k, size_t l, double difference)
{
    const double size = fmax(fabs(s->one[k].value), fabs(s->one[l].value));
    return fabs(difference) <= ROUNDING * size;
}

/* Standard error of the difference of two estimates; infinite when nothing is known. */
static double error_of(const struct selecting *s, size_t k, size_t l)
{
    const size_t count = s->q->count;
    const double *c = s->covariance;
    const double variance = c[k * count + k] + c[l * count + l] - 2 * c[k * count + l];
    if (!isfinite(variance) || s->q->worlds < 2) {
        return HUGE_VAL;
    }
    const double error = sqrt(fmax(0, variance) / (double)s->q->worlds);
    /* What is left of two large variances is rounding too. */
    const double spread = sqrt(fmax(c[k * count + k], c[l * count + l]) / (double)s->q->worlds);
    return is_rounding(s, k, l, error) || error <= 1e-7 * spread ? 0 : error;
}

/* ---- the largest of all |t| ---- */

/* Lower triangle L, L L' = covariance; a row that the others determine is left zero. */
static bool cholesky(const struct selecting *s, double *lower)
{
    const size_t count = s->q->count;
    for (size_t j = 0; j < count; j++) {
        double rest = s->covariance[j * count + j];
        if (!isfinite(rest)) {
            return false;
        }
        const double whole = rest;
        for (size_t m = 0; m < j; m++) {
            rest -= lower[j * count + m] * lower[j * count + m];
        }
        const double pivot = rest > 1e-12 * whole ? sqrt(rest) : 0;
        lower[j * count + j] = pivot;
        for (size_t i = j + 1; i < count; i++) {
            double sum = s->covariance[i * count + j];
            for (size_t m = 0; m < j; m++) {
                sum -= lower[i * count + m] * lower[j * count + m];
            }
            lower[i * count + j] = pivot > 0 ? sum / pivot : 0;
        }
    }
    return true;
}

static double largest_t(const struct selecting *s, const double *z, const double *per_error)
{
    const size_t count = s->q->count;
    double largest = 0;
    for (size_t k = 1; k < count; k++) {
        for (size_t l = 0; l < k; l++) {
            largest = fmax(largest, fabs(z[k] - z[l]) * per_error[k * count + l]);
        }
    }
    return largest;
}

struct drawing {
    double *lower, *per_error, *normal, *z;
};

static void drawing_release(struct drawing *w)
{
    free(w->lower);
    free(w->per_error);
    free(w->normal);
    free(w->z);
}

static bool drawing_init(struct drawing *w, size_t count)
{
    w->lower = calloc(count * count, sizeof *w->lower);
    w->per_error = calloc(count * count, sizeof *w->per_error);
    w->normal = calloc(count, sizeof *w->normal);
    w->z = calloc(count, sizeof *w->z);
    return w->lower != NULL && w->per_error != NULL && w->normal != NULL && w->z != NULL;
}

/* What turns a normal draw into one of Student's t: sqrt(freedom / chi-squared), by Wilson &
 * Hilferty's cube (PNAS 17, 1931). */
static double t_scale(struct random_stream *stream, double freedom)
{
    const double part = 2 / (9 * freedom);
    const double root = fmax(1 - part + random_normal(stream) * sqrt(part), 1e-3);
    return 1 / sqrt(root * root * root);
}

/* DRAWS values of the largest |t|, ascending. */
static void draw_all(const struct selecting *s, struct drawing *w, double *largest, double *spare)
{
    const size_t count = s->q->count;
    const double freedom = (double)s->q->worlds - 1;
    struct random_stream stream;
    random_stream_init(&stream, (struct random_world){.seed = 1, .replication = RANDOM_FIRST_FIT},
                       random_source("selection/contrast"));
    for (size_t k = 1; k < count; k++) {
        for (size_t l = 0; l < k; l++) {
            const double error = error_of(s, k, l) * sqrt((double)s->q->worlds);
            w->per_error[k * count + l] = error > 0 && isfinite(error) ? 1 / error : 0;
        }
    }
    for (size_t d = 0; d < DRAWS; d++) {
        random_normals(&stream, w->normal, count);
        for (size_t k = 0; k < count; k++) {
            double sum = 0;
            for (size_t m = 0; m <= k; m++) {
                sum += w->lower[k * count + m] * w->normal[m];
            }
            w->z[k] = sum;
        }
        const double scale = s->q->worlds >= LARGE ? 1 : t_scale(&stream, freedom);
        largest[d] = largest_t(s, w->z, w->per_error) * scale;
    }
    double_sort(largest, spare, DRAWS);
}

static double bonferroni(const struct selection_request *q)
{
    const double pairs = (double)q->count * (double)(q->count - 1) / 2;
    return gsl_cdf_tdist_Qinv((1 - q->confidence) / 2 / pairs, (double)q->worlds - 1);
}

/* The draws, sorted, and the critical value; *drawn false: Bonferroni's is all there is. */
static bool find_critical(const struct selecting *s, double *largest, bool *drawn, double *critical)
{
    const struct selection_request *q = s->q;
    *critical = q->worlds < 2 ? HUGE_VAL : bonferroni(q);
    *drawn = false;
    /* Of one pair it is Student's t, exactly. */
    if (q->count <= 2 || q->count > MOST_DRAWN || q->worlds < 2) {
        return true;
    }
    struct drawing w = {0};
    double *spare = malloc(DRAWS * sizeof *spare);
    const bool ok = drawing_init(&w, q->count) && spare != NULL;
    if (ok && cholesky(s, w.lower)) {
        draw_all(s, &w, largest, spare);
        const size_t rank = (size_t)ceil(q->confidence * DRAWS);
        *critical = fmin(*critical, largest[rank < DRAWS ? rank : DRAWS - 1]);
        *drawn = true;
    }
    drawing_release(&w);
    free(spare);
    return ok;
}

/* ---- the choice ---- */

static void find_best(struct selection *s, size_t count)
{
    s->best = 0;
    for (size_t k = 1; k < count; k++) {
        s->best = s->one[k].value < s->one[s->best].value ? k : s->best;
    }
    s->second = s->best;
    for (size_t k = 0; k < count; k++) {
        if (k != s->best && (s->second == s->best || s->one[k].value < s->one[s->second].value)) {
            s->second = k;
        }
    }
}

/* The confidence up to which |t| stays below the smallest of those to the best. */
static double how_sure(const struct selection_request *q, double least_t, const double *largest,
                       bool drawn)
{
    if (!(least_t > 0)) {
        return 0;
    }
    if (isinf(least_t)) {
        return 1;
    }
    if (!drawn) {
        const double pairs = (double)q->count * (double)(q->count - 1) / 2;
        return fmax(0, 1 - 2 * pairs * gsl_cdf_tdist_Q(least_t, (double)q->worlds - 1));
    }
    size_t below = 0;
    while (below < DRAWS && largest[below] < least_t) {
        below++;
    }
    /* Never 1: one draw more might have been larger. */
    return (double)below / (DRAWS + 1);
}

static void compare(struct selection *out, const struct selecting *s, double critical,
                    const double *largest, bool drawn)
{
    const size_t count = s->q->count, best = out->best;
    double least_t = HUGE_VAL;
    out->at_most = 0;
    for (size_t k = 0; k < count; k++) {
        struct selection_one *one = &out->one[k];
        const double gap = one->value - out->one[best].value;
        const double error = k == best ? 0 : error_of(s, k, best);
        const double step = k == best ? 0 : s->one[k].step + s->one[best].step;
        const double half = (error > 0 ? critical * error : 0) + step;
        one->difference = k == best || is_rounding(s, k, best, gap) ? 0 : gap;
        one->low = one->difference - half;
        one->high = one->difference + half;
        one->level = !(one->low > 0);
        if (k == best) {
            continue;
        }
        out->at_most = fmax(out->at_most, -one->low);
        least_t = fmin(least_t, one->difference > step ? (one->difference - step) / error : 0);
        if (k == out->second) {
            const double ratio = half / one->difference;
            out->worlds_needed =
                one->difference > 0 ? ceil((double)s->q->worlds * ratio * ratio) : HUGE_VAL;
        }
    }
    out->sure = count == 1 ? 1 : how_sure(s->q, least_t, largest, drawn);
}

bool selection_make(struct selection *out, const struct selection_request *q)
{
    struct selecting s = {.q = q};
    double critical;
    bool drawn;
    double *largest = malloc(DRAWS * sizeof *largest);
    *out = (struct selection){.one = calloc(q->count + 1, sizeof *out->one)};
    s.one = calloc(q->count + 1, sizeof *s.one);
    s.covariance = calloc(q->count * q->count + 1, sizeof *s.covariance);
    const bool ok = largest != NULL && out->one != NULL && s.one != NULL && s.covariance != NULL &&
                    estimate_all(&s) && find_covariances(&s) &&
                    find_critical(&s, largest, &drawn, &critical);
    if (ok) {
        for (size_t k = 0; k < q->count; k++) {
            out->one[k].value = s.one[k].value;
        }
        find_best(out, q->count);
        compare(out, &s, critical, largest, drawn);
    }
    free(largest);
    free(s.one);
    free(s.covariance);
    return ok;
}

void selection_release(struct selection *s)
{
    free(s->one);
    s->one = NULL;
}
