/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/queue_limits.h"

#include <gsl/gsl_math.h>
#include <math.h>

#define NO_LIMIT 1e6 /* from here on it is none */
/* What lies beyond exp(-40) is nothing. */
#define FAR 40.0

static double limit_s(const struct interval_queue *q)
{
    return q->limit < NO_LIMIT ? q->limit * q->s_s / q->servers : HUGE_VAL;
}

static double room_s(const struct interval_queue *q)
{
    return fmin(limit_s(q), q->timeout_s);
}

/* Of the slowest mode of reflected Brownian motion. */
static double memory_s(const struct interval_queue *q, double variation)
{
    return room_s(q) * room_s(q) * q->servers / (M_PI * M_PI * variation * q->s_s);
}

bool queue_limits_near(const struct interval_queue *q, double theta)
{
    return theta * room_s(q) < FAR;
}

bool queue_limits_steady(const struct interval_queue *q, double variation)
{
    return memory_s(q, variation) <= q->step_s;
}

/* Mean of a law of density exp(-x t) on [0, 1]. */
static double mean_within(double x)
{
    if (fabs(x) < 1e-3) {
        return 0.5 - x / 12;
    }
    return x > 700 ? 1 / x : 1 / x - 1 / expm1(x);
}

static double quantile_within(double x, double u)
{
    return fabs(x) > 1e-9 ? -log1p(u * expm1(-x)) / x : u;
}

/* log E exp(-x B) of gamma with mean 1; B constant for cs2 near 0. */
static double log_service(double x, double cs2)
{
    return cs2 > 1e-6 ? -log1p(cs2 * x) / cs2 : -x;
}

double queue_limits_wall(double came, double served, double ca2, double cs2)
{
    if (!(came > served) || !(served > 0)) {
        return 0;
    }
    /* In y = eta / served, between 0 and where E exp(eta A) has its pole: the sum of both
     * logarithms is 0 at 0, falls, and rises. */
    double rho = came / served, low = 0;
    double high = ca2 > 1e-6 ? rho / ca2 : HUGE_VAL, y = 2 * (rho - 1) / fmax(ca2 + cs2, 1e-6);
    if (!isfinite(high)) {
        high = 64 * rho;
    }
    y = fmin(y, 0.999 * high);
    for (int i = 0; i < 40; i++) {
        double arrivals = ca2 > 1e-6 ? -log1p(-ca2 * y / rho) / ca2 : y / rho;
        *(arrivals + log_service(y, cs2) < 0 ? &low : &high) = y;
        y = 0.5 * (low + high);
        if (high - low < 1e-6 * high) {
            break;
        }
    }
    return y * served;
}

/* theta at any load. */
static double theta_of(const struct interval_queue *q, double variation, double rho)
{
    double per_s = q->servers / q->s_s;
    return rho > 1 ? -queue_limits_wall(rho * per_s, per_s, q->ca2, q->cs2)
                   : per_s * (1 - rho) / variation;
}

static void cut(struct interval_waits *w, const struct interval_queue *q, double variation,
                double rho, double odds)
{
    double d = q->timeout_s;
    w->law = WAITS_CUT;
    w->rate = theta_of(q, variation, rho);
    /* Far above 1 exponentials overflow: all shares are as well of the last. */
    double x = fmax(w->rate * d, -600);
    double in = fabs(rho - 1) > 1e-6 ? -odds * expm1(-x) / (1 - rho)
                                     : odds * q->servers / q->s_s / variation * d;
    double out = odds * exp(-x), all = 1 + in + out;
    w->waiting = in / all;
    w->timed_out = out / all;
    w->dropped = 0;
    w->most_s = d;
    w->mean_s = d * mean_within(x);
}

/* Mean of a law of weights exp(-x j), j = 0 … k - 1. */
static double mean_ahead(double x, double k)
{
    if (!(fabs(x) * k > 1e-6)) {
        return 0.5 * fmax(0, k - 1);
    }
    return 1 / expm1(fmin(x, 700)) - k / expm1(fmin(k * x, 700));
}

static void behind(struct interval_waits *w, const struct interval_queue *q, double variation,
                   double rho, double odds)
{
    double k = q->limit, ratio = log(fmax(rho, 1e-300)) / variation;
    if (rho > 1) {
        /* A distance of one request is s / c of wait, on average. */
        ratio = log1p(-theta_of(q, variation, rho) * q->s_s / q->servers);
    }
    double x = fmax(-ratio * k, -600); /* rho^K = exp(-x) */
    double in = odds * (fabs(rho - 1) > 1e-9 ? -expm1(-x) / (1 - rho) : k / variation);
    double out = odds * exp(-x);
    double all = 1 + in + out;
    w->law = WAITS_BEHIND;
    w->waiting = in / all;
    w->dropped = out / all;
    w->timed_out = 0;
    w->most = k;
    w->log_ratio = ratio;
    w->servers = q->servers;
    w->s_s = q->s_s;
    w->cs2 = q->cs2;
    w->first = variation < 1 ? variation : 0.5 * (1 + variation);
    w->most_s = q->timeout_s;
    double points[QUEUE_LIMITS_POINTS], sum_s = 0;
    int served = 0;
    queue_limits_points(w, 0.5, points);
    for (int i = 0; i < QUEUE_LIMITS_POINTS; i++) {
        if (points[i] <= q->timeout_s) {
            served++;
            sum_s += points[i];
        }
    }
    if (served < QUEUE_LIMITS_POINTS) {
        w->mean_s = served > 0 ? sum_s / served : 0;
        w->timed_out = w->waiting * (1 - (double)served / QUEUE_LIMITS_POINTS);
        w->waiting -= w->timed_out;
    } else {
        w->mean_s = (mean_ahead(-ratio, k) + w->first) * q->s_s / q->servers;
    }
}

void queue_limits_apply(struct interval_waits *w, const struct interval_queue *q, double variation,
                        double rho, double odds)
{
    w->memory_s = fmin(w->memory_s, memory_s(q, variation));
    if (q->timeout_s < limit_s(q)) {
        cut(w, q, variation, rho, odds);
    } else {
        behind(w, q, variation, rho, odds);
    }
}

double queue_limits_variance(double servers, double cs2, double n)
{
    double each = n / servers;
    if (cs2 < 1) {
        return servers * fmin(each, cs2 * each + (1 - cs2) / 6);
    }
    return n * (1 + (cs2 - 1) * each / (1 + each));
}

/* ---- points ---- */

/* Behind how many, at u; the time is gamma, by Wilson and Hilferty's cube. */
static double behind_point(const struct interval_waits *w, double u, double normal)
{
    double j = floor(w->most * quantile_within(-w->log_ratio * w->most, u));
    double n = fmin(j, w->most - 1) + w->first;
    double shape = n * n / fmax(queue_limits_variance(w->servers, w->cs2, n), 1e-9);
    double root = 1 - 1 / (9 * shape) + normal / (3 * sqrt(shape));
    return n * w->s_s / w->servers * fmax(0, root * root * root);
}

/* The middles of 16 equal parts of the normal law, so ordered that neighbours are far apart. */
static const double normals[QUEUE_LIMITS_POINTS] = {
    -1.8627, 0.0784, -0.5791, 0.8871, -0.9970, 0.4023, -0.2372, 1.5460,
    -1.3180, 0.2372, -0.4023, 1.0100, -0.7764, 0.5791, -0.0784, 1.8627};

static double point(const struct interval_waits *w, double u, double normal)
{
    switch (w->law) {
    case WAITS_CUT:
        return w->most_s * quantile_within(w->rate * w->most_s, u);
    case WAITS_BEHIND:
        return behind_point(w, u, normal);
    case WAITS_EXPONENTIAL:
        break;
    }
    return -log1p(-u) / w->rate;
}

void queue_limits_points(const struct interval_waits *w, double shift,
                         double points[QUEUE_LIMITS_POINTS])
{
    for (int i = 0; i < QUEUE_LIMITS_POINTS; i++) {
        points[i] = point(w, (i + fmin(fmax(shift, 0.01), 0.99)) / QUEUE_LIMITS_POINTS,
                          normals[(5 * i) % QUEUE_LIMITS_POINTS]);
    }
}

double queue_limits_point(const struct interval_waits *w, double u)
{
    return point(w, u, 0);
}
