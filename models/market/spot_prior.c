/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/spot_prior.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

struct spot_prior spot_prior_of(enum advisor_bucket bucket)
{
    switch (bucket) {
    case ADVISOR_BELOW_5:
        return (struct spot_prior){2.2, 0.6};
    case ADVISOR_5_10:
        return (struct spot_prior){1.9, 0.6};
    case ADVISOR_10_15:
        return (struct spot_prior){1.65, 0.6};
    case ADVISOR_15_20:
        return (struct spot_prior){1.4, 0.6};
    case ADVISOR_ABOVE_20:
        return (struct spot_prior){0.3, 0.75};
    case ADVISOR_UNKNOWN:
        break;
    }
    return (struct spot_prior){1.0, 1.0}; /* mixture over all buckets */
}

double spot_prior_threshold(struct spot_prior prior, double region_score, double zone_score)
{
    return prior.mean + prior.sd * (sqrt(SPOT_PRIOR_REGION_SHARE) * region_score +
                                    sqrt(1.0 - SPOT_PRIOR_REGION_SHARE) * zone_score);
}

double spot_prior_availability(struct spot_prior prior, double p)
{
    return gsl_cdf_ugaussian_P(prior.mean + prior.sd * gsl_cdf_ugaussian_Pinv(p));
}

bool spot_prior_measured_family(const char *family)
{
    return strcmp(family, "p2") == 0 || strcmp(family, "p3") == 0;
}

bool spot_prior_extrapolated(enum advisor_bucket bucket, const char *family)
{
    return bucket != ADVISOR_ABOVE_20 || !spot_prior_measured_family(family);
}
