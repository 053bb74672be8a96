/* SPDX-License-Identifier: GPL-3.0-or-later
 * A report from a result: the first page, the charts with a sentence each, the register. What the
 * first page says follows from choice.csv; without one nothing is recommended, the comparison with
 * the baseline is the page, and it says how a choice is asked for. */
#ifndef FLEETCAST_PLOTS_REPORT_PAGE_H
#define FLEETCAST_PLOTS_REPORT_PAGE_H

#include "plots/report/report_document.h"
#include "plots/report/report_source.h"

#include <stdbool.h>

/* charts: the names of those that are drawn, in their order. False without memory. */
bool report_compose(struct report_document *r, const struct report_source *s,
                    const char *const *charts, size_t chart_count);

#endif
