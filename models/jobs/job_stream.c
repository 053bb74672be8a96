/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/jobs/job_stream.h"

#include <math.h>

void job_stream_init(struct job_stream *s, const struct jobs_plan *plan)
{
    const char *name = plan->work.workload_name;
    *s = (struct job_stream){.plan = plan,
                             .source_gap = random_source("jobs/%s/gap", name),
                             .source_size = random_source("jobs/%s/size", name),
                             .source_stop = random_source("jobs/%s/stop", name)};
}

bool job_stream_draw(struct job_stream *s, struct random_world world, const double *drawn)
{
    const struct jobs_spec *spec = s->plan->spec;
    const struct project *project = s->plan->work.project;
    s->world = world;
    s->drawn = drawn;
    s->slip_s = project == NULL ? 0 : project_slip_s(project, drawn);
    s->grow = project == NULL ? 1 : project_work_factor(project, drawn);
    return (!spec->interarrival.given || variate_resolve(&spec->interarrival, drawn, &s->gap)) &&
           (!spec->duration_given || variate_resolve(&spec->duration, drawn, &s->duration)) &&
           (!spec->gpu_hours_given || variate_resolve(&spec->gpu_hours, drawn, &s->gpu_hours));
}

void job_stream_begin(struct job_stream *s, double begin_s)
{
    s->begin_s = s->at_s = begin_s;
    s->next = s->item = s->copy = 0;
}

static double draw(const struct job_stream *s, const struct distribution *d, uint64_t source)
{
    return d->family == DISTRIBUTION_CONSTANT
               ? d->p[0]
               : distribution_quantile(d, random_uniform_at(s->world, source, s->next));
}

/* As the workload says for all of them. */
static void size_of_all(const struct job_stream *s, struct stream_job *job)
{
    const struct jobs_spec *spec = s->plan->spec;
    if (spec->duration_given) {
        job->duration_s = draw(s, &s->duration, s->source_size);
    } else if (spec->gpu_hours_given) {
        job->gpu_s = 3600 * draw(s, &s->gpu_hours, s->source_size);
    }
}

static bool next_at_random(struct job_stream *s, struct stream_job *job)
{
    const struct jobs_spec *spec = s->plan->spec;
    double gap_s;
    if (spec->interarrival.given) {
        gap_s = draw(s, &s->gap, s->source_gap);
    } else {
        double u = random_uniform_at(s->world, s->source_gap, s->next);
        gap_s = -log(u) / number_value(&spec->rate, s->drawn);
    }
    s->at_s += gap_s;
    job->submit_s = s->at_s;
    size_of_all(s, job);
    return true;
}

static bool next_listed(struct job_stream *s, struct stream_job *job)
{
    const struct jobs_spec *spec = s->plan->spec;
    const struct listed_job_spec *items = spec->list.items;
    if (s->item == spec->list.count) {
        return false;
    }
    const struct listed_time *t = &s->plan->list[s->item];
    const struct listed_job_spec *i = &items[t->item];
    job->name = i->name == NULL ? "" : i->name;
    job->submit_s = s->begin_s + t->at_s;
    job->priority = i->priority;
    if (i->nodes > 0 || i->gpus > 0) {
        job->nodes = (uint32_t)i->nodes;
        job->gpus = (uint32_t)i->gpus;
    }
    if (i->duration.given) {
        job->duration_s = number_value(&i->duration, s->drawn);
    } else if (i->gpu_hours.given) {
        job->gpu_s = 3600 * number_value(&i->gpu_hours, s->drawn);
    } else {
        size_of_all(s, job);
    }
    if (++s->copy == (uint32_t)i->count) {
        s->item++;
        s->copy = 0;
    }
    return true;
}

static bool next_of_file(struct job_stream *s, struct stream_job *job)
{
    const struct job_rows *rows = &s->plan->spec->rows;
    if (s->item == rows->count) {
        return false;
    }
    const struct job_row *row = &rows->items[s->item++];
    job->name = row->name;
    job->submit_s = fmax(s->begin_s, row->submit_s + s->slip_s);
    job->priority = row->priority;
    job->duration_s = row->duration_s;
    job->gpu_s = row->gpu_s;
    if (row->nodes > 0 || row->gpus > 0) {
        job->nodes = row->nodes;
        job->gpus = row->gpus;
    }
    return true;
}

static bool next_trial(struct job_stream *s, struct stream_job *job)
{
    const struct jobs_spec *spec = s->plan->spec;
    if (s->next == (uint32_t)spec->trials) {
        return false;
    }
    job->submit_s = s->begin_s;
    size_of_all(s, job);
    double share = number_value(&spec->stop_early.share, s->drawn);
    if (random_uniform_at(s->world, s->source_stop, s->next) < share) {
        double after = number_value(&spec->stop_early.after, s->drawn);
        job->gives_up = true;
        job->duration_s *= after;
        job->gpu_s *= after;
    }
    return true;
}

/* It comes by `until`. What the workload waits for may take longer in one strategy than in
 * another, which must not take jobs away from it. */
static bool in_time(const struct job_stream *s, const struct stream_job *job)
{
    const struct jobs_plan *p = s->plan;
    if (!p->work.awaits) {
        return job->submit_s <= p->until_s + s->slip_s;
    }
    return p->spec->file == NULL ? job->submit_s <= s->begin_s + p->until_s
                                 : p->spec->rows.items[s->item - 1].submit_s <= p->until_s;
}

bool job_stream_next(struct job_stream *s, struct stream_job *job)
{
    const struct jobs_spec *spec = s->plan->spec;
    *job = (struct stream_job){.name = "",
                               .ordinal = s->next,
                               .duration_s = (double)NAN,
                               .gpu_s = (double)NAN,
                               .nodes = (uint32_t)spec->nodes_each,
                               .gpus = (uint32_t)spec->gpus_each};
    bool comes = spec->trials > 0       ? next_trial(s, job)
                 : spec->list.count > 0 ? next_listed(s, job)
                 : spec->file != NULL   ? next_of_file(s, job)
                                        : next_at_random(s, job);
    job->duration_s *= s->grow;
    job->gpu_s *= s->grow;
    s->next++;
    return comes && in_time(s, job);
}
