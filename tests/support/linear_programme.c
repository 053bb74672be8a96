/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/linear_programme.h"

#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>

#define ZERO 1e-9

/* Slacks: A x - s = b as -A x + s = -b. The last row is the objective, the last column the right
 * hand side. */
struct tableau {
    double *cell;
    size_t rows, width;
    size_t *basis;
};

static double *at(const struct tableau *t, size_t row, size_t column)
{
    return &t->cell[row * t->width + column];
}

static void pivot(struct tableau *t, size_t row, size_t column)
{
    const double by = *at(t, row, column);
    for (size_t k = 0; k < t->width; k++) {
        *at(t, row, k) /= by;
    }
    for (size_t i = 0; i <= t->rows; i++) {
        const double times = *at(t, i, column);
        for (size_t k = 0; i != row && fabs(times) > 0 && k < t->width; k++) {
            *at(t, i, k) -= times * *at(t, row, k);
        }
    }
    t->basis[row] = column;
}

/* The row that is violated most; t->rows: none. */
static size_t leaving(const struct tableau *t)
{
    size_t worst = t->rows;
    for (size_t i = 0; i < t->rows; i++) {
        const double value = *at(t, i, t->width - 1);
        if (value < -ZERO && (worst == t->rows || value < *at(t, worst, t->width - 1))) {
            worst = i;
        }
    }
    return worst;
}

static size_t entering(const struct tableau *t, size_t row)
{
    size_t best = t->width;
    double least = HUGE_VAL;
    for (size_t k = 0; k + 1 < t->width; k++) {
        const double cell = *at(t, row, k);
        if (cell < -ZERO && *at(t, t->rows, k) / -cell < least - ZERO) {
            least = *at(t, t->rows, k) / -cell;
            best = k;
        }
    }
    return best;
}

double linear_programme(const double *c, const double *a, const double *b, size_t rows,
                        size_t columns, double *x)
{
    struct tableau t = {.rows = rows, .width = columns + rows + 1};
    t.cell = calloc((rows + 1) * t.width, sizeof *t.cell);
    t.basis = calloc(rows, sizeof *t.basis);
    assert_true(t.cell != NULL && t.basis != NULL);
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < columns; k++) {
            *at(&t, i, k) = -a[i * columns + k];
        }
        *at(&t, i, columns + i) = 1;
        *at(&t, i, t.width - 1) = -b[i];
        t.basis[i] = columns + i;
    }
    for (size_t k = 0; k < columns; k++) {
        *at(&t, rows, k) = c[k];
    }
    for (size_t row = leaving(&t), n = 0; row < rows; row = leaving(&t), n++) {
        const size_t column = entering(&t, row);
        assert_true(column < t.width && n < 100000);
        pivot(&t, row, column);
    }
    for (size_t k = 0; k < columns; k++) {
        x[k] = 0;
    }
    for (size_t i = 0; i < rows; i++) {
        if (t.basis[i] < columns) {
            x[t.basis[i]] = *at(&t, i, t.width - 1);
        }
    }
    const double value = -*at(&t, rows, t.width - 1);
    free(t.cell);
    free(t.basis);
    return value;
}
