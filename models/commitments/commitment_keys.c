/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/commitments/commitment_keys.h"

#include "models/commitments/commitment.h"
#include "models/commitments/ladder.h"

#include <stddef.h>

const char *const commitment_choice_names[] = {"reserved-instances", "ec2-instance-savings-plan",
                                               "compute-savings-plan", "capacity-reservation",
                                               NULL};
const char *const commitment_signed_names[] = {"reserved-instances", "ec2-instance-savings-plan",
                                               "compute-savings-plan", NULL};
const char *const commitment_term_names[] = {"1y", "3y", NULL};
const char *const commitment_rate_names[] = {"as-reserved", NULL};

static const struct schema_key rate_keys[] = {
    {.name = "rate",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_PRICE,
     .low = 1e-6,
     .high = 1e6,
     .required = true,
     .offset = offsetof(struct plan_rate_spec, rate),
     .help = "What one instance of this type costs an hour under the plan."},
};

const struct schema plan_rate_schema = {
    .name = "strategy.commitments.rates",
    .shorthand = "rate",
    SCHEMA_KEYS(rate_keys),
    .size = sizeof(struct plan_rate_spec),
    .help = "A savings-plan rate; the price alone may stand in its place.",
};

#define SPEC(member) offsetof(struct commitment_spec, member)

static const struct schema_key commitment_keys[] = {
    {.name = "kind",
     .kind = SCHEMA_CHOICE,
     .choices = commitment_choice_names,
     .required = true,
     .offset = SPEC(kind),
     .help = "Reserved Instances, a savings plan for one instance family or for all compute, or an "
             "On-Demand Capacity Reservation, which signs for nothing."},
    SIGNED_KEYS(
        struct commitment_spec, "Reserved instances, capacity reservation", SPEC(class_place),
        "Reserved instances: the zone they are bound to; absent: regional, with size flexibility "
        "where the family has it. Capacity reservation: its zone; absent: the region's first.",
        "Savings plans: the rate of each instance type that the plan may cover.",
        "Savings plans, of types without a rate in `rates`: `as-reserved`, the price of Reserved "
        "Instances of the same term and payment times 1.00 to 1.10, which is assumed."),
    {.name = "term",
     .kind = SCHEMA_CHOICE,
     .choices = commitment_term_names,
     .offset = SPEC(term),
     .help = "Reserved instances, savings plans; required. One year is 8,760 hours, three are "
             "26,280."},
    {.name = "payment",
     .kind = SCHEMA_CHOICE,
     .choices = payment_option_names,
     .default_text = "no-upfront",
     .offset = SPEC(payment),
     .place_offset = SPEC(payment_place),
     .help = "How it is paid: all or part at the purchase, the rest hour by hour."},
    {.name = "at",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 0,
     .high = 10 * 365.25 * 86400,
     .default_text = "0s",
     .offset = SPEC(at),
     .help = "When it is bought, or capacity is reserved, from the scenario's start."},
    {.name = "every",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 86400,
     .high = 10 * 365.25 * 86400,
     .offset = SPEC(every),
     .help =
         "A ladder: the same is bought again after this time, counted from `at` in the calendar "
         "(`3mo`), `times` in all."},
    {.name = "times",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = LADDER_RUNGS_MAX,
     .default_text = "1",
     .offset = SPEC(times),
     .help = "A ladder: how many purchases, each with a term of its own."},
    {.name = "reuse",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "0 %",
     .offset = SPEC(reuse),
     .help = "Share of what outlives the horizon that other projects take over; the rest is a cost "
             "of this plan."},
    {.name = "for",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 1,
     .high = 10 * 365.25 * 86400,
     .offset = SPEC(lasts),
     .help = "Capacity reservation: for how long it is kept, from `at` on."},
    {.name = "until",
     .kind = SCHEMA_DATE,
     .offset = SPEC(until),
     .help =
         "Capacity reservation: until when it is kept (UTC), in place of `for`; default of both: "
         "to the horizon, where it is given up at the latest."},
};

const struct schema commitment_schema = {
    .name = "strategy.commitments",
    SCHEMA_KEYS(commitment_keys),
    .size = sizeof(struct commitment_spec),
    .help = "Something signed for: paid to the end of its term, used or not; or capacity that is "
            "reserved and paid while it is.",
};
