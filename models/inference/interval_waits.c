/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/interval_waits.h"

#include "engine/extremes.h"
#include "models/inference/queue_limits.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>

/* From so many servers on the limit of many servers stands for the recursion (Halfin, Whitt 1981):
 * it is right to 1 % of C there. */
#define MANY_SERVERS 20000.0
/* From this load on the integral's series does for it, to 1e-9. */
#define SERIES_FROM 50.0

/* ---- Erlang ---- */

/* a int_0^inf exp(-a t) (1 + t)^f dt for f in [0, 1). */
static double integral(double f, double a)
{
    if (f == 0) {
        return 1;
    }
    if (a < SERIES_FROM) {
        return exp(a) * pow(a, -f) * gsl_sf_gamma_inc(1 + f, a);
    }
    double sum = 1, term = 1;
    for (int k = 0; k < 8; k++) {
        term *= (f - k) / a;
        sum += term;
    }
    return sum;
}

double erlang_b(double servers, double a)
{
    if (!(a > 0)) {
        return 0;
    }
    double whole = floor(servers), f = servers - whole, inverse = integral(f, a);
    for (double k = f + 1; k <= servers + 0.5 && isfinite(inverse); k++) {
        inverse = 1 + inverse * k / a;
    }
    return 1 / inverse;
}

/* (1 + beta Phi(beta) / phi(beta))^-1, beta = (1 - rho) sqrt(c). */
static double many_servers_c(double servers, double a)
{
    double beta = (1 - a / servers) * sqrt(servers), density = gsl_ran_ugaussian_pdf(beta);
    return density > 0 ? 1 / (1 + beta * gsl_cdf_ugaussian_P(beta) / density) : 0;
}

double erlang_c(double servers, double a)
{
    if (servers > MANY_SERVERS) {
        return many_servers_c(servers, a);
    }
    double b = erlang_b(servers, a);
    return double_min(1, b / (1 - a / servers * (1 - b)));
}

/* ---- kept ---- */

enum { NODES = 256, ROWS = 512 };

struct erlang_row {
    unsigned servers; /* 0: nothing is in it */
    double value[NODES + 1];
};

struct erlang_table {
    double peakedness;
    struct erlang_row rows[ROWS]; /* of the number of servers modulo ROWS */
};

struct erlang_table *erlang_table_new(void)
{
    struct erlang_table *t = calloc(1, sizeof *t);
    if (t != NULL) {
        t->peakedness = 1;
    }
    return t;
}

void erlang_table_free(struct erlang_table *t)
{
    free(t);
}

void erlang_table_begin(struct erlang_table *t, double peakedness)
{
    double z = double_max(1, peakedness);
    for (size_t i = 0; z != t->peakedness && i < ROWS; i++) {
        t->rows[i].servers = 0;
    }
    t->peakedness = z;
}

static double node_value(const struct erlang_table *t, struct erlang_row *row, unsigned node)
{
    double *value = &row->value[node];
    if (*value < 0) {
        double servers = row->servers / t->peakedness;
        *value = erlang_c(servers, servers * INTERVAL_MOST_LOAD * node / NODES);
    }
    return *value;
}

double erlang_table_c(struct erlang_table *t, unsigned servers, double rho)
{
    struct erlang_row *row = &t->rows[servers % ROWS];
    if (row->servers != servers) {
        row->servers = servers;
        for (size_t i = 0; i <= NODES; i++) {
            row->value[i] = -1;
        }
    }
    double at = rho * (NODES / INTERVAL_MOST_LOAD);
    unsigned node = at < NODES ? (unsigned)at : NODES - 1;
    double share = at - node;
    return (1 - share) * node_value(t, row, node) + share * node_value(t, row, node + 1);
}

/* ---- waits ---- */

/* The mean wait of M/G/c for that of M/M/c. */
static double of_service(double servers, double rho, double cs2)
{
    if (cs2 >= 1 || servers <= 1 || !(rho > 0)) {
        return 0.5 * (1 + cs2);
    }
    double c = servers;
    double more = double_max(0, 1 - rho) * (c - 1) * (sqrt(4 + 5 * c) - 2) / (16 * rho * c);
    double constant = 0.5 * (1 + double_min(more, 1)); /* M/D/c, never above M/M/c */
    return (1 + cs2) / (2 * cs2 + (1 - cs2) / constant);
}

/* P(c busy) over P(fewer busy), of a queue in which nobody waits. */
static double odds_of_full(struct erlang_table *t, unsigned servers, double rho)
{
    if (rho <= INTERVAL_MOST_LOAD) {
        double c = erlang_table_c(t, servers, rho);
        return c * (1 - rho) / (1 - c);
    }
    double c = servers / t->peakedness, b = erlang_b(c, c * rho);
    return b / double_max(1 - b, 1e-12);
}

struct interval_waits interval_waits(struct erlang_table *t, const struct interval_queue *q,
                                     double rho)
{
    const double calm = double_min(rho, INTERVAL_MOST_LOAD);
    double variation = double_max(0.5 * (q->ca2 - 1) + of_service(q->servers, rho, q->cs2), 1e-6);
    /* Replicas that came in the step make a part of a server. */
    unsigned whole = q->servers < 1 ? 1 : (unsigned)(q->servers + 0.5);
    double c = erlang_table_c(t, whole, calm);
    struct interval_waits w = {.waiting = c, .rate = q->servers / q->s_s * (1 - calm) / variation};
    w.mean_s = 1 / w.rate;
    w.memory_s = (1 + calm) / (1 - calm) / w.rate;
    if (queue_limits_near(q, w.rate)) {
        w.steady = queue_limits_steady(q, variation);
        rho = w.steady ? rho : calm;
        queue_limits_apply(&w, q, variation, rho, odds_of_full(t, whole, rho));
    }
    return w;
}
