/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/season_fit.h"

#include "engine/civil_time.h"
#include "engine/random.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOUR_S   3600.0
#define DAY_S    86400.0
#define TWO_PI   6.283185307179586477
#define SHUFFLES 499
#define SEED     UINT64_C(1)

enum { HOURS = 24, TERMS = 4, WEEK = 7, ROUNDS = 60 };

/* Seconds observed, and those of them up. */
struct season_cell {
    double all_s, up_s;
};

struct season_days {
    struct season_cell *cells; /* days × 24, local */
    size_t count;
    int first_weekday; /* of day 0; 0: Monday */
};

/* ---- what was observed, by local day and hour ---- */

static bool days_init(struct season_days *d, const struct trace *t, double utc_offset_h)
{
    const double offset_s = utc_offset_h * HOUR_S;
    const int64_t local_s = t->start_unix_s + (int64_t)llround(offset_s);
    const int64_t midnight_s = local_s - ((local_s % 86400) + 86400) % 86400;
    const double into_s = (double)(local_s - midnight_s);
    d->first_weekday = civil_weekday(midnight_s);
    d->count = (size_t)ceil((into_s + t->end_s) / DAY_S);
    d->cells = calloc(d->count * HOURS + 1, sizeof *d->cells);
    for (size_t i = 0; d->cells != NULL && i < t->count; i++) {
        const struct trace_step *step = &t->steps[i];
        double from_s = into_s + step->at_s;
        double to_s = into_s + (i + 1 < t->count ? t->steps[i + 1].at_s : t->end_s);
        if (step->hole || step->nodes == TRACE_UNKNOWN) {
            continue;
        }
        while (from_s < to_s) {
            size_t hour = (size_t)(from_s / HOUR_S);
            double until_s = fmin(to_s, (double)(hour + 1) * HOUR_S);
            struct season_cell *c =
                &d->cells[hour < d->count * HOURS ? hour : d->count * HOURS - 1];
            c->all_s += until_s - from_s;
            c->up_s += step->nodes >= 1 ? until_s - from_s : 0;
            from_s = until_s;
        }
    }
    return d->cells != NULL;
}

static bool is_weekend(const struct season_days *d, size_t day)
{
    return (d->first_weekday + (int)(day % WEEK)) % WEEK >= 5;
}

/* ---- the regression ---- */

struct season_hours {
    struct season_cell at[2][HOURS]; /* weekday or weekend, by hour */
};

/* Adds the day, turned by so many hours, `sign` times. */
static void add_day(struct season_hours *t, const struct season_days *d, size_t day, uint32_t turn,
                    double sign)
{
    struct season_cell *row = t->at[is_weekend(d, day)];
    for (size_t h = 0; h < HOURS; h++) {
        const struct season_cell *c = &d->cells[day * HOURS + (h + turn) % HOURS];
        row[h].all_s += sign * c->all_s;
        row[h].up_s += sign * c->up_s;
    }
}

static void terms_of(double x[TERMS], int weekend, size_t hour)
{
    double angle = TWO_PI * ((double)hour + 0.5) / HOURS;
    x[0] = 1;
    x[1] = cos(angle);
    x[2] = sin(angle);
    x[3] = weekend - 2.0 / WEEK;
}

/* One step of Fisher's scoring: the information and the score at b. */
static void gather(const struct season_hours *t, size_t terms, const double b[TERMS], double info[],
                   double score[])
{
    memset(info, 0, terms * terms * sizeof *info);
    memset(score, 0, terms * sizeof *score);
    for (int weekend = 0; weekend < 2; weekend++) {
        for (size_t h = 0; h < HOURS; h++) {
            const struct season_cell *c = &t->at[weekend][h];
            if (!(c->all_s > 0.5)) {
                continue; /* nothing observed, up to what sums leave */
            }
            double x[TERMS], eta = 0, n = c->all_s / HOUR_S, up = c->up_s / HOUR_S;
            terms_of(x, weekend, h);
            for (size_t k = 0; k < terms; k++) {
                eta += b[k] * x[k];
            }
            eta = fmin(fmax(eta, -7.0), 7.0);
            double density = gsl_ran_ugaussian_pdf(eta);
            double variance = gsl_cdf_ugaussian_P(eta) * gsl_cdf_ugaussian_Q(eta);
            double pull = density * (up - n * gsl_cdf_ugaussian_P(eta)) / variance;
            double weight = n * density * density / variance;
            for (size_t k = 0; k < terms; k++) {
                score[k] += pull * x[k];
                for (size_t l = 0; l < terms; l++) {
                    info[k * terms + l] += weight * x[k] * x[l];
                }
            }
        }
    }
}

/* Solves info × step = score, which becomes the step; false when it is singular. */
static bool solve(size_t n, double info[], double score[])
{
    gsl_matrix_view m = gsl_matrix_view_array(info, n, n);
    gsl_vector_view v = gsl_vector_view_array(score, n);
    for (size_t k = 0; k < n; k++) {
        if (!(info[k * n + k] > 1e-9)) {
            return false;
        }
    }
    return gsl_linalg_HH_svx(&m.matrix, &v.vector) == 0;
}

/* False when there is no maximum: hours that are always up, or always down. */
static bool regress(const struct season_hours *t, size_t terms, double b[TERMS])
{
    memset(b, 0, TERMS * sizeof *b);
    for (int round = 0; round < ROUNDS; round++) {
        double info[TERMS * TERMS], score[TERMS], largest = 0;
        gather(t, terms, b, info, score);
        if (!solve(terms, info, score)) {
            return false;
        }
        for (size_t k = 0; k < terms; k++) {
            b[k] += fmin(fmax(score[k], -1.0), 1.0);
            largest = fmax(largest, fabs(score[k]));
            if (!isfinite(b[k]) || fabs(b[k]) > 6.0) {
                return false;
            }
        }
        if (largest < 1e-9) {
            return true;
        }
    }
    return false;
}

/* ---- the day ---- */

static bool fit_day(struct season_fit *f, const struct season_days *d, size_t terms)
{
    struct season_hours all = {0};
    double b[TERMS], swings = 0;
    size_t more = 0, done = 0;
    for (size_t day = 0; day < d->count; day++) {
        add_day(&all, d, day, 0, 1);
    }
    if (!regress(&all, terms, b)) {
        return false;
    }
    f->raw_amplitude = hypot(b[1], b[2]);
    f->best_hour = fmod(atan2(b[2], b[1]) / TWO_PI * HOURS + HOURS, HOURS);
    f->weekend_shift = terms == TERMS ? b[3] : 0;
    struct random_stream s;
    random_stream_init(&s, (struct random_world){SEED, 0}, random_source("calibrate/season"));
    for (int i = 0; i < SHUFFLES; i++) {
        struct season_hours turned = {0};
        for (size_t day = 0; day < d->count; day++) {
            add_day(&turned, d, day, random_below(&s, HOURS), 1);
        }
        if (!regress(&turned, terms, b)) {
            continue;
        }
        double amplitude = hypot(b[1], b[2]);
        swings += amplitude * amplitude;
        more += amplitude >= f->raw_amplitude;
        done++;
    }
    if (done == 0) {
        return false;
    }
    f->chance = (double)(more + 1) / (double)(done + 1);
    double squared = f->raw_amplitude * f->raw_amplitude - swings / (double)done;
    f->amplitude = squared > 0 ? sqrt(squared) : 0;
    return true;
}

/* ---- the weekend ---- */

static void fit_weekend(struct season_fit *f, const struct season_days *d)
{
    struct season_hours all = {0};
    double sum = 0, squares = 0;
    f->weeks = d->count / WEEK;
    if (f->weeks < SEASON_LEAST_WEEKS) {
        return;
    }
    for (size_t day = 0; day < d->count; day++) {
        add_day(&all, d, day, 0, 1);
    }
    /* Days beyond the last whole week belong to it. */
    for (size_t week = 0; week < f->weeks; week++) {
        struct season_hours without = all;
        size_t end = week + 1 < f->weeks ? (week + 1) * WEEK : d->count;
        double b[TERMS];
        for (size_t day = week * WEEK; day < end; day++) {
            add_day(&without, d, day, 0, -1);
        }
        if (!regress(&without, TERMS, b)) {
            return;
        }
        sum += b[3];
        squares += b[3] * b[3];
    }
    const double n = (double)f->weeks, mean = sum / n;
    const double variance = fmax(0, (n - 1) * (squares / n - mean * mean));
    f->weekend_error = gsl_cdf_tdist_Pinv(0.975, n - 1) * sqrt(variance);
    f->has_weekend = true;
}

/* ---- both ---- */

static bool sees_weekends(const struct season_days *d)
{
    double seen_s[2] = {0};
    for (size_t i = 0; i < d->count * HOURS; i++) {
        seen_s[is_weekend(d, i / HOURS)] += d->cells[i].all_s;
    }
    return seen_s[0] > 0 && seen_s[1] > 0;
}

struct season_fit season_fit_make(const struct trace *t, double utc_offset_h)
{
    struct season_fit f = {.status = SEASON_FITTED};
    struct season_days d;
    if (t->start_unix_s == TRACE_NO_START) {
        f.status = SEASON_NO_CLOCK;
        return f;
    }
    if (!days_init(&d, t, utc_offset_h)) {
        f.status = SEASON_NO_MEMORY;
        return f;
    }
    for (size_t i = 0; i < d.count * HOURS; i++) {
        f.days += d.cells[i].all_s / DAY_S;
    }
    if (f.days < SEASON_LEAST_DAYS) {
        f.status = SEASON_TOO_SHORT;
    } else if (!fit_day(&f, &d, sees_weekends(&d) ? TERMS : TERMS - 1)) {
        f.status = SEASON_NO_FIT;
    } else {
        fit_weekend(&f, &d);
    }
    free(d.cells);
    return f;
}

struct hidden_season season_fit_seen(const struct season_fit *f)
{
    struct hidden_season s = {0};
    if (f->status == SEASON_FITTED && f->chance <= SEASON_CHANCE) {
        s.amplitude = f->amplitude;
        s.best_hour = f->best_hour;
    }
    if (f->status == SEASON_FITTED && f->has_weekend && fabs(f->weekend_shift) > f->weekend_error) {
        s.weekend_shift = f->weekend_shift;
    }
    return s;
}
