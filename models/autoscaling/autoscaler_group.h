/* SPDX-License-Identifier: GPL-3.0-or-later
 * All autoscalers of one service together, within its limits. Replicas are added when any of them
 * wants more, the most that any wants, and taken away only when all that have an opinion want fewer
 * (EC2 Auto Scaling User Guide, "Multiple scaling policies"; Kubernetes does the same with several
 * metrics). */
#ifndef FLEETCAST_MODELS_AUTOSCALER_GROUP_H
#define FLEETCAST_MODELS_AUTOSCALER_GROUP_H

#include "engine/arena.h"
#include "models/autoscaling/autoscaler.h"

struct autoscaler_use {
    const struct autoscaler *autoscaler;
    const void *params;
};

struct autoscaler_member {
    void *state; /* NULL: it keeps none */
    double next_s;
    struct autoscaler_decision said; /* when it was asked last */
};

struct autoscaler_group {
    const struct autoscaler_use *uses; /* borrowed */
    size_t count;
    uint32_t minimum, maximum; /* as stated */
    /* Of the world. */
    struct autoscaler_member *members;
    uint32_t minimum_now, maximum_now; /* read only: in force */
};

/* Takes memory for the states from the arena. minimum <= maximum. False when that is out. */
bool autoscaler_group_init(struct autoscaler_group *g, struct arena *arena,
                           const struct autoscaler_use *uses, size_t count, uint32_t minimum,
                           uint32_t maximum);
/* For a new world that begins at start_s; the first look is then. */
void autoscaler_group_begin(struct autoscaler_group *g, double start_s);
/* When it wants to look next; +infinity when there is no autoscaler. */
double autoscaler_group_next_s(const struct autoscaler_group *g);
/* The shortest period of any of them; +infinity when there is none. */
double autoscaler_group_period_s(const struct autoscaler_group *g);
/* Fills the readings for one of them, which looks now: of the time since it looked last. */
typedef void autoscaler_read(void *context, size_t member, struct autoscaler_view *view);

/* Asks those whose time has come, at view->now_s, and says how many replicas there are to be; the
 * limits of the view are set here, and its readings by `read` where that is not NULL. Without an
 * opinion what is desired stays, within the limits. */
uint32_t autoscaler_group_look(struct autoscaler_group *g, struct autoscaler_view *view,
                               autoscaler_read *read, void *context);

/* A number of replicas that is asked for outside the limits that are in force then. */
struct autoscaler_outside {
    uint32_t replicas, minimum, maximum;
    bool by_time;     /* at a time of the week … */
    double of_week_s; /* … since Monday, 00:00 UTC */
};
/* The first in a week, which EC2 Auto Scaling would not do ("Desired capacity must be between the
 * specified min size and max size"). A number that is wanted at all times counts where nothing else
 * scales. False: none is. Of a group that has begun no world. */
bool autoscaler_group_goes_outside(struct autoscaler_group *g, struct autoscaler_outside *found);

#endif
