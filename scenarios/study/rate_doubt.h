/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which strategies may not be chosen between: one holds Reserved Instances, the other a savings
 * plan whose rate is assumed from the price of those very instances (`rate: as-reserved`). Which of
 * the two is the cheaper was then decided by the assumption, not found out by the simulation. */
#ifndef FLEETCAST_SCENARIOS_RATE_DOUBT_H
#define FLEETCAST_SCENARIOS_RATE_DOUBT_H

#include "scenarios/study/study.h"

#include <stdbool.h>
#include <stddef.h>

/* True when one of the two strategies reserves more instances of a family, class, term and payment
 * than the other, and the other has more of a savings plan of the same term and payment whose rates
 * in that family are as reserved (standard for EC2 Instance, convertible for Compute Savings
 * Plans). */
bool rate_doubt(const struct study *s, size_t a, size_t b);

/* What results say of such a difference. */
#define RATE_DOUBT "savings-plan rate"

#endif
