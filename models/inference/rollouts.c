/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/rollouts.h"

#include "models/fleet/moment.h"
#include "models/fleet/work_making.h"

#include <math.h>

#define DAY_S 86400.0

#define ROLLOUTS(member) offsetof(struct rollouts_spec, member)

static const struct schema_key rollouts_keys[] = {
    {.name = "every",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 60,
     .high = 3660 * DAY_S,
     .offset = ROLLOUTS(every),
     .help = "Time from the begin of one to that of the next."},
    {.name = "from",
     .kind = SCHEMA_TEXT,
     .low = 1,
     .high = 64,
     .offset = ROLLOUTS(from),
     .place_offset = ROLLOUTS(from_place),
     .help = "When the first of them begins: a date or time (UTC), or a time from the scenario's "
             "start; default: `every` after the service does."},
    {.name = "at",
     .kind = SCHEMA_TEXTS,
     .list_or_one = true,
     .low = 0,
     .high = 1000,
     .offset = ROLLOUTS(at),
     .place_offset = ROLLOUTS(at_place),
     .help = "Times at which one begins, in the same way, in place of `every` or beside it."},
    {.name = "extra",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 10,
     .default_text = "100 %",
     .offset = ROLLOUTS(extra),
     .help = "Nodes that stand meanwhile beside those of the service, over their number, rounded "
             "up: `100 %` is a second fleet (blue and green), `25 %` a surge."},
    {.name = "takes",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 30 * DAY_S,
     .required = true,
     .offset = ROLLOUTS(takes),
     .help = "How long they stand, from launch to end: boot, loading, tests, moving over, the time "
             "for going back."},
};

const struct schema rollouts_schema = {
    .name = "inference.rollouts",
    SCHEMA_KEYS(rollouts_keys),
    .size = sizeof(struct rollouts_spec),
    .help = "New versions: for a while further nodes stand beside those that serve, and are paid. "
            "As many replicas serve as without.",
};

static bool make_moment(double *s, const char *text, struct place where, const char *key,
                        const struct market_context *c)
{
    char message[300];
    if (!moment_parse(text, c->start_unix_s, s, message, sizeof message)) {
        return work_complain(c, DIAGNOSTIC_ERROR, where, true, "'%s': '%.60s': %s", key, text,
                             message);
    }
    return *s >= 0 || work_complain(c, DIAGNOSTIC_ERROR, where, true,
                                    "'%s': '%.60s' is before the scenario's start", key, text);
}

bool rollouts_plan_make(struct rollouts_plan *p, const struct rollouts_spec *spec,
                        const char *workload, const struct market_context *c)
{
    const char *const *at = spec->at.items;
    double *times = arena_array(c->arena, spec->at.count + 1, sizeof *times);
    *p = (struct rollouts_plan){
        .spec = spec, .from_s = HUGE_VAL, .at_s = times, .at_count = spec->at.count};
    if (times == NULL) {
        return false;
    }
    if (!spec->every.given && spec->at.count == 0) {
        return work_complain(c, DIAGNOSTIC_ERROR, spec->place, true,
                             "'rollouts' of '%s' does not say when; expected 'every: 2w', or 'at: "
                             "[2026-03-15]'",
                             workload);
    }
    if (spec->from != NULL && !spec->every.given) {
        return work_complain(c, DIAGNOSTIC_ERROR, spec->from_place, true,
                             "'from' of the 'rollouts' of '%s' is the first of those that come "
                             "'every' so often, which is not stated; add it, or expected 'at'",
                             workload);
    }
    if (spec->every.given && spec->takes.median > spec->every.median) {
        return work_complain(c, DIAGNOSTIC_ERROR, spec->place, true,
                             "a rollout of '%s' takes longer than the time to the next; expected "
                             "'takes' below 'every'",
                             workload);
    }
    bool good =
        spec->from == NULL || make_moment(&p->from_s, spec->from, spec->from_place, "from", c);
    for (size_t i = 0; i < spec->at.count; i++) {
        good &= make_moment(&times[i], at[i], spec->at_place, "at", c);
    }
    return good;
}
