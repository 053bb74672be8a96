/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/failure_law.h"

#include <math.h>

double failure_law_life_s(const struct failure_law *l, double u)
{
    if (l->rate_per_s <= 0) {
        return HUGE_VAL;
    }
    double hazard = -log(u);
    double young = failure_law_expected(l, l->young_s);
    if (hazard < young) {
        return hazard / (l->rate_per_s * l->young_factor);
    }
    return l->young_s + (hazard - young) / l->rate_per_s;
}

double failure_law_expected(const struct failure_law *l, double age_s)
{
    double young_s = fmin(age_s, l->young_s);
    return l->rate_per_s * (l->young_factor * young_s + (age_s - young_s));
}
