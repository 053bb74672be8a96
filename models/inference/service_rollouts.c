/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rollouts: for as long as one takes, further nodes stand beside those that serve. */
#include "models/inference/service_state.h"

#include <math.h>

static void schedule(struct service_run *s, double at_s, event_handler *handler, uint64_t tag)
{
    if (isfinite(at_s) && calendar_schedule(s->calendar, fmax(at_s, s->calendar->now_s), EVENT_WORK,
                                            handler, s, tag, NULL) != CALENDAR_OK) {
        fleet_fail(s->fleet);
    }
}

static void on_end(void *run, uint64_t tag)
{
    struct service_run *s = run;
    (void)tag;
    if (s->over) {
        return;
    }
    service_book(s);
    s->rolling--;
    journal_add(fleet_journal(s->fleet), s->calendar->now_s, s->plan->work.workload,
                "the rollout is over");
    service_rolls(s);
}

/* tag 1: it is one of those that come every so often. */
static void on_begin(void *run, uint64_t tag)
{
    struct service_run *s = run;
    if (s->over) {
        return;
    }
    service_book(s);
    s->rolling++;
    journal_add(fleet_journal(s->fleet), s->calendar->now_s, s->plan->work.workload,
                "a rollout begins: %.4g %% more nodes", 100 * s->rollout_extra);
    service_rolls(s);
    schedule(s, s->calendar->now_s + s->rollout_takes_s, on_end, 0);
    if (tag == 1) {
        schedule(s, s->calendar->now_s + s->rollout_every_s, on_begin, 1);
    }
}

void service_rollouts_begin(struct service_run *s, const double *drawn)
{
    const struct rollouts_spec *spec = s->plan->rollouts.spec;
    s->rolling = 0;
    s->rollout_extra = s->rollout_takes_s = 0;
    s->rollout_every_s = HUGE_VAL;
    if (spec != NULL) {
        s->rollout_extra = number_value(&spec->extra, drawn);
        s->rollout_takes_s = number_value(&spec->takes, drawn);
        s->rollout_every_s = spec->every.given ? number_value(&spec->every, drawn) : HUGE_VAL;
    }
}

/* What was to come before the service begins does not. */
void service_rollouts_start(struct service_run *s)
{
    const struct rollouts_plan *p = &s->plan->rollouts;
    if (p->spec == NULL) {
        return;
    }
    double now_s = s->calendar->now_s, first_s = p->from_s;
    if (!isfinite(first_s)) {
        first_s = now_s + s->rollout_every_s;
    } else if (first_s < now_s) {
        first_s += ceil((now_s - first_s) / s->rollout_every_s) * s->rollout_every_s;
    }
    schedule(s, first_s, on_begin, 1);
    for (size_t i = 0; i < p->at_count; i++) {
        schedule(s, p->at_s[i] >= now_s ? p->at_s[i] : HUGE_VAL, on_begin, 0);
    }
}
