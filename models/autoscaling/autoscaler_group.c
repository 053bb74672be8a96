/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/autoscaling/autoscaler_group.h"

#include "engine/extremes.h"

#include <math.h>
#include <string.h>

/* Times of looks are sums of periods: so far apart they are the same instant. */
#define SAME_INSTANT_S 1e-6

static size_t state_size(const struct autoscaler_use *use)
{
    return use->autoscaler->state_size == NULL ? 0 : use->autoscaler->state_size(use->params);
}

bool autoscaler_group_init(struct autoscaler_group *g, struct arena *arena,
                           const struct autoscaler_use *uses, size_t count, uint32_t minimum,
                           uint32_t maximum)
{
    *g = (struct autoscaler_group){
        .uses = uses, .count = count, .minimum = minimum, .maximum = maximum};
    if (count == 0) {
        return true;
    }
    g->members = arena_array(arena, count, sizeof *g->members);
    for (size_t i = 0; g->members != NULL && i < count; i++) {
        size_t size = state_size(&uses[i]);
        if (size > 0) {
            g->members[i].state = arena_alloc(arena, size);
            if (g->members[i].state == NULL) {
                return false;
            }
        }
    }
    return g->members != NULL;
}

void autoscaler_group_begin(struct autoscaler_group *g, double start_s)
{
    g->minimum_now = g->minimum;
    g->maximum_now = g->maximum;
    for (size_t i = 0; i < g->count; i++) {
        struct autoscaler_member *m = &g->members[i];
        const struct autoscaler_use *use = &g->uses[i];
        if (m->state != NULL) {
            memset(m->state, 0, state_size(use));
        }
        if (use->autoscaler->begin != NULL) {
            use->autoscaler->begin(use->params, m->state);
        }
        m->next_s = start_s;
        m->said = (struct autoscaler_decision){0};
    }
}

double autoscaler_group_next_s(const struct autoscaler_group *g)
{
    double next_s = HUGE_VAL;
    for (size_t i = 0; i < g->count; i++) {
        next_s = double_min(next_s, g->members[i].next_s);
    }
    return next_s;
}

double autoscaler_group_period_s(const struct autoscaler_group *g)
{
    double shortest_s = HUGE_VAL;
    for (size_t i = 0; i < g->count; i++) {
        shortest_s = double_min(shortest_s, g->uses[i].autoscaler->period_s(g->uses[i].params));
    }
    return shortest_s;
}

static void ask(struct autoscaler_group *g, struct autoscaler_view *view, autoscaler_read *read,
                void *context)
{
    for (size_t i = 0; i < g->count; i++) {
        struct autoscaler_member *m = &g->members[i];
        const struct autoscaler_use *use = &g->uses[i];
        if (m->next_s > view->now_s + SAME_INSTANT_S) {
            continue;
        }
        if (read != NULL) {
            read(context, i, view);
        }
        m->said = use->autoscaler->decide(use->params, m->state, view);
        m->next_s += use->autoscaler->period_s(use->params);
        if (m->said.sets_minimum) {
            g->minimum_now = m->said.minimum;
        }
        if (m->said.sets_maximum) {
            g->maximum_now = m->said.maximum;
        }
    }
    /* One limit that is moved past the other takes it along. */
    if (g->maximum_now < g->minimum_now) {
        g->maximum_now = g->minimum_now;
    }
}

static uint32_t within(const struct autoscaler_group *g, uint32_t replicas)
{
    replicas = replicas < g->maximum_now ? replicas : g->maximum_now;
    return replicas > g->minimum_now ? replicas : g->minimum_now;
}

uint32_t autoscaler_group_look(struct autoscaler_group *g, struct autoscaler_view *view,
                               autoscaler_read *read, void *context)
{
    view->minimum = g->minimum_now;
    view->maximum = g->maximum_now;
    ask(g, view, read, context);

    bool set = false, opinion = false;
    uint32_t set_to = 0, most = 0, floor_of_all = 0;
    for (size_t i = 0; i < g->count; i++) {
        struct autoscaler_decision *d = &g->members[i].said;
        switch (d->says) {
        case AUTOSCALER_NOTHING:
            break;
        case AUTOSCALER_STAY:
            most = view->desired > most ? view->desired : most;
            opinion = true;
            break;
        case AUTOSCALER_WANT:
            most = d->replicas > most ? d->replicas : most;
            opinion = true;
            break;
        case AUTOSCALER_AT_LEAST:
            floor_of_all = d->replicas > floor_of_all ? d->replicas : floor_of_all;
            break;
        case AUTOSCALER_SET:
            set = true;
            set_to = d->replicas;
            d->says = AUTOSCALER_NOTHING; /* it is done once */
            break;
        }
    }
    uint32_t wants = set ? set_to : opinion ? most : view->desired;
    return within(g, wants > floor_of_all ? wants : floor_of_all);
}

/* 1970-01-05 was a Monday. */
#define MONDAY_UNIX_S 345600.0
#define WEEK_S        604800.0

static bool outside(const struct autoscaler_group *g, uint32_t replicas,
                    struct autoscaler_outside *found)
{
    *found = (struct autoscaler_outside){
        .replicas = replicas, .minimum = g->minimum_now, .maximum = g->maximum_now};
    return replicas != within(g, replicas);
}

/* At its first look an action is in force that came before, whose number later limits may have
 * bounded: the week after it says all. */
bool autoscaler_group_goes_outside(struct autoscaler_group *g, struct autoscaler_outside *found)
{
    struct autoscaler_view view = {.unix_s = MONDAY_UNIX_S};
    for (size_t i = 0; i < g->count; i++) {
        if (!g->uses[i].autoscaler->by_clock) {
            g->members[i].next_s = HUGE_VAL;
        }
    }
    ask(g, &view, NULL, NULL);
    if (g->count == 1 && g->members[0].said.says == AUTOSCALER_WANT) {
        return outside(g, g->members[0].said.replicas, found);
    }
    while (autoscaler_group_next_s(g) <= WEEK_S) {
        view.now_s = autoscaler_group_next_s(g);
        view.unix_s = MONDAY_UNIX_S + view.now_s;
        ask(g, &view, NULL, NULL);
        for (size_t i = 0; i < g->count; i++) {
            const struct autoscaler_decision *d = &g->members[i].said;
            if (d->says == AUTOSCALER_SET && outside(g, d->replicas, found)) {
                found->by_time = true;
                found->of_week_s = view.now_s;
                return true;
            }
        }
    }
    return false;
}
