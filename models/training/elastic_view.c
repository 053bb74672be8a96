/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/training/elastic_view.h"

#include "models/fleet/team_nodes.h"
#include "models/training/elastic_zones.h"
#include "models/training/job_view.h"

#include <math.h>
#include <string.h>

/* Held already, or to be had now. */
static bool obtainable(const struct elastic_job *j, enum purchase purchase)
{
    uint32_t nodes = 0;
    for (int k = 0; k < SITE_COUNT; k++) {
        if (site_purchase(k) == purchase && elastic_asks(j, k) && !j->dear[k]) {
            nodes += team_sound(j->crews[k]) + crew_room(j->crews[k]);
        }
    }
    return nodes >= j->plan->elastic.least;
}

/* Enough nodes are held there: they take part or, where none do yet, boot. */
static bool runs_on(const struct elastic_job *j, enum purchase purchase)
{
    if (j->nodes == 0) {
        return elastic_sound_on(j, purchase) >= j->plan->elastic.least;
    }
    bool runs = false;
    for (int k = 0; k < SITE_COUNT; k++) {
        bool of = site_purchase(k) == purchase && j->crews[k] != NULL;
        runs = runs || (of && team_staying(j->crews[k]) > 0);
    }
    return runs;
}

/* Of two at once that which may go. */
static enum purchase where(const struct elastic_job *j)
{
    return runs_on(j, PURCHASE_SPOT)    ? PURCHASE_SPOT
           : runs_on(j, PURCHASE_BLOCK) ? PURCHASE_BLOCK
                                        : PURCHASE_ON_DEMAND;
}

struct policy_view elastic_view(const struct elastic_job *j)
{
    const struct work_plan *work = &j->plan->work;
    const enum purchase on = where(j);
    const bool running = j->nodes > 0 || runs_on(j, on);
    const enum phase phase = j->progress.phase;
    const bool stands = phase == PHASE_NONE || phase == PHASE_RESTORE || phase == PHASE_RESIZE;
    struct policy_view view = {
        .now_s = j->calendar->now_s,
        .running = running,
        .runs_on = on,
        .spot_obtainable = obtainable(j, PURCHASE_SPOT),
        .spot_wanted_since_s = running ? j->calendar->now_s : j->wanted_since_s,
        .nodes = work->nodes,
        .deadline_s = work->deadline_s,
        .overhead_s = work->planned_overhead_s,
        .submit_s = j->submitted_s,
        .overhead_left_s = running && stands ? work->planned_overhead_s : 0,
        .lacking_share = j->nodes > 0 ? fmax(0, 1 - j->progress.gang.pace) : 0,
        .block_obtainable = !window_watch_closed(&j->windows) && obtainable(j, PURCHASE_BLOCK),
        .block_to_come = window_watch_to_come(&j->windows, j->plan->elastic.least),
    };
    job_view_work(j->plan, &j->progress, &view);
    memcpy(view.noted, j->noted, sizeof view.noted);
    return view;
}
