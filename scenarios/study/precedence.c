/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/precedence.h"

#include <math.h>
#include <stdlib.h>

struct precedence {
    const struct study *study;
    struct calendar *calendar;
    size_t strategy;
    void *const *works;
    const double *drawn;
    bool *ended;     /* seen to be done, one per workload */
    size_t *left;    /* that it waits for and that are not done yet */
    double *start_s; /* when it began; NaN: not yet */
};

struct precedence *precedence_new(const struct study *study, struct calendar *calendar)
{
    const size_t count = study->workload_count + 1;
    struct precedence *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    *p = (struct precedence){.study = study,
                             .calendar = calendar,
                             .ended = calloc(count, sizeof *p->ended),
                             .left = calloc(count, sizeof *p->left),
                             .start_s = calloc(count, sizeof *p->start_s)};
    if (p->ended == NULL || p->left == NULL || p->start_s == NULL) {
        precedence_free(p);
        return NULL;
    }
    return p;
}

void precedence_free(struct precedence *p)
{
    if (p != NULL) {
        free(p->ended);
        free(p->left);
        free(p->start_s);
        free(p);
    }
}

void precedence_begin(struct precedence *p, size_t strategy, void *const *works,
                      const double *drawn)
{
    p->strategy = strategy;
    p->works = works;
    p->drawn = drawn;
    for (size_t w = 0; w < p->study->workload_count; w++) {
        p->ended[w] = false;
        p->left[w] = p->study->order.waits[w].count;
        p->start_s[w] = (double)NAN;
    }
}

static void start_event(void *actor, uint64_t tag)
{
    struct precedence *p = actor;
    const struct work_kind *kind = study_work_kind(p->study, tag);
    if (!kind->done(p->works[tag])) {
        p->start_s[tag] = p->calendar->now_s;
        kind->start(p->works[tag]);
    }
}

/* All that it waits for is done, the last of it now. */
static bool start(struct precedence *p, size_t w)
{
    const struct work_plan *plan = p->study->strategies[p->strategy].plans[w];
    double delay_s = number_value(p->study->order.waits[w].delay, p->drawn);
    double start_s = fmax(p->calendar->now_s + delay_s, work_submit_s(plan, p->drawn));
    return calendar_schedule(p->calendar, start_s, EVENT_WORK, start_event, p, w, NULL) ==
           CALENDAR_OK;
}

/* The workload `before` has just been seen to end. */
static bool tell_followers(struct precedence *p, uint32_t before, bool finished)
{
    bool good = true;
    for (size_t w = 0; w < p->study->workload_count; w++) {
        const struct work_wait *wait = &p->study->order.waits[w];
        for (size_t i = 0; i < wait->count; i++) {
            if (wait->after[i] != before) {
                continue;
            }
            if (!finished) {
                study_work_kind(p->study, w)->forgo(p->works[w]);
            } else if (--p->left[w] == 0) {
                good = start(p, w) && good;
            }
        }
    }
    return good;
}

/* In their order, so that one pass sees all that follows from one end. */
bool precedence_follow(struct precedence *p)
{
    const struct work_order *o = &p->study->order;
    bool good = true;
    for (size_t k = 0; k < o->workloads; k++) {
        const uint32_t w = o->sequence[k];
        const struct work_kind *kind = study_work_kind(p->study, w);
        if (!p->ended[w] && o->waits[w].followed && kind->done(p->works[w])) {
            p->ended[w] = true;
            good = tell_followers(p, w, kind->result(p->works[w]).finished) && good;
        }
    }
    return good;
}

double precedence_submit_s(const struct precedence *p, size_t workload, double end_s)
{
    const struct work_plan *plan = p->study->strategies[p->strategy].plans[workload];
    double submit_s = plan->awaits ? p->start_s[workload] : work_submit_s(plan, p->drawn);
    return fmin(submit_s, end_s); /* the end where it is NaN */
}
