/* SPDX-License-Identifier: GPL-3.0-or-later
 * How a service is simulated: request by request, or in steps of time. Chosen from the service
 * alone, never from a strategy, so that all strategies are compared by the same means. */
#ifndef FLEETCAST_MODELS_SERVICE_MODE_H
#define FLEETCAST_MODELS_SERVICE_MODE_H

#include "models/inference/demand.h"
#include "models/inference/service_keys.h"

#include <stdbool.h>
#include <stddef.h>

enum service_mode { SERVICE_AUTO, SERVICE_REQUESTS, SERVICE_INTERVAL };

/* What `auto` is guided by; where the errors of steps pass 3 % of cost or 2 points of attainment.
 */
#define SERVICE_LEAST_INTERVAL_RATE 2.0 /* arrivals/s on average */
#define SERVICE_MOST_INTERVAL_CV    3.0 /* of the time between arrivals */
#define SERVICE_LEAST_BURST_S       60.0
#define SERVICE_MOST_SERVICE_CV     1.5
/* An objective is near the wait that a limit enforces between these shares of it: then requests are
 * taken for language models, from this variation of arrivals on, and below that of service. */
#define SERVICE_NEAR_LIMIT       0.5
#define SERVICE_BEYOND_LIMIT     3.0
#define SERVICE_MOST_LIMITED_CV  1.5
#define SERVICE_LEAST_LIMITED_CV 0.5
#define SERVICE_FEW_SERVICES     8.0 /* … unless the wait is that of so many of them */

#define SERVICE_NO_QUEUE_LIMIT 1000000 /* from here on a limit is none */

struct service_mode_choice {
    bool interval;
    bool errs;     /* steps are stated where `auto` would not take them: why says what errs */
    char why[200]; /* "stated", "fewer than 2 requests/s on average" */
};

struct service_mode_choice service_mode_choose(const struct service_spec *spec,
                                               const struct demand_plan *demand);
/* Why this service cannot be simulated in steps at all; NULL: it can. */
const char *service_mode_refusal(const struct service_spec *spec);

#endif
