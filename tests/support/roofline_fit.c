/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/roofline_fit.h"

#include <math.h>
#include <string.h>

#define MOST_STEPS 200
#define DIFFERENCE 1e-5 /* of a logarithm */
/* So that numbers which few rows tell of stay near where they began: a standard deviation of 3 for
 * the logarithm of each, beside one of 0.15 of a row's error. */
#define HOLD (0.05 * 0.05)

const char *const roofline_fit_names[FIT_NUMBERS] = {
    "k llm (B/kFLOP)", "k encoder", "k cnn", "plain", "campaign", "step delay (s)"};

void roofline_fit_values(const struct roofline *r, double out[FIT_NUMBERS])
{
    const double v[FIT_NUMBERS] = {r->bytes_per_kiloflop[0],
                                   r->bytes_per_kiloflop[1],
                                   r->bytes_per_kiloflop[2],
                                   r->plain,
                                   r->campaign,
                                   r->step_delay_s};
    memcpy(out, v, sizeof v);
}

static struct roofline with(const struct roofline *r, const double logs[FIT_NUMBERS])
{
    struct roofline out = *r;
    for (int i = 0; i < ROOFLINE_CLASSES; i++) {
        out.bytes_per_kiloflop[i] = exp(logs[i]);
    }
    out.plain = exp(logs[3]);
    out.campaign = exp(logs[4]);
    out.step_delay_s = exp(logs[5]);
    return out;
}

double training_row_error(const struct training_row *row, const struct roofline *r,
                          struct speed_estimate *e)
{
    struct speed_setting s = row->setting;
    s.roofline = r;
    s.accelerator = &row->chip;
    if (speed_estimate_make(e, &s) != SPEED_POSSIBLE) {
        return HUGE_VAL;
    }
    return log(e->step.units_per_s / row->units_per_s);
}

/* Adds a row's part of the normal equations; its squared error. */
static double add_row(const struct training_row *row, const struct roofline *r,
                      const double logs[FIT_NUMBERS], double a[FIT_NUMBERS][FIT_NUMBERS],
                      double b[FIT_NUMBERS])
{
    struct speed_estimate e;
    double slope[FIT_NUMBERS], moved[FIT_NUMBERS];
    const struct roofline here = with(r, logs);
    const double error = training_row_error(row, &here, &e);
    if (isinf(error)) {
        return 0;
    }
    for (int i = 0; i < FIT_NUMBERS && a != NULL; i++) {
        memcpy(moved, logs, sizeof moved);
        moved[i] += DIFFERENCE;
        const struct roofline there = with(r, moved);
        slope[i] = (training_row_error(row, &there, &e) - error) / DIFFERENCE;
    }
    for (int i = 0; i < FIT_NUMBERS && a != NULL; i++) {
        b[i] -= slope[i] * error;
        for (int j = 0; j < FIT_NUMBERS; j++) {
            a[i][j] += slope[i] * slope[j];
        }
    }
    return error * error;
}

static double sum_of(const struct training_row *rows, size_t count, const char *skipped,
                     const struct roofline *r, const double logs[FIT_NUMBERS],
                     double a[FIT_NUMBERS][FIT_NUMBERS], double b[FIT_NUMBERS], size_t *used)
{
    double sum = 0, began[FIT_NUMBERS];
    roofline_fit_values(r, began);
    for (int i = 0; i < FIT_NUMBERS; i++) {
        const double off = logs[i] - log(began[i]);
        sum += HOLD * off * off;
        if (a != NULL) {
            a[i][i] += HOLD;
            b[i] -= HOLD * off;
        }
    }
    *used = 0;
    for (size_t i = 0; i < count; i++) {
        if (skipped == NULL || strcmp(rows[i].source, skipped) != 0) {
            sum += add_row(&rows[i], r, logs, a, b);
            ++*used;
        }
    }
    return sum;
}

/* Solves a x = b by elimination; a row without a slope gives 0. */
static void solve(double a[FIT_NUMBERS][FIT_NUMBERS], double x[FIT_NUMBERS])
{
    for (int k = 0; k < FIT_NUMBERS; k++) {
        for (int i = 0; i < FIT_NUMBERS; i++) {
            const double f = i == k || !(a[k][k] > 0) ? 0 : a[i][k] / a[k][k];
            for (int j = 0; j < FIT_NUMBERS && f != 0; j++) {
                a[i][j] -= f * a[k][j];
            }
            x[i] -= f * x[k];
        }
    }
    for (int k = 0; k < FIT_NUMBERS; k++) {
        x[k] = a[k][k] > 0 ? x[k] / a[k][k] : 0;
    }
}

static void standard_errors(double a[FIT_NUMBERS][FIT_NUMBERS], double variance,
                            double se[FIT_NUMBERS])
{
    for (int k = 0; k < FIT_NUMBERS; k++) {
        double copy[FIT_NUMBERS][FIT_NUMBERS], unit[FIT_NUMBERS] = {0};
        memcpy(copy, a, sizeof copy);
        unit[k] = 1;
        solve(copy, unit);
        se[k] = sqrt(fmax(0, unit[k] * variance));
    }
}

void roofline_fit(struct roofline *r, const struct training_row *rows, size_t count,
                  const char *skipped, double se[FIT_NUMBERS])
{
    double logs[FIT_NUMBERS], damping = 1e-3;
    size_t used;
    roofline_fit_values(r, logs);
    for (int i = 0; i < FIT_NUMBERS; i++) {
        logs[i] = log(logs[i]);
    }
    double sum = sum_of(rows, count, skipped, r, logs, NULL, NULL, &used);
    for (int step = 0; step < MOST_STEPS && damping < 1e9; step++) {
        double a[FIT_NUMBERS][FIT_NUMBERS] = {{0}}, damped[FIT_NUMBERS][FIT_NUMBERS];
        double b[FIT_NUMBERS] = {0}, trial[FIT_NUMBERS];
        sum_of(rows, count, skipped, r, logs, a, b, &used);
        if (se != NULL) {
            standard_errors(a, sum / fmax(1, (double)used - FIT_NUMBERS), se);
        }
        memcpy(damped, a, sizeof damped);
        for (int i = 0; i < FIT_NUMBERS; i++) {
            damped[i][i] *= 1 + damping;
        }
        solve(damped, b);
        double longest = 0;
        for (int i = 0; i < FIT_NUMBERS; i++) {
            trial[i] = logs[i] + fmax(-1, fmin(1, b[i]));
            longest = fmax(longest, fabs(b[i]));
        }
        const double tried = sum_of(rows, count, skipped, r, trial, NULL, NULL, &used);
        if (tried <= sum) {
            memcpy(logs, trial, sizeof logs);
            sum = tried;
            damping /= 10;
        } else {
            damping *= 10;
        }
        if (longest < 1e-7) {
            break;
        }
    }
    *r = with(r, logs);
}
