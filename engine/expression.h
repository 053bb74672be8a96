/* SPDX-License-Identifier: GPL-3.0-or-later
 * The grammar of a number in a scenario:
 *
 *   quantity                      5, 2.5k, 90s, 98 GB, 12 %: certain
 *   a..b                          90 % interval (P5 = a, P95 = b): logit-normal for a share,
 * lognormal if both ends are positive, else normal. A left end without a unit takes that of the
 * right: 5..9 GB. k, M, B stand on both ends or none uniform(low, high)            triangular(low,
 * mode, high) normal(mean, sd)              lognormal(p50=, p95=), by name only: its parameters
 * have many forms exponential(mean)             gamma(mean, cv), cv = sd / mean weibull(shape,
 * scale)         poisson(mean), of counts only empirical(file.csv, column)   the values of a
 * column, drawn by their rank
 *
 * `,` or `;` stands between arguments: inside {} YAML ends a value at a comma. Any argument may be
 * named, low=5s; those behind a named one must be. Each carries its own unit; a `sd` has that of
 * the value, `cv` and `shape` have none. What varies by nothing (5..5, sd = 0) is certain.
 *
 * The values of an empirical column carry their unit in each cell (90s) or in the column's name
 * (boot_s, wait_min, size_gb, price_usd_per_h, wear_percent); a plain number under a plain name is
 * legal for counts and shares only. The file's name holds no `,` `;` or parenthesis.
 *
 * A hazard may be said as a mean time between events: 14h, or 10h..20h for 1/20h..1/10h. Inside a
 * distribution it is written as a rate, since the distribution of 1/X is another one.
 *
 * Everything is cut to the legal range by inverse transform; a warning is due when more than 0.1 %
 * lies outside, an error above 20 %, and for an end or a certain value outside. */
#ifndef FLEETCAST_ENGINE_EXPRESSION_H
#define FLEETCAST_ENGINE_EXPRESSION_H

#include "engine/arena.h"
#include "engine/inputs.h"
#include "engine/quantity.h"

#include <stdbool.h>
#include <stddef.h>

struct expression_context {
    struct arena *arena;   /* owns what the result points to */
    struct inputs *inputs; /* uncertain numbers are registered here under `name` */
    const char *name;      /* path of the key */
    enum dimension dimension;
    double low, high;     /* legal range of the value, in inside units; -inf, +inf when none. The
                             dimension's own least value (0 for durations …) holds beside it */
    const char *currency; /* the scenario's; MONEY and PRICE in another are refused. NULL: any */
    const char *other_currency; /* MONEY in it is divided by other_rate; NULL: none */
    double other_rate;          /* how many of it one of `currency` is */
    const char *base_folder;    /* empirical files are relative to it */
    char *message;              /* what is wrong, for the user */
    size_t message_size;
    char *warning; /* "3.1 % of the distribution lies outside …": "" when none; may be NULL */
    size_t warning_size;
};

/* A number: certain, or registered as an input whose unit is the column suffix of the dimension
 * ("s", "frac", "bytes", "per_s", "usd", "usd_per_hour" …). Sets given. False with a message. */
bool expression_number(const char *text, struct expression_context *c, struct number *out);
/* A variate: its own distribution, whose arguments may themselves be intervals or distributions
 * (then registered as inputs named "<name>.<argument>"). Sets given. False with a message. */
bool expression_variate(const char *text, struct expression_context *c, struct variate *out);

#endif
