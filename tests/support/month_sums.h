/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a bill parts by month adds up to what it is of, to the nano-unit. */
#ifndef FLEETCAST_TESTS_MONTH_SUMS_H
#define FLEETCAST_TESTS_MONTH_SUMS_H

#include "scenarios/study/metrics.h"
#include "scenarios/study/study.h"

/* Of one world: the cells of `all`, cost by month, BILL_ROWS by month. Fails the test if not. */
void assert_months_add_up(const struct study *s, const struct metric_cells *all,
                          const money_t *months, const money_t *by_month);

#endif
