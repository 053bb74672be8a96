/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario says about a training job. */
#ifndef FLEETCAST_MODELS_TRAINING_KEYS_H
#define FLEETCAST_MODELS_TRAINING_KEYS_H

#include "engine/inputs.h"
#include "engine/schema.h"
#include "models/fleet/label_keys.h"
#include "models/fleet/storage_keys.h"
#include "models/fleet/work_order.h"
#include "models/speed/memory_keys.h"
#include "models/speed/model_keys.h"
#include "models/speed/parallel_keys.h"
#include "models/speed/speed_keys.h"
#include "models/training/checkpoint_keys.h"
#include "models/training/elastic_keys.h"
#include "models/training/reliability_keys.h"

#include <stdbool.h>
#include <stdint.h>

/* `throughput: {p4d.24xlarge: 29000/s}` (per node), `job_throughput: {p4d.24xlarge x 4: 117000/s}`.
 */
struct throughput_spec {
    struct schema_item item; /* the instance type, or "TYPE x NODES" */
    struct number rate;      /* units of work per second */
};

enum on_notice { ON_NOTICE_NOTHING, ON_NOTICE_CHECKPOINT };
enum restart { RESTART_GANG, RESTART_NODE };
/* A planned move: the old gang works on while the new one boots, or goes before that is launched.
 */
enum handover { HANDOVER_OVERLAP, HANDOVER_STOP_FIRST };
enum at_horizon { AT_HORIZON_CUT, AT_HORIZON_FINISH_ON_DEMAND };

struct training_spec {
    struct schema_item item;
    struct number tokens, samples, epochs,
        hours; /* the work: exactly one of tokens, samples, hours and speed.gpu_hours */
    struct place samples_place, hours_place;
    struct model_spec model;
    struct parallel_spec parallel;
    struct memory_spec memory;
    struct speed_spec speed;
    struct number mfu;                 /* share of the dense peak */
    struct schema_list throughput;     /* struct throughput_spec, per node */
    struct schema_list job_throughput; /* struct throughput_spec, of the whole job at that count */
    struct number scaling;             /* share of linear scaling above one node */
    struct checkpoint_spec checkpoint;
    struct elastic_spec elastic;
    struct variate boot;         /* seconds from launch to ready */
    int on_notice, on_rebalance; /* enum on_notice */
    int restart, handover;
    struct number look_every; /* of the policy; 0: whenever something changes */
    struct number patience;   /* seconds */
    struct quantity submit;   /* from the scenario's start */
    struct quantity deadline; /* from submission; may be absent */
    bool deadline_given;      /* value or months > 0 */
    struct place submit_place, deadline_place;
    int at_horizon;
    struct reliability_spec reliability;
    struct number zone_traffic; /* bytes per second over each border between zones */
    struct storage_spec storage;
    struct label_spec labels; /* whose job it is */
    struct order_spec order;  /* what it waits for */
};
extern const struct schema training_schema; /* variant "training" of `kind` */

#endif
