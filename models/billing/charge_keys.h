/* SPDX-License-Identifier: GPL-3.0-or-later
 * The top-level list `charges`: what the plan pays beside nodes and the data of its workloads. */
#ifndef FLEETCAST_MODELS_CHARGE_KEYS_H
#define FLEETCAST_MODELS_CHARGE_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/billing/filesystem_keys.h"
#include "models/billing/invoice_keys.h"
#include "models/fleet/label_keys.h"

#include <stdbool.h>

enum applies_to { APPLIES_TO_ON_DEMAND, APPLIES_TO_SPOT, APPLIES_TO_ALL };
enum charge_until { UNTIL_WORK_ENDS, UNTIL_HORIZON };

/* `discount: {p4d: 12 %}` */
struct discount_spec {
    struct schema_item item; /* a service or an instance family */
    struct number share;
};

struct nat_spec {
    bool given;
    struct number hourly, per_gb;
};

struct charge_spec {
    struct schema_item item;
    const char *name;
    struct number monthly, hourly, once, per_node_hour, support, tax;
    struct number per_vcpu_hour, per_gpu_hour, monitoring;
    struct efs_spec efs;
    struct lustre_spec lustre;
    const char *workload; /* EFS, Lustre: whose it is; NULL: of all */
    int service;          /* enum charge_service; -1: absent */
    struct support_plan_spec support_plan;
    struct number credit;
    struct schema_date expires; /* the credit's last day */
    struct edp_spec edp;
    const char *instance;
    struct schema_list discount; /* struct discount_spec */
    struct nat_spec nat;
    int applies_to; /* enum applies_to; -1: absent */
    int until;      /* enum charge_until; -1: absent */
    struct quantity at;
    bool at_given;
    struct label_spec labels; /* whose it is */
};
extern const struct schema charge_schema;

#endif
