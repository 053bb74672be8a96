/* SPDX-License-Identifier: GPL-3.0-or-later
 * When a person works on a machine: the sessions of one person in one world, in their order. They
 * depend on the world alone, whatever the strategy: each day and session draws at its own index of
 * sources named by workload and person. */
#ifndef FLEETCAST_MODELS_NOTEBOOK_SESSIONS_H
#define FLEETCAST_MODELS_NOTEBOOK_SESSIONS_H

#include "engine/distribution.h"
#include "engine/random.h"
#include "models/usage/notebook_keys.h"

#include <stdbool.h>
#include <stdint.h>

/* What is the same for all people in a world. */
struct notebook_habits {
    const struct notebook_spec *spec;
    struct random_world world;
    int64_t start_unix_s;
    double horizon_s;
    struct distribution begins, session, pause;
    double use, forgotten;
};

/* False when what was drawn is impossible. */
bool notebook_habits_draw(struct notebook_habits *h, const struct notebook_spec *spec,
                          int64_t start_unix_s, double horizon_s, struct random_world world,
                          const double *drawn);

/* Read only: the session at hand. */
struct notebook_sessions {
    double begin_s,
        end_s;      /* from the scenario's start; begin_s +infinity: there is none any more */
    bool forgotten; /* the machine is left on when it ends */
    /* private */
    uint64_t source_use, source_begins, source_session, source_pause, source_forgotten;
    int64_t day;    /* of the session, since the one on which the scenario starts */
    uint32_t place; /* of the session in its day */
};

void notebook_sessions_init(struct notebook_sessions *s, const char *workload_name,
                            uint32_t person);
/* To the first session that begins in the world. */
void notebook_sessions_begin(struct notebook_sessions *s, const struct notebook_habits *h);
/* To the next one, which begins no sooner than this one ends. */
void notebook_sessions_next(struct notebook_sessions *s, const struct notebook_habits *h);
/* When the person begins the first working day after t_s; +infinity: not before the horizon. */
double notebook_next_day_s(const struct notebook_sessions *s, const struct notebook_habits *h,
                           double t_s);

#endif
