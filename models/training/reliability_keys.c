/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/reliability_keys.h"

#define DAY_S  86400.0
#define YEAR_S (365.25 * DAY_S)

static const char *const mtbf_words[] = {"published", "none", NULL};
static const char *const of_names[] = {"node", "gpu", NULL};
static const char *const restart_names[] = {"node", "gang", NULL};
static const char *const share_names[] = {"whole", "part", NULL};

_Static_assert(MTBF_PUBLISHED == 0 && MTBF_NONE == 1 && MTBF_OF_NODE == 0 &&
                   FAILURE_RESTART_NODE == 0 && STAGING_WHOLE == 0,
               "the words are indexed by their enums");

/* ---- failures ------------------------------------------------------------------------------- */

static const struct schema_key young_keys[] = {
    {.name = "factor",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = 1000,
     .default_text = "2.7",
     .offset = offsetof(struct young_spec, factor),
     .help = "So many times the failures of a node that is young no more; `1`: no difference."},
    {.name = "lasts",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = YEAR_S,
     .default_text = "24h",
     .offset = offsetof(struct young_spec, lasts),
     .help = "For so long after its launch."},
};

static const struct schema young_schema = {
    .name = "training.failures.young",
    .shorthand = "factor",
    SCHEMA_KEYS(young_keys),
    .size = sizeof(struct young_spec),
    .help = "New nodes fail more often.",
};

#define FAILURES(member) offsetof(struct failures_spec, member)

static const struct schema_key failures_keys[] = {
    {.name = "mtbf",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 60,
     .high = 1e5 * YEAR_S,
     .choices = mtbf_words,
     .default_text = "published",
     .offset = FAILURES(mtbf),
     .help = "Mean time between failures of one node, or of one accelerator (`of`); `published`: "
             "of the accelerator's generation, uncertain, listed under \"assumed\"; `none`."},
    {.name = "of",
     .kind = SCHEMA_CHOICE,
     .choices = of_names,
     .default_text = "node",
     .offset = FAILURES(of),
     .help = "What a stated `mtbf` is of: a `node`, or one `gpu` (accelerator) of it."},
    {.name = "young",
     .kind = SCHEMA_SECTION,
     .inner = &young_schema,
     .offset = FAILURES(young),
     .given_offset = FAILURES(young_given),
     .help = "How much more often a new node fails: a factor, or a section."},
    {.name = "detect",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "2min",
     .offset = FAILURES(detect),
     .help = "Time until the failure is noticed; work stands still from the failure on."},
    {.name = "restart",
     .kind = SCHEMA_CHOICE,
     .choices = restart_names,
     .default_text = "node",
     .offset = FAILURES(restart),
     .help = "What is launched anew then: the failed `node`, or the whole `gang`."},
};

const struct schema failures_schema = {
    .name = "training.failures",
    .shorthand = "mtbf",
    SCHEMA_KEYS(failures_keys),
    .size = sizeof(struct failures_spec),
    .help = "Failures of hardware, of nodes of every way to buy; an interruption by the cloud is "
            "none.",
};

/* ---- response ------------------------------------------------------------------------------- */

#define RESPONSE(member) offsetof(struct response_spec, member)

static const struct schema_key response_keys[] = {
    {.name = "auto",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "5min",
     .offset = RESPONSE(automatic),
     .help = "Time from detection until the failed node is given up and replaced, where that goes "
             "by itself."},
    {.name = "human",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 90 * DAY_S,
     .default_text = "8h",
     .offset = RESPONSE(human),
     .help = "The same where somebody has to come."},
    {.name = "p_human",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "10 %",
     .offset = RESPONSE(p_human),
     .help = "Share of the failures for which somebody has to come."},
};

const struct schema response_schema = {
    .name = "training.response",
    SCHEMA_KEYS(response_keys),
    .size = sizeof(struct response_spec),
    .help = "How long the gang stands still, and is paid, after a failure was noticed.",
};

/* ---- data, start, evaluation ---------------------------------------------------------------- */

static const struct schema_key staging_keys[] = {
    {.name = "bandwidth",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_DATA_RATE,
     .low = 1e3,
     .high = 1e15,
     .required = true,
     .offset = offsetof(struct staging_spec, bandwidth),
     .help = "How fast one node reads."},
    {.name = "share",
     .kind = SCHEMA_CHOICE,
     .choices = share_names,
     .default_text = "whole",
     .offset = offsetof(struct staging_spec, share),
     .help = "What each node reads: the `whole` data set, or its `part` of it."},
};

const struct schema staging_schema = {
    .name = "training.staging",
    .shorthand = "bandwidth",
    SCHEMA_KEYS(staging_keys),
    .size = sizeof(struct staging_spec),
    .help = "Reading the data set onto a node.",
};

static const struct schema_key evaluation_keys[] = {
    {.name = "every",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 10 * YEAR_S,
     .required = true,
     .offset = offsetof(struct evaluation_spec, every),
     .help = "Useful work between two."},
    {.name = "takes",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .required = true,
     .offset = offsetof(struct evaluation_spec, takes),
     .help = "Time for which work stands still."},
};

const struct schema evaluation_schema = {
    .name = "training.evaluation",
    SCHEMA_KEYS(evaluation_keys),
    .size = sizeof(struct evaluation_spec),
    .help = "Evaluations during the work, spread evenly over it.",
};

static const struct schema_key restart_time_keys[] = {
    {.name = "fixed",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "0s",
     .offset = offsetof(struct restart_time_spec, fixed),
     .help = "Whatever the number of nodes."},
    {.name = "per_node",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .default_text = "0s",
     .offset = offsetof(struct restart_time_spec, per_node),
     .help = "For each node: what is set up one after the other."},
    {.name = "per_doubling",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .default_text = "0s",
     .offset = offsetof(struct restart_time_spec, per_doubling),
     .help = "For each doubling of the nodes, log2 of them: what is set up along a tree."},
};

const struct schema restart_time_schema = {
    .name = "training.restart_time",
    .shorthand = "fixed",
    SCHEMA_KEYS(restart_time_keys),
    .size = sizeof(struct restart_time_spec),
    .help = "Processes, communicators and the first compilation: counted as restore.",
};
