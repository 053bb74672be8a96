/* SPDX-License-Identifier: GPL-3.0-or-later
 * An input's luck is one uniform of a source of its own, so that adding an input changes no other.
 * Tied inputs go through a normal copula (Nelsen, An Introduction to Copulas, 2nd ed.,
 * section 2.9): their uniforms become normal scores z, the scores become L z with L the Cholesky
 * factor of the stated correlations, and these become uniforms again. Tied inputs are ordered by
 * first mention: row i of L needs the rows before it only, so that a tie stated later leaves the
 * earlier draws alone. */
#include "engine/inputs.h"

#include <assert.h>
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_matrix.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The stated correlations are shrunk by this much, so that rho = 1 and other exact dependences,
 * which are legal, stay positive definite under rounding; no draw can show the difference. */
#define SHRINK 1e-12

struct tie {
    int a, b;
    double rho;
};

struct inputs {
    struct arena *arena;
    struct input *items;
    size_t count, capacity;
    struct tie *ties;
    size_t tie_count, tie_capacity;
    int members[INPUTS_MAX_CORRELATED]; /* tied inputs in the order of first mention */
    size_t member_count;
    int *position;  /* of each input among the members, or -1; made by inputs_prepare */
    double *factor; /* lower triangle of L, row after row, member_count wide */
    bool prepared;
    const char **files;
    size_t file_count, file_capacity;
};

/* ---- variates ------------------------------------------------------------------------------- */

struct variate variate_constant(double value)
{
    return (struct variate){.family = DISTRIBUTION_CONSTANT,
                            .p = {NUMBER_CERTAIN(value), NUMBER_CERTAIN(0), NUMBER_CERTAIN(0)},
                            .low = -HUGE_VAL,
                            .high = HUGE_VAL};
}

static void put_in_order(double *a, double *b)
{
    if (*a > *b) {
        double t = *a;
        *a = *b;
        *b = t;
    }
}

bool variate_resolve(const struct variate *v, const double *drawn, struct distribution *out)
{
    double p[3], outside = 0;
    char message[200];

    for (size_t i = 0; i < 3; i++)
        p[i] = number_value(&v->p[i], drawn);
    if (v->family == DISTRIBUTION_UNIFORM || v->family == DISTRIBUTION_TRIANGULAR || v->p1_is_p95)
        put_in_order(&p[0], &p[1]);
    if (v->family == DISTRIBUTION_TRIANGULAR) {
        put_in_order(&p[1], &p[2]);
        put_in_order(&p[0], &p[1]);
    }
    if (v->family == DISTRIBUTION_CONSTANT)
        p[0] = fmin(fmax(p[0], v->low), v->high);
    if (v->p1_is_p95) {
        if (!(p[0] > 0))
            return false;
        p[1] = distribution_lognormal(p[0], p[1]).p[1];
    }
    *out = (struct distribution){.family = v->family,
                                 .p = {p[0], p[1], p[2]},
                                 .values = v->values,
                                 .value_count = v->value_count,
                                 .low = v->low,
                                 .high = v->high};
    if (distribution_prepare(out, &outside, message, sizeof(message)))
        return true;
    return outside > 0.2 && out->u_low < out->u_high; /* refused for what is cut, and prepared */
}

double variate_planned_mean(const struct variate *v)
{
    struct distribution d;

    return variate_resolve(v, NULL, &d) ? distribution_mean(&d) : 0;
}

/* ---- inputs --------------------------------------------------------------------------------- */

struct inputs *inputs_new(struct arena *a)
{
    struct inputs *in = arena_alloc(a, sizeof(*in));

    if (in != NULL)
        in->arena = a;
    return in;
}

int inputs_find(const struct inputs *in, const char *name)
{
    uint64_t source = random_source("input/%s", name);

    for (size_t i = 0; i < in->count; i++)
        if (in->items[i].source == source && strcmp(in->items[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* Room for one more of `size` bytes; doubles within the arena. False when memory is out. */
static bool grow(struct arena *a, void **items, size_t count, size_t *capacity, size_t size)
{
    size_t wanted = *capacity == 0 ? 16 : *capacity * 2;
    void *grown;

    if (count < *capacity)
        return true;
    grown = arena_array(a, wanted, size);
    if (grown == NULL)
        return false;
    if (count > 0)
        memcpy(grown, *items, count * size);
    *items = grown;
    *capacity = wanted;
    return true;
}

int inputs_add(struct inputs *in, const char *name, const char *unit, const struct distribution *d)
{
    struct input item = {.distribution = *d, .source = random_source("input/%s", name)};
    void *items = in->items;

    if (in->count == INPUTS_MAX || inputs_find(in, name) >= 0)
        return -1;
    item.name = arena_string(in->arena, name);
    item.unit = arena_string(in->arena, unit);
    if (item.name == NULL || item.unit == NULL ||
        !grow(in->arena, &items, in->count, &in->capacity, sizeof(item)))
        return -1;
    in->items = items;
    in->items[in->count] = item;
    in->prepared = false;
    return (int)in->count++;
}

size_t inputs_count(const struct inputs *in)
{
    return in->count;
}

const struct input *inputs_at(const struct inputs *in, size_t index)
{
    assert(index < in->count);
    return &in->items[index];
}

/* ---- files ---------------------------------------------------------------------------------- */

bool inputs_note_file(struct inputs *in, const char *name)
{
    void *files = in->files;

    for (size_t i = 0; i < in->file_count; i++)
        if (strcmp(in->files[i], name) == 0)
            return true;
    if (!grow(in->arena, &files, in->file_count, &in->file_capacity, sizeof(*in->files)))
        return false;
    in->files = files;
    in->files[in->file_count] = arena_string(in->arena, name);
    return in->files[in->file_count] != NULL && ++in->file_count > 0;
}

size_t inputs_files(const struct inputs *in)
{
    return in->file_count;
}

const char *inputs_file(const struct inputs *in, size_t index)
{
    assert(index < in->file_count);
    return in->files[index];
}

/* ---- ties ----------------------------------------------------------------------------------- */

/* Index among the members, or member_count. */
static size_t member_of(const struct inputs *in, int input)
{
    size_t i = 0;

    while (i < in->member_count && in->members[i] != input)
        i++;
    return i;
}

bool inputs_correlate(struct inputs *in, int a, int b, double rho)
{
    void *ties = in->ties;
    size_t more;

    if (a == b || a < 0 || b < 0 || (size_t)a >= in->count || (size_t)b >= in->count ||
        !(rho >= -1 && rho <= 1))
        return false;
    for (size_t i = 0; i < in->tie_count; i++) {
        const struct tie *t = &in->ties[i];
        if ((t->a == a && t->b == b) || (t->a == b && t->b == a))
            return false;
    }
    more = (size_t)(member_of(in, a) == in->member_count) +
           (size_t)(member_of(in, b) == in->member_count);
    if (in->member_count + more > INPUTS_MAX_CORRELATED ||
        !grow(in->arena, &ties, in->tie_count, &in->tie_capacity, sizeof(*in->ties)))
        return false;
    in->ties = ties;
    in->ties[in->tie_count++] = (struct tie){a, b, rho};
    if (member_of(in, a) == in->member_count)
        in->members[in->member_count++] = a;
    if (member_of(in, b) == in->member_count)
        in->members[in->member_count++] = b;
    in->prepared = false;
    return true;
}

/* Factorises the leading n × n correlations into m, which is at least n × n. */
static bool factorise(const struct inputs *in, gsl_matrix *m, size_t n)
{
    gsl_matrix_view leading = gsl_matrix_submatrix(m, 0, 0, n, n);

    gsl_matrix_set_identity(&leading.matrix);
    for (size_t i = 0; i < in->tie_count; i++) {
        size_t row = member_of(in, in->ties[i].a), column = member_of(in, in->ties[i].b);
        double rho = in->ties[i].rho * (1 - SHRINK);
        if (row >= n || column >= n)
            continue;
        gsl_matrix_set(&leading.matrix, row, column, rho);
        gsl_matrix_set(&leading.matrix, column, row, rho);
    }
    return gsl_linalg_cholesky_decomp1(&leading.matrix) == GSL_SUCCESS;
}

/* The first input with which the correlations cannot hold: leading blocks are possible up to it. */
static const char *impossible_from(const struct inputs *in, gsl_matrix *m)
{
    size_t good = 1, bad = in->member_count;

    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;
        if (factorise(in, m, middle))
            good = middle;
        else
            bad = middle;
    }
    return in->items[in->members[bad - 1]].name;
}

bool inputs_prepare(struct inputs *in, char *message, size_t message_size)
{
    size_t n = in->member_count;
    gsl_matrix *m;
    bool good = false;

    in->position = arena_array(in->arena, in->count, sizeof(*in->position));
    in->factor = arena_array(in->arena, n * n, sizeof(*in->factor));
    m = n == 0 ? NULL : gsl_matrix_alloc(n, n);
    if (in->position == NULL || in->factor == NULL || (n > 0 && m == NULL)) {
        snprintf(message, message_size, "out of memory for the uncertain inputs");
    } else {
        for (size_t i = 0; i < in->count; i++)
            in->position[i] = -1;
        for (size_t i = 0; i < n; i++)
            in->position[in->members[i]] = (int)i;
        good = n == 0 || factorise(in, m, n);
        for (size_t i = 0; good && i < n; i++)
            for (size_t j = 0; j <= i; j++)
                in->factor[i * n + j] = gsl_matrix_get(m, i, j);
        if (!good)
            snprintf(message, message_size,
                     "the stated correlations cannot all hold together once '%s' is among them (a "
                     "pair that is not stated counts as 0)",
                     impossible_from(in, m));
    }
    if (m != NULL)
        gsl_matrix_free(m);
    in->prepared = good;
    return good;
}

/* ---- drawing -------------------------------------------------------------------------------- */

/* The uniform of a normal score, kept inside the open interval. */
static double uniform_of(double z)
{
    return fmin(fmax(gsl_cdf_ugaussian_P(z), 0x1p-53), 1 - 0x1p-53);
}

void inputs_draw(const struct inputs *in, struct random_world w, double *values)
{
    double z[INPUTS_MAX_CORRELATED], u[INPUTS_MAX_CORRELATED];
    size_t n = in->member_count;

    assert(in->prepared);
    for (size_t i = 0; i < n; i++) {
        u[i] = random_uniform_at(w, in->items[in->members[i]].source, 0);
        z[i] = gsl_cdf_ugaussian_Pinv(u[i]);
    }
    for (size_t i = 0; i < in->count; i++) {
        int k = in->position[i];
        const struct input *item = &in->items[i];
        double score = 0, luck;
        if (k < 0) {
            luck = random_uniform_at(w, item->source, 0);
        } else {
            for (size_t j = 0; j <= (size_t)k; j++)
                score += in->factor[(size_t)k * n + j] * z[j];
            luck = score == z[k] ? u[k] : uniform_of(score);
        }
        values[i] = distribution_quantile(&item->distribution, luck);
    }
}
