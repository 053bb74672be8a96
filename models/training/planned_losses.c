/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/planned_losses.h"

double training_planned_loss_rate(const struct market_plan *market, const struct training_plan *p,
                                  int site)
{
    return market_planned_loss_rate(market, p->pools[site], p->work.nodes) +
           training_planned_failure_rate_per_s(p);
}
