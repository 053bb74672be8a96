/* SPDX-License-Identifier: GPL-3.0-or-later
 * A report as a workbook (.xlsx) by libxlsxwriter, where the program was built with it (`make
 * XLSX=1`): a sheet with the paper, whose figures are numbers, and a sheet for each table behind
 * it. Texts are written as texts, never as formulas. The same report gives the same bytes: the
 * workbook is dated by the plan's start. */
#ifndef FLEETCAST_PLOTS_REPORT_WORKBOOK_H
#define FLEETCAST_PLOTS_REPORT_WORKBOOK_H

#include "engine/diagnostics.h"
#include "engine/table.h"
#include "plots/report/report_document.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this program can. */
bool report_workbook_supported(void);
/* Writes a new file. tables: NULL ones are passed over, as are those without rows; of the largest
 * the first million rows. False, told in d, when it cannot be written or is not supported. */
bool report_workbook_write(const struct report_document *r, const struct table *const *tables,
                           size_t count, int64_t dated_unix_s, const char *path,
                           struct diagnostics *d);

#endif
