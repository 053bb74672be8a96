/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/tick_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum runs { NONE, SPOT, ON_DEMAND };

struct tick_state {
    double done_s, pending_s;
    enum runs last;
    double noted[POLICY_NOTES];
};

static enum runs overridden(const struct tick_case *c, const struct tick_state *s, double now_s,
                            bool there, enum runs choice)
{
    double rem_s = c->work_s - s->done_s;
    double left_s = floor((c->deadline_s - now_s) / c->tick_s) * c->tick_s;
    if (!c->overridden || ceil((rem_s + c->overhead_s) / c->tick_s) * c->tick_s < left_s) {
        return choice;
    }
    if (c->overhead_s == 0 && there) {
        return SPOT;
    }
    return s->last == SPOT && s->pending_s < 1e-3 ? choice : ON_DEMAND;
}

static enum runs choose(const struct tick_case *c, struct tick_state *s, double now_s, bool there,
                        enum runs current)
{
    if (c->work_s - s->done_s <= 1e-3) {
        return NONE;
    }
    struct policy_view view = {
        .now_s = now_s,
        .running = current != NONE,
        .runs_on = current == SPOT ? PURCHASE_SPOT : PURCHASE_ON_DEMAND,
        .spot_obtainable = there && current != SPOT,
        .spot_wanted_since_s = now_s,
        .nodes = 1,
        .work_left_s = c->work_s - s->done_s,
        .deadline_s = c->deadline_s,
        .overhead_s = c->overhead_s,
        .work_s = c->work_s,
        .done_s = s->done_s,
        .overhead_left_s = current == NONE ? 0 : s->pending_s,
        .tick_s = c->tick_s,
    };
    memcpy(view.noted, s->noted, sizeof view.noted);
    struct policy_decision d = c->policy->decide(c->params, &view);
    memcpy(s->noted, d.noted, sizeof s->noted);
    enum runs choice = d.want == PURCHASE_ON_DEMAND ? ON_DEMAND : there ? SPOT : NONE;
    return overridden(c, s, now_s, there, choice);
}

/* What the tick that just ended was good for. */
static void credit(const struct tick_case *c, struct tick_state *s)
{
    double useful_s = fmax(c->tick_s - s->pending_s, 0);
    s->pending_s -= c->tick_s - useful_s;
    s->pending_s = s->pending_s < 1e-3 ? 0 : s->pending_s;
    s->done_s += fmin(useful_s, c->work_s - s->done_s);
}

static void add_run(struct text *timeline, size_t length, enum runs what)
{
    if (length > 0) {
        text_format(timeline, "%zu%c", length, ".SD"[what]);
    }
}

struct tick_outcome tick_model_run(const struct tick_case *c, struct text *timeline)
{
    struct tick_outcome out = {0};
    struct tick_state s = {0};
    size_t length = 0;
    for (size_t k = 0;; k++) {
        if (k > 0 && s.last != NONE) {
            credit(c, &s);
        }
        if (c->work_s - s.done_s <= 1e-8) {
            out.finished = true;
            out.finish_s = (double)k * c->tick_s;
            break;
        }
        if (k == c->ticks) {
            break;
        }
        bool there = c->nodes[k] > 0;
        bool preempted = s.last == SPOT && !there;
        enum runs current = preempted ? NONE : s.last;
        enum runs choice = choose(c, &s, (double)k * c->tick_s, there, current);
        out.preemptions += preempted;
        if (choice != NONE && choice != current) {
            s.pending_s = c->overhead_s;
            *(choice == SPOT ? &out.spot_launches : &out.on_demand_launches) += 1;
        }
        *(choice == SPOT        ? &out.spot_ticks
          : choice == ON_DEMAND ? &out.on_demand_ticks
                                : &out.idle_ticks) += 1;
        double price = choice == SPOT ? c->spot_per_hour : c->on_demand_per_hour;
        out.cost += choice == NONE ? 0 : price * c->tick_s / 3600;
        if (length > 0 && choice != s.last) {
            add_run(timeline, length, s.last);
            length = 0;
        }
        length++;
        s.last = choice;
    }
    add_run(timeline, length, s.last);
    return out;
}

/* ---- parameters ---- */

const struct policy *tick_model_policy(const char *name)
{
    for (size_t i = 0; policy_table[i] != NULL; i++) {
        if (strcmp(policy_table[i]->schema->name, name) == 0) {
            return policy_table[i];
        }
    }
    return NULL;
}

static void set_number(char *params, const struct schema *schema, const char *key, double value)
{
    const struct schema_key *k = schema_find(schema, key);
    if (k != NULL) {
        struct number n = NUMBER_CERTAIN(value);
        memcpy(params + k->offset, &n, sizeof n);
    }
}

void *tick_model_params(const struct policy *policy, double slice_s, bool hysteresis)
{
    char *params = calloc(1, policy->schema->size);
    if (params == NULL) {
        return NULL;
    }
    set_number(params, policy->schema, "margin", 0);
    set_number(params, policy->schema, "slice", slice_s);
    const struct schema_key *k = schema_find(policy->schema, "hysteresis");
    if (k != NULL) {
        memcpy(params + k->offset, &hysteresis, sizeof hysteresis);
    }
    return params;
}
