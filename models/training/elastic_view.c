/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/elastic_view.h"

#include "models/fleet/team_nodes.h"
#include "models/training/job_view.h"

#include <math.h>
#include <string.h>

static uint32_t staying(const struct elastic_job *j, int site)
{
    const struct crew *c = j->crews[site];
    return c == NULL ? 0 : team_sound(c);
}

/* Held already, or to be had now. */
static bool obtainable(const struct elastic_job *j, int site)
{
    const struct crew *c = j->crews[site];
    return c != NULL && !j->dear[site] && staying(j, site) + crew_room(c) >= j->plan->elastic.least;
}

/* Enough nodes are held there: they take part or, where none do yet, boot. */
static bool runs_on(const struct elastic_job *j, int site)
{
    return j->nodes > 0 ? j->crews[site] != NULL && team_staying(j->crews[site]) > 0
                        : staying(j, site) >= j->plan->elastic.least;
}

struct policy_view elastic_view(const struct elastic_job *j)
{
    const struct work_plan *work = &j->plan->work;
    const bool on_spot = runs_on(j, PURCHASE_SPOT);
    const bool running = j->nodes > 0 || on_spot || runs_on(j, PURCHASE_ON_DEMAND);
    const enum phase phase = j->progress.phase;
    const bool stands = phase == PHASE_NONE || phase == PHASE_RESTORE || phase == PHASE_RESIZE;
    struct policy_view view = {
        .now_s = j->calendar->now_s,
        .running = running,
        .runs_on = on_spot ? PURCHASE_SPOT : PURCHASE_ON_DEMAND,
        .spot_obtainable = obtainable(j, PURCHASE_SPOT),
        .spot_wanted_since_s = running ? j->calendar->now_s : j->wanted_since_s,
        .nodes = work->nodes,
        .deadline_s = work->deadline_s,
        .overhead_s = work->planned_overhead_s,
        .submit_s = j->submitted_s,
        .overhead_left_s = running && stands ? work->planned_overhead_s : 0,
        .lacking_share = j->nodes > 0 ? fmax(0, 1 - j->progress.gang.pace) : 0,
    };
    job_view_work(j->plan, &j->progress, &view);
    memcpy(view.noted, j->noted, sizeof view.noted);
    return view;
}
