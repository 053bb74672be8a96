/* SPDX-License-Identifier: GPL-3.0-or-later
 * The columns of the tables that show services, and spend by the hour of the week, in the plan
 * worlds; as result_layouts.h gives them. */
#ifndef FLEETCAST_SCENARIOS_SERVICE_LAYOUTS_H
#define FLEETCAST_SCENARIOS_SERVICE_LAYOUTS_H

#include "engine/table.h"

enum {
    LAYOUT_SERVICES_COLUMNS = 43,
    LAYOUT_HOUR_OF_WEEK_COLUMNS = 7,
    LAYOUT_SERVICE_HOURS_COLUMNS = 15
};
extern const struct column layout_services[LAYOUT_SERVICES_COLUMNS];
extern const struct column layout_hour_of_week[LAYOUT_HOUR_OF_WEEK_COLUMNS];
/* Over all worlds. */
extern const struct column layout_service_hours[LAYOUT_SERVICE_HOURS_COLUMNS];

#endif
