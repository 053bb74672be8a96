/* SPDX-License-Identifier: GPL-3.0-or-later
 * Columns of result tables, written short. A name that ends in _CUR holds money of the scenario's
 * currency: see result_layouts.c. */
#ifndef FLEETCAST_SCENARIOS_LAYOUT_COLUMNS_H
#define FLEETCAST_SCENARIOS_LAYOUT_COLUMNS_H

#include "engine/table.h"

#define TEXT(n, m)                                                                                 \
    {                                                                                              \
        .name = n, .unit = "", .meaning = m, .kind = COLUMN_TEXT, .decimals = -1                   \
    }
#define COUNT(n, m)                                                                                \
    {                                                                                              \
        .name = n, .unit = "", .meaning = m, .kind = COLUMN_INTEGER, .decimals = 0                 \
    }
#define NUMBER(n, u, m)                                                                            \
    {                                                                                              \
        .name = n, .unit = u, .meaning = m, .kind = COLUMN_NUMBER, .decimals = -1                  \
    }
/* In the unit that stands in the row. */
#define IN_UNIT(n, m) NUMBER(n, "unit", m)
#define MONEY(n, m)                                                                                \
    {                                                                                              \
        .name = n, .unit = "CUR", .meaning = m, .kind = COLUMN_MONEY, .decimals = 2                \
    }
#define TIME(n, m)                                                                                 \
    {                                                                                              \
        .name = n, .unit = "", .meaning = m, .kind = COLUMN_TIME, .decimals = -1                   \
    }

#endif
