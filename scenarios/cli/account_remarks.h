/* SPDX-License-Identifier: GPL-3.0-or-later
 * What exists beside the plan, in words: what is sunk, what others run. */
#ifndef FLEETCAST_SCENARIOS_ACCOUNT_REMARKS_H
#define FLEETCAST_SCENARIOS_ACCOUNT_REMARKS_H

#include "scenarios/study/study.h"

/* Each commitment and use; nothing when there is no account. */
void account_remarks_print(const struct study *s);
/* The sunk sum, in one sentence; nothing when it is no commitment's. */
void account_remarks_print_sunk(const struct study *s);

#endif
