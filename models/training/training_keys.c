/* SPDX-License-Identifier: GPL-3.0-or-later
 * The ranges are wide: they keep out what would break the arithmetic (a speed of zero, a century of
 * boot), not what is unusual. Where zero would divide, the least value stands in, so that no draw
 * of an uncertain number can reach it. */
#include "models/training/training_keys.h"

#include <stddef.h>

#define DAY_S  86400.0
#define YEAR_S (365.25 * DAY_S)

static const char *const on_notice_names[] = {"nothing", "checkpoint", NULL};
static const char *const restart_names[] = {"gang", "node", NULL};
static const char *const handover_names[] = {"overlap", "stop-first", NULL};
static const char *const at_horizon_names[] = {"cut", "finish-on-demand", NULL};

_Static_assert(ON_NOTICE_NOTHING == 0 && RESTART_GANG == 0 && AT_HORIZON_CUT == 0 &&
                   HANDOVER_OVERLAP == 0,
               "the names are indexed by their enums");

/* ---- throughput ----------------------------------------------------------------------------- */

static const struct schema_key throughput_keys[] = {
    {.name = "rate",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_RATE,
     .low = 1e-9,
     .high = 1e15,
     .required = true,
     .offset = offsetof(struct throughput_spec, rate),
     .help = "Units of work (tokens, samples) per second."},
};

static const struct schema throughput_schema = {
    .name = "throughput",
    .shorthand = "rate",
    SCHEMA_KEYS(throughput_keys),
    .size = sizeof(struct throughput_spec),
    .help = "A measured speed; the rate alone may stand in its place.",
};

/* ---- the job -------------------------------------------------------------------------------- */

#define JOB(member) offsetof(struct training_spec, member)

static const struct schema_key training_keys[] = {
    {.name = "tokens",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e18,
     .offset = JOB(tokens),
     .help = "The work, in tokens. Exactly one of `tokens`, `samples`, `hours` and `gpu_hours` is "
             "given."},
    {.name = "samples",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e18,
     .offset = JOB(samples),
     .place_offset = JOB(samples_place),
     .help = "The work, in samples (images, sequences)."},
    {.name = "hours",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 100 * YEAR_S,
     .offset = JOB(hours),
     .place_offset = JOB(hours_place),
     .help = "The work, as the time that the gang needs for it undisturbed: `40h`."},
    {.name = "epochs",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1e9,
     .default_text = "1",
     .offset = JOB(epochs),
     .help = "How often `tokens` or `samples` are gone through."},
    {.name = "model",
     .kind = SCHEMA_SECTION,
     .inner = &model_schema,
     .offset = JOB(model),
     .help = "What is trained, for memory, and for speed where no throughput is measured: the name "
             "of a published model, or a section."},
    {.name = "parallel",
     .kind = SCHEMA_SECTION,
     .inner = &parallel_schema,
     .offset = JOB(parallel),
     .given_offset = JOB(parallel.given),
     .help = "How the model is spread over the accelerators, and in which portions it is fed."},
    {.name = "memory",
     .kind = SCHEMA_SECTION,
     .inner = &memory_schema,
     .offset = JOB(memory),
     .help = "What the memory of accelerators and hosts holds beside the model itself."},
    {.name = "mfu",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0.001,
     .high = 1,
     .offset = JOB(mfu),
     .help = "Model FLOPs utilisation: the share of the dense peak that the job reaches; takes the "
             "place of the estimate from the data sheet."},
    SPEED_KEYS(struct training_spec),
    {.name = "throughput",
     .kind = SCHEMA_MAP,
     .inner = &throughput_schema,
     .offset = JOB(throughput),
     .help = "Measured speed of one node, by instance type: `{p4d.24xlarge: 29000/s}`."},
    {.name = "job_throughput",
     .kind = SCHEMA_MAP,
     .inner = &throughput_schema,
     .offset = JOB(job_throughput),
     .help = "Measured speed of the whole job at a stated count: `{p4d.24xlarge x 4: 117000/s}`; "
             "refused at another count."},
    {.name = "scaling",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0.001,
     .high = 1,
     .default_text = "1",
     .offset = JOB(scaling),
     .help = "Share of linear speed-up that is reached above one node."},
    {.name = "checkpoint",
     .kind = SCHEMA_SECTION,
     .inner = &checkpoint_schema,
     .default_text = "none",
     .offset = JOB(checkpoint),
     .given_offset = JOB(checkpoint.given),
     .help = "How work is kept: `continuous`, `none`, or a section. Default: `none`."},
    {.name = "elastic",
     .kind = SCHEMA_SECTION,
     .inner = &elastic_schema,
     .offset = JOB(elastic),
     .place_offset = JOB(elastic.place),
     .given_offset = JOB(elastic.given),
     .help = "The job runs on as many nodes as it gets; without this section only on all of them."},
    {.name = "boot",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "3min",
     .offset = JOB(boot),
     .help = "Time from a node's launch to its being ready; the gang waits for its slowest."},
    {.name = "on_notice",
     .kind = SCHEMA_CHOICE,
     .choices = on_notice_names,
     .default_text = "nothing",
     .offset = JOB(on_notice),
     .help =
         "What is done at the notice of an interruption; `checkpoint` counts if the write fits."},
    {.name = "on_rebalance",
     .kind = SCHEMA_CHOICE,
     .choices = on_notice_names,
     .default_text = "nothing",
     .offset = JOB(on_rebalance),
     .help = "What is done at a rebalance recommendation (`rebalance` of the pool): `checkpoint` "
             "writes one at once, and work goes on."},
    {.name = "restart",
     .kind = SCHEMA_CHOICE,
     .choices = restart_names,
     .default_text = "gang",
     .offset = JOB(restart),
     .help = "What is launched anew after a loss: the whole `gang`, or the lost `node` only."},
    {.name = "handover",
     .kind = SCHEMA_CHOICE,
     .choices = handover_names,
     .default_text = "overlap",
     .offset = JOB(handover),
     .help =
         "How a policy's planned move from pool to pool goes: `overlap`: the old gang works on, "
         "and is paid, while the new one boots; `stop-first`: it saves its work and is given "
         "back before the new one is launched, so that each move costs a boot, as with "
         "launchers and quotas that hold one gang at a time."},
    {.name = "look_every",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 7 * DAY_S,
     .default_text = "0s",
     .offset = JOB(look_every),
     .help = "How often the policy looks and decides, from submission on, as a controller that "
             "polls; `0s`: at once, whenever something changes. Between two looks what was decided "
             "last is followed; the median counts."},
    {.name = "patience",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 10 * YEAR_S,
     .default_text = "10min",
     .offset = JOB(patience),
     .help = "How long an incomplete gang is held, and paid, before it is given back."},
    {.name = "submit",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 0,
     .high = 10 * YEAR_S,
     .default_text = "0s",
     .offset = JOB(submit),
     .place_offset = JOB(submit_place),
     .help = "When the job comes, counted from the scenario's start; with `after` it begins no "
             "earlier."},
    {.name = "deadline",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SPAN,
     .low = 1,
     .high = 10 * YEAR_S,
     .offset = JOB(deadline),
     .place_offset = JOB(deadline_place),
     .given_offset = JOB(deadline_given),
     .help = "When it has to be done, counted from `submit`."},
    {.name = "at_horizon",
     .kind = SCHEMA_CHOICE,
     .choices = at_horizon_names,
     .default_text = "cut",
     .offset = JOB(at_horizon),
     .help = "What becomes of unfinished work: `cut` off and counted, or finished on-demand."},
    RELIABILITY_KEYS(struct training_spec),
    {.name = "zone_traffic",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA_RATE,
     .low = 0,
     .high = 1e15,
     .offset = JOB(zone_traffic),
     .help = "Data that crosses each border between zones while a gang with `span_zones` works; "
             "default: from `model` and `parallel: {batch}`."},
    STORAGE_KEYS(struct training_spec),
    LABEL_KEY_OWNER(JOB(labels), "Whose job it is: split.csv splits the cost by owner."),
    LABEL_KEY_TAGS(JOB(labels)),
    ORDER_KEYS(JOB(order)),
};

const struct schema training_schema = {
    .name = "training",
    .tag = "kind",
    SCHEMA_KEYS(training_keys),
    .size = sizeof(struct training_spec),
    .help = "A training job: a fixed amount of work, done by a gang of nodes.",
};
