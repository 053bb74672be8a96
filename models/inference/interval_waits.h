/* SPDX-License-Identifier: GPL-3.0-or-later
 * How requests wait in a step of the interval mode, when no backlog is carried over: with
 * probability P_w, for a time that is exponential with rate theta,
 *
 *   P(W > w) = P_w exp(-theta w),  theta = (c / s) (1 - rho) · 2 / (ca^2 + cs^2)
 *
 * which is exact for M/M/c and scaled as Allen and Cunneen do for other variations of arrivals and
 * service (Allen, "Probability, Statistics, and Queueing Theory", 1990, GI/G/c); where times of
 * service vary less than exponential ones, as Kimura does between M/M/c and M/D/c (Oper. Res. 34,
 * 1986) with Cosmetatos' mean wait of the latter, in place of (1 + cs^2) / 2. P_w is Erlang's C;
 * for peaked arrivals, z > 1, with c / z servers and a load of a / z (Hayward's approximation:
 * Fredericks, "Congestion in blocking systems", Bell Syst. Tech. J. 59, 1980), on the continuous
 * extension 1 / B(c, a) = a int_0^inf exp(-a t) (1 + t)^c dt, C = B / (1 - (a / c) (1 - B)).
 *
 * Where a limit of the queue or a timeout is near, queue_limits.h has the laws. */
#ifndef FLEETCAST_MODELS_INTERVAL_WAITS_H
#define FLEETCAST_MODELS_INTERVAL_WAITS_H

#include <stdbool.h>

/* Closer to 1 no load comes: what is above is a backlog. */
#define INTERVAL_MOST_LOAD 0.98

/* Erlang's B and C for any number of servers > 0 and a load a >= 0; C needs a < servers. */
double erlang_b(double servers, double a);
double erlang_c(double servers, double a);

/* Erlang's C by servers and utilisation, kept: along lines between 256 utilisations from 0 to
 * INTERVAL_MOST_LOAD. NULL when out of memory. */
struct erlang_table;
struct erlang_table *erlang_table_new(void);
void erlang_table_free(struct erlang_table *t);
/* Values of another peakedness are forgotten. */
void erlang_table_begin(struct erlang_table *t, double peakedness);
/* servers >= 1, rho in [0, INTERVAL_MOST_LOAD]. */
double erlang_table_c(struct erlang_table *t, unsigned servers, double rho);

/* What requests of a step wait in. */
struct interval_queue {
    double servers, s_s; /* > 0 */
    double ca2, cs2;     /* squared variation of arrivals and service */
    double limit;        /* so many may wait; from 10^6 on: any number */
    double timeout_s;    /* so long they do; infinity: as long as it takes */
    double step_s;
};

enum interval_law {
    WAITS_EXPONENTIAL, /* of rate theta */
    WAITS_CUT,         /* likewise, up to the timeout; theta of any sign */
    WAITS_BEHIND       /* for so many to be served as are there: geometric, up to the limit */
};

/* How requests of a step wait. */
struct interval_waits {
    double dropped;   /* shares of all: find the queue full, … */
    double timed_out; /* … wait in vain … */
    double waiting;   /* … or wait, and are served; the rest is served at once */
    double mean_s;    /* of those that wait and are served */
    double rate;      /* theta, per second; > 0 but for WAITS_CUT */
    double memory_s;  /* time of correlation of the queue */
    bool steady;      /* holds whatever the load: the queue is as it will be within a step */
    enum interval_law law;
    /* Where limits are near. */
    double most_s;                   /* the longest wait of those that are served */
    double most, log_ratio;          /* WAITS_BEHIND: the limit, and logarithm of the ratio */
    double servers, s_s, cs2, first; /* likewise; first: mean services until the first that waits
                                        is served */
};

/* rho is cut at INTERVAL_MOST_LOAD unless the queue is steady. */
struct interval_waits interval_waits(struct erlang_table *t, const struct interval_queue *q,
                                     double rho);

#endif
