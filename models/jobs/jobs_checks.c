/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/jobs_checks.h"

#include "models/fleet/work_making.h"

#include <math.h>
#include <stdlib.h>

bool jobs_refuse(const struct jobs_making *m, struct place where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    work_complainv(m->c, DIAGNOSTIC_ERROR, where, true, format, args);
    va_end(args);
    return false;
}

static struct place own_place(const struct jobs_making *m)
{
    return m->spec->item.place;
}

/* ---- the jobs ---- */

bool jobs_at_random(const struct jobs_spec *s)
{
    return s->rate.given || s->interarrival.given;
}

bool jobs_check_source(const struct jobs_making *m)
{
    const struct jobs_spec *s = m->spec;
    int sources = s->rate.given + s->interarrival.given + (s->list.count > 0) + (s->file != NULL);
    if (s->trials > 0) {
        return true;
    }
    if (s->preempt && s->discipline != BY_PRIORITY) {
        return jobs_refuse(m, s->preempt_place,
                           "'preempt' lets jobs of '%s' take the nodes of others by their "
                           "priority; expected 'order: priority' too",
                           m->workload);
    }
    if (sources != 1) {
        return jobs_refuse(m, own_place(m),
                           "%s when the jobs of '%s' come; expected exactly one of 'rate', "
                           "'interarrival', 'list' and 'file'",
                           sources == 0 ? "nothing says" : "several keys say", m->workload);
    }
    if (jobs_at_random(s) && !s->until_given) {
        return jobs_refuse(
            m, s->rate.given ? s->rate_place : s->interarrival_place,
            "the jobs of '%s' come without end; say when the last may come: 'until', "
            "before the horizon",
            m->workload);
    }
    return true;
}

static bool check_listed(const struct jobs_making *m, bool sized)
{
    const struct listed_job_spec *items = m->spec->list.items;
    bool good = true;
    for (size_t i = 0; i < m->spec->list.count; i++) {
        const struct listed_job_spec *j = &items[i];
        if (j->duration.given && j->gpu_hours.given) {
            good = jobs_refuse(m, j->item.place,
                               "a job has both a 'duration' and 'gpu_hours'; drop one");
        } else if (!j->duration.given && !j->gpu_hours.given && !sized) {
            good =
                jobs_refuse(m, j->item.place,
                            "a job has neither a 'duration' nor 'gpu_hours', and '%s' has none for "
                            "all of them; expected one of the two",
                            m->workload);
        }
        if (j->nodes > 0 && j->gpus > 0) {
            good = jobs_refuse(m, j->item.place, "a job has both 'nodes' and 'gpus'; drop one");
        }
    }
    return good;
}

bool jobs_check_sizes(const struct jobs_making *m)
{
    const struct jobs_spec *s = m->spec;
    const bool sized = s->duration_given || s->gpu_hours_given;
    bool good = check_listed(m, sized);
    if (s->duration_given && s->gpu_hours_given) {
        good = jobs_refuse(m, s->gpu_hours_place,
                           "'%s' has both a 'duration' and 'gpu_hours'; drop one", m->workload);
    }
    if (!sized && s->list.count == 0 && s->file == NULL) {
        good = jobs_refuse(m, own_place(m),
                           "nothing says how much work a job of '%s' is; expected 'duration' or "
                           "'gpu_hours'",
                           m->workload);
    }
    if (sized && s->file != NULL) {
        good =
            jobs_refuse(m, s->duration_given ? s->duration_place : s->gpu_hours_place,
                        "the file of '%s' says how much work each job is; drop this", m->workload);
    }
    if (s->nodes_each > 0 && s->gpus_each > 0) {
        good = jobs_refuse(m, s->gpus_each_place,
                           "'%s' has both 'nodes_each' and 'gpus_each'; drop one", m->workload);
    }
    return good;
}

static int compare_times(const void *left, const void *right)
{
    const struct listed_time *a = left, *b = right;
    if (a->at_s < b->at_s || a->at_s > b->at_s) {
        return a->at_s < b->at_s ? -1 : 1;
    }
    return (a->item > b->item) - (a->item < b->item);
}

/* By time; items of one time stay in the order of the list. */
static bool make_list(const struct jobs_making *m)
{
    const struct jobs_spec *s = m->spec;
    const struct listed_job_spec *items = s->list.items;
    struct listed_time *times = arena_array(m->c->arena, s->list.count + 1, sizeof *times);
    int64_t from_unix_s = m->c->start_unix_s + (int64_t)m->plan->work.submit_s;
    int64_t jobs = 0;
    for (size_t i = 0; times != NULL && i < s->list.count; i++) {
        double at_s = work_span_end_s(&items[i].at, from_unix_s, m->c);
        times[i] = (struct listed_time){.at_s = at_s - (double)(from_unix_s - m->c->start_unix_s),
                                        .item = (uint32_t)i};
        jobs += items[i].count;
    }
    if (times == NULL) {
        return false;
    }
    qsort(times, s->list.count, sizeof *times, compare_times);
    m->plan->list = times;
    return jobs <= JOBS_MAX || jobs_refuse(m, s->list_place,
                                           "the list has %lld jobs; at most %d of one "
                                           "workload can be simulated",
                                           (long long)jobs, JOBS_MAX);
}

/* ---- when ---- */

double jobs_last_known_s(const struct jobs_plan *p)
{
    const struct jobs_spec *s = p->spec;
    return s->list.count > 0   ? p->work.submit_s + p->list[s->list.count - 1].at_s
           : s->rows.count > 0 ? s->rows.items[s->rows.count - 1].submit_s
                               : p->work.submit_s;
}

static bool make_until(const struct jobs_making *m)
{
    struct jobs_plan *p = m->plan;
    const struct jobs_spec *s = m->spec;
    const struct market_context *c = m->c;
    p->until_s = s->until_given ? work_span_end_s(&s->until, c->start_unix_s, c) : HUGE_VAL;
    if (s->until_given && p->until_s >= c->horizon_s) {
        return jobs_refuse(
            m, s->until_place,
            "jobs of '%s' come up to the horizon or beyond, so that the last could not "
            "be done; let 'until' come before it, or lengthen 'horizon'",
            m->workload);
    }
    if (jobs_at_random(s) && !p->work.awaits && p->until_s < p->work.submit_s) {
        return jobs_refuse(m, s->until_place, "'until' of '%s' comes before its 'submit'",
                           m->workload);
    }
    if (jobs_last_known_s(p) >= c->horizon_s && !s->until_given) {
        return jobs_refuse(
            m, s->file != NULL ? s->file_place : s->list_place,
            "the last job of '%s' comes at or after the horizon; lengthen 'horizon', or "
            "leave out what comes late: 'until'",
            m->workload);
    }
    return true;
}

bool jobs_make_times(const struct jobs_making *m)
{
    struct work_plan *w = &m->plan->work;
    const struct jobs_spec *s = m->spec;
    const struct market_context *c = m->c;
    w->submit_s = work_span_end_s(&s->submit, c->start_unix_s, c);
    if (w->submit_s >= c->horizon_s) {
        return jobs_refuse(m, s->submit_place,
                           "'%s' is submitted at or after the horizon; lengthen 'horizon'",
                           m->workload);
    }
    if (s->deadline_given) {
        int64_t submit_unix_s = c->start_unix_s + (int64_t)w->submit_s;
        w->deadline_s = work_span_end_s(&s->deadline, submit_unix_s, c) + fmod(w->submit_s, 1);
    } else if (m->request->deadline_s > 0) {
        w->deadline_s = m->request->deadline_s;
    }
    if (isfinite(w->deadline_s) && w->deadline_s > c->horizon_s) {
        return jobs_refuse(m, s->deadline_place,
                           "the deadline of '%s' lies beyond the horizon, so lateness could not be "
                           "seen; lengthen 'horizon'",
                           m->workload);
    }
    return make_list(m) && make_until(m);
}
