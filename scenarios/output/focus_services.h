/* SPDX-License-Identifier: GPL-3.0-or-later
 * Charges beside nodes in the words of FOCUS: which service sells what a line is, and what kind of
 * charge it is. A new kind of charge is one row of the table; one without a row is refused. */
#ifndef FLEETCAST_SCENARIOS_FOCUS_SERVICES_H
#define FLEETCAST_SCENARIOS_FOCUS_SERVICES_H

#include "models/billing/charge_note.h"
#include "models/billing/charge_plan.h"

#include <stdbool.h>

struct focus_service {
    const char *service, *category, *subcategory; /* allowed pairs: specification, ServiceCategory
                                                     and ServiceSubcategory; service NULL: the
                                                     line's name */
    const char *charge, *frequency;               /* ChargeCategory, ChargeFrequency */
    const char *resource;                         /* ResourceType; NULL: it is none */
    const char *sku; /* what its SkuId begins with; NULL: the line's name */
    const char *words;
    bool regional;
    const char *seller; /* NULL: AWS */
};
/* NULL: no row. */
const struct focus_service *focus_service_of(enum charge_kind kind);
/* Of this product, which may be NULL: the same line may sell of several services. */
const struct focus_service *focus_service_sold(enum charge_kind kind, const char *product);

struct focus_meter {
    const char *unit; /* PricingUnit, ConsumedUnit */
    const char *name; /* SkuMeter */
};
const struct focus_meter *focus_meter_of(enum charge_meter meter);

#endif
