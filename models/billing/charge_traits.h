/* SPDX-License-Identifier: GPL-3.0-or-later
 * What goes for a kind of charge whatever the scenario: one row each. */
#ifndef FLEETCAST_MODELS_CHARGE_TRAITS_H
#define FLEETCAST_MODELS_CHARGE_TRAITS_H

#include "models/billing/charge_plan.h"

struct charge_traits {
    enum charge_service service; /* whose charge it is */
    enum bill_category category;
    const char *name;             /* of its line, when the scenario gives none; NULL: it must */
    bool lasts;                   /* from `at` to `until` */
    bool by_node;                 /* `applies_to` says which */
    bool stated;                  /* `service` may say whose it is (of a credit: what it is for) */
    bool of_shared, of_workloads; /* bills it may stand on */
};
extern const struct charge_traits charge_traits[CHARGE_KIND_COUNT];

#endif
