/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the functions of the kinds of charges are given, and what they have in common. A kind is one
 * function that finds, in what was simulated, what is charged, and puts it on a bill. */
#ifndef FLEETCAST_MODELS_CHARGING_H
#define FLEETCAST_MODELS_CHARGING_H

#include "models/billing/charge_put.h"

#define HOURS_OF_A_MONTH 730.0

/* A kind's function at work: on one line of one strategy's bill in one world. */
struct charging {
    struct other_charges *o;
    const struct charge_plan *plan;
    const struct charge_world *world;
    struct bill *bills; /* workloads, then the shared one */
    const struct charge_item *item;
    size_t line;
    bool failed; /* memory is out */
};

int64_t charge_parts(double share); /* of SHARE_WHOLE */

/* What is taken off this service or family: the family goes before its service. */
int64_t charging_discount(const struct charging *c, const char *service, const char *family);
/* The service that the item belongs to; NULL: none of the provider's. */
const char *charging_service(const struct charging *c);
size_t charging_shared_row(const struct charging *c);
/* service NULL: nobody gives a discount on it. */
struct charge_target charging_target(const struct charging *c, size_t row, const char *service);
/* What the target's amounts buy; the measures must outlive them. */
void charging_measure(struct charge_target *t, const struct charge_measure *m, size_t count);
/* A measure of charge_hold: so much of something priced by the month of 730 hours. */
struct charge_measure charging_by_hour(enum charge_meter meter, const char *product,
                                       double of_a_month, double price_of_one);

int64_t charging_end_of_workload(const struct charging *c, size_t workload);
int64_t charging_end(const struct charging *c); /* of an item that lasts */
double charging_number(const struct charging *c, const struct number *n);
double charging_price(const struct charging *c, const struct charge_price *p);
/* A launch that the horizon came before never was. */
bool charging_launched(const struct usage *u);
/* -1: no node of the workload was ever launched. */
int64_t charging_first_launch(const struct charge_world *w, size_t workload);
enum purchase charging_purchase(const struct charging *c, const struct usage *u);

#endif
