/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/on_off.h"

static double draw_turn(struct on_off *o)
{
    return random_exponential(&o->stream) * (o->up ? o->mean_up_s : o->mean_down_s);
}

static void rewind_path(struct on_off *o)
{
    random_stream_init(&o->stream, o->world, o->source);
    o->up = random_uniform(&o->stream) < o->mean_up_s / (o->mean_up_s + o->mean_down_s);
    o->from_s = 0.0;
    o->until_s = draw_turn(o);
}

void on_off_begin(struct on_off *o, struct random_world world, uint64_t source, double mean_up_s,
                  double mean_down_s)
{
    o->world = world;
    o->source = source;
    o->mean_up_s = mean_up_s;
    o->mean_down_s = mean_down_s;
    rewind_path(o);
}

bool on_off_at(struct on_off *o, double t_s, double *until_s)
{
    if (t_s < o->from_s) {
        rewind_path(o);
    }
    while (t_s >= o->until_s) {
        o->from_s = o->until_s;
        o->up = !o->up;
        o->until_s = o->from_s + draw_turn(o);
    }
    *until_s = o->until_s;
    return o->up;
}
