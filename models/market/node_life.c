/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/node_life.h"

#include <math.h>

static bool has_hazard(const struct spot_spec *s)
{
    return s->interruptions.given && s->interruptions.word < 0;
}

static bool has_law(const struct spot_spec *s)
{
    return s->lifetime.given || s->lifetimes == LIFETIMES_BATHTUB || s->lifetime_cap.given;
}

bool node_life_given(const struct spot_spec *s)
{
    return has_hazard(s) || has_law(s);
}

static struct variate bathtub(void)
{
    return (struct variate){
        .family = DISTRIBUTION_WEIBULL,
        .p = {NUMBER_CERTAIN(BATHTUB_SHAPE), NUMBER_CERTAIN(BATHTUB_SCALE_S), NUMBER_CERTAIN(0)},
        .low = 0,
        .high = HUGE_VAL};
}

static double stated_or(const struct number *n, double otherwise, const double *drawn)
{
    return n->given ? number_value(n, drawn) : otherwise;
}

bool life_law_make(struct life_law *l, const struct spot_spec *s, const double *drawn)
{
    const bool tub = s->lifetimes == LIFETIMES_BATHTUB;
    *l = (struct life_law){.hazard_per_s = number_value(&s->interruptions, drawn),
                           .cap_s = HUGE_VAL};
    if (!has_law(s)) {
        return true;
    }
    l->cap_s = stated_or(&s->lifetime_cap, tub ? BATHTUB_CAP_S : HUGE_VAL, drawn);
    l->early_share = stated_or(&s->early_share,
                               tub                 ? BATHTUB_EARLY_SHARE
                               : s->lifetime.given ? 1.0
                                                   : 0.0,
                               drawn);
    const struct variate early = s->lifetime.given ? s->lifetime : bathtub();
    return variate_resolve(&early, drawn, &l->early);
}

bool life_law_ends(const struct life_law *l)
{
    return l->hazard_per_s > 0 || l->early_share > 0 || isfinite(l->cap_s);
}

double life_law_s(const struct life_law *l, double u)
{
    if (l->hazard_per_s > 0) {
        return -log(u) / l->hazard_per_s;
    }
    if (u >= l->early_share) {
        return l->cap_s;
    }
    double early_s = distribution_quantile(&l->early, u / l->early_share);
    return fmin(fmax(early_s, 0.0), l->cap_s);
}

double life_law_rate(const struct life_law *l)
{
    enum { POINTS = 4096 };
    double sum = 0;
    if (l->hazard_per_s > 0 || !life_law_ends(l)) {
        return l->hazard_per_s;
    }
    for (int i = 0; i < POINTS; i++) {
        sum += life_law_s(l, (i + 0.5) / POINTS);
    }
    return sum > 0 && isfinite(sum) ? POINTS / sum : 0.0;
}

#define COMPLAIN(...) (diagnostics_add(d, DIAGNOSTIC_ERROR, s->item.place, __VA_ARGS__), false)

bool node_life_check(const struct spot_spec *s, struct diagnostics *d)
{
    const bool early = s->lifetime.given || s->lifetimes == LIFETIMES_BATHTUB;
    bool good = true;
    if (has_hazard(s) && has_law(s)) {
        good = COMPLAIN("spot '%s' has both 'interruptions' and '%s', which both say how long a "
                        "node lives; keep one of them",
                        s->item.name,
                        s->lifetime.given                   ? "lifetime"
                        : s->lifetimes == LIFETIMES_BATHTUB ? "lifetimes"
                                                            : "lifetime_cap");
    }
    if (s->early_share.given && !early) {
        good = COMPLAIN("'early_share' of spot '%s' is the share of nodes that have the "
                        "'lifetime'; state that, or 'lifetimes: bathtub'",
                        s->item.name);
    } else if (s->early_share.given && s->lifetimes != LIFETIMES_BATHTUB &&
               !s->lifetime_cap.given) {
        good = COMPLAIN("with 'early_share' of spot '%s' the other nodes end at a "
                        "'lifetime_cap', which is not stated",
                        s->item.name);
    }
    return good;
}
