/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/eligibility.h"

#include <math.h>

enum choice_status eligibility_status(const struct eligibility *e)
{
    if (e->unfinished > CHOICE_MOST_UNFINISHED) {
        return CHOICE_UNFINISHED;
    }
    if (e->short_of || e->broken) {
        return CHOICE_BREAKS_LIMIT;
    }
    return e->missing > 0 || !e->value->known ? CHOICE_UNKNOWN : CHOICE_WORSE;
}

bool eligibility_holds(const struct condition *c, const struct estimate *value)
{
    return value->n > 0 && condition_holds(c, value->at_least, value->at_most);
}

void served_sum_add(struct served_sum *s, double served, double wanted)
{
    if (!isnan(served) && !isnan(wanted)) {
        s->served += served;
        s->wanted += wanted;
    }
}

double served_sum_share(const struct served_sum *s)
{
    return s->wanted > 0 ? s->served / s->wanted : (double)NAN;
}
