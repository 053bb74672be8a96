/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/choose_keys.h"

#include <stddef.h>

static const struct schema_key condition_keys[] = {
    {.name = "condition",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 200,
     .required = true,
     .offset = offsetof(struct condition_spec, condition),
     .help = "A metric of summary.csv and its statistic, one of `<= < >= >`, and a value: "
             "`cost_usd.p90 <= 6000 USD`, `p_late <= 5 %`, `chat:ttft_p99_s.p90 <= 500ms`."},
};

const struct schema condition_schema = {
    .name = "condition",
    .shorthand = "condition",
    SCHEMA_KEYS(condition_keys),
    .size = sizeof(struct condition_spec),
    .help = "What must hold; its text may stand in its place.",
};

#define KEY(member) offsetof(struct choose_spec, member)

static const struct schema_key choose_keys[] = {
    {.name = "minimise",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 200,
     .offset = KEY(minimise),
     .place_offset = KEY(minimise_place),
     .help = "This or `maximise` is required. `[WORKLOAD:]METRIC[.STAT]`: a metric of summary.csv, "
             "and `mean` (also when nothing is said) or a quantile such as `p80`; `p_late` is the "
             "chance of `late`, `p_unfinished` that of not being done."},
    {.name = "maximise",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 200,
     .offset = KEY(maximise),
     .place_offset = KEY(maximise_place),
     .help = "The same, where more is better, such as `tokens_per_s.p10`."},
    {.name = "subject_to",
     .kind = SCHEMA_LIST,
     .inner = &condition_schema,
     .list_or_one = true,
     .low = 0,
     .high = CHOOSE_MOST_CONDITIONS,
     .offset = KEY(subject_to),
     .help = "Conditions: a strategy of which one does not hold, or is not known to hold, is not "
             "chosen."},
    {.name = "confidence",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SHARE,
     .low = 0.5,
     .high = 0.999,
     .default_text = "95 %",
     .offset = KEY(confidence),
     .help = "How often the intervals of all differences hold at once, and with them the set of "
             "the strategies that cannot be told from the best."},
    {.name = "fresh_worlds",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = CHOOSE_MOST_FRESH_WORLDS,
     .default_text = "2000",
     .offset = KEY(fresh_worlds),
     .given_offset = KEY(fresh_given),
     .help = "Other worlds in which the chosen strategy and the runner-up are estimated anew, free "
             "of the luck by which they were chosen; by default no more than `replications`. `0`: "
             "none."},
    {.name = "serve_at_least",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "99 %",
     .offset = KEY(serve_at_least),
     .help = "A strategy that answers a smaller share of the requests of a service is not chosen; "
             "of usage by the clock: one that serves a smaller share than this of what the best "
             "strategy does."},
};

const struct schema choose_schema = {
    .name = "choose",
    .shorthand = "minimise",
    SCHEMA_KEYS(choose_keys),
    .size = sizeof(struct choose_spec),
    .help = "By what a strategy is chosen: an expression alone is what to minimise.",
};
