/* SPDX-License-Identifier: GPL-3.0-or-later
 * One world's changes of list prices (price_outlook.h): what is stated, and the cuts drawn. The
 * k-th cut of a family takes its waiting time and its size from the family's sources at index k,
 * so that every strategy, zone and commitment of a world meets the same cuts. */
#ifndef FLEETCAST_MODELS_PRICE_PATHS_H
#define FLEETCAST_MODELS_PRICE_PATHS_H

#include "engine/random.h"
#include "models/market/price_outlook.h"

/* Cuts drawn of one family: at the fastest legal rate, 12 a year, more than 20 years of them are
 * sure to be there; later ones do not come. */
enum { PRICE_CUTS_MAX = 512 };

struct price_cut {
    double at_s;
    double left; /* price over the price without cuts, from then on */
};

struct price_cut_path {
    const struct price_family *family;
    struct price_cut cuts[PRICE_CUTS_MAX]; /* by time; of one day: one */
    size_t count;
    uint32_t drawn; /* ordinal of the next */
    double clock_s; /* instant of the last one drawn */
    bool over;
};

struct price_paths {
    const struct price_outlook *outlook;
    struct random_world world;
    double *factors;              /* by stated change */
    struct price_cut_path *paths; /* by family; drawn as far as asked for */
    double rate_per_s;
    struct distribution size;
};

bool price_paths_init(struct price_paths *p, const struct price_outlook *o); /* false: no memory */
void price_paths_release(struct price_paths *p);
/* Starts a world. False when the drawn parameters are impossible. */
bool price_paths_begin(struct price_paths *p, struct random_world world, const double *drawn);
/* Price at t_s over the price without changes and cuts; *until_s (may be NULL): the next time at
 * which it may change, +infinity if none. */
double price_paths_factor(struct price_paths *p, int reach, double t_s, double *until_s);
/* A price of money under such a factor: rounded once, never below one nano-unit. */
money_t price_paths_apply(money_t per_hour, double factor);
/* The largest factor that the stated changes can come to in this world. */
double price_paths_highest(const struct price_paths *p, int reach);

#endif
