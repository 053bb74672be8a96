/* SPDX-License-Identifier: GPL-3.0-or-later
 * Settings with several values, `path=a,b,c`: axes of a grid. A comma parts values only outside of
 * brackets and quotes, so that `uniform(2h, 4h)`, `[a, b]` and `"a,b"` are one value each; a value
 * is what stands behind `=` of an ordinary setting (settings.h), and is not looked into here. */
#ifndef FLEETCAST_SCENARIOS_SETTING_AXIS_H
#define FLEETCAST_SCENARIOS_SETTING_AXIS_H

#include "scenarios/reader/setting_grid.h"

/* In the arena. False, told, when there is no `=`, a bracket or quote is not closed, or a value is
 * empty or stands there twice. */
bool setting_axis_parse(struct setting_axis *out, const char *setting, struct arena *a,
                        struct diagnostics *d);

#endif
