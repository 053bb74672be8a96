/* SPDX-License-Identifier: GPL-3.0-or-later
 * The part of a service's plan that is about its fleet: jobs, monitoring, footprint, zones, warm
 * pool. For service_plan.c only; what is wrong is told at its key, and false then. */
#ifndef FLEETCAST_MODELS_SERVICE_FLEET_PLAN_H
#define FLEETCAST_MODELS_SERVICE_FLEET_PLAN_H

#include "models/inference/service_plan.h"

#include <stdbool.h>

/* Everything that is looked at while a plan is made. */
struct service_making {
    struct service_plan *plan;
    const struct work_request *request;
    const struct market_context *c;
    struct strategy_terms terms;
    const char *strategy, *workload;
};

/* Tells what is wrong; false for the caller's convenience. once: not again at the same place. */
bool service_refuse(const struct service_making *m, struct place where, bool once,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Steps of time would err, as `what` says: refused where `auto` took them, with the advice to state
 * 'mode: requests' or `instead`; told, and true, where they are stated. err: by how much. */
bool service_steps_err(const struct service_making *m, struct place where, const char *err,
                       const char *instead, const char *what, ...)
    __attribute__((format(printf, 5, 6)));

/* Once autoscalers and limits are known. */
bool service_check_jobs(const struct service_making *m);
bool service_set_monitoring(const struct service_making *m);
/* Likewise: how many may stand, and in how many zones. */
bool service_set_footprint(const struct service_making *m);
/* The pools of each zone. */
bool service_fill_zones(const struct service_making *m);
/* Once there are pools. */
bool service_set_warm_pool(const struct service_making *m);

/* The shortest period of an autoscaler. */
double service_looks_every_s(const struct service_plan *p);
/* In steps of time nothing is known of what is in the middle of one: whether datapoints of
 * monitoring end with steps. */
bool service_datapoints_fit(const struct service_plan *p);

#endif
