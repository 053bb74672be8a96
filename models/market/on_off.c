/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/on_off.h"

struct on_off_turns on_off_exponential(double mean_s)
{
    return (struct on_off_turns){1.0, mean_s, mean_s};
}

struct on_off_turns on_off_hyperexponential(double mean_s, double short_share, double ratio)
{
    if (short_share <= 0.0 || short_share >= 1.0 || ratio <= 1.0) {
        return on_off_exponential(mean_s);
    }
    double short_s = mean_s / (short_share + (1.0 - short_share) * ratio);
    return (struct on_off_turns){short_share, short_s, ratio * short_s};
}

double on_off_mean_s(struct on_off_turns t)
{
    return t.short_share * t.short_s + (1.0 - t.short_share) * t.long_s;
}

/* A turn that is short with this probability. */
static double draw(struct on_off *o, const struct on_off_turns *t, double short_share)
{
    bool is_short = t->short_share >= 1.0 || random_uniform(&o->stream) < short_share;
    return random_exponential(&o->stream) * (is_short ? t->short_s : t->long_s);
}

static void rewind_path(struct on_off *o)
{
    const double up_s = on_off_mean_s(o->up_turns), down_s = on_off_mean_s(o->down_turns);
    random_stream_init(&o->stream, o->world, o->source);
    o->up = random_uniform(&o->stream) < up_s / (up_s + down_s);
    o->from_s = 0.0;
    const struct on_off_turns *t = o->up ? &o->up_turns : &o->down_turns;
    o->until_s = draw(o, t, t->short_share * t->short_s / (o->up ? up_s : down_s));
}

void on_off_begin(struct on_off *o, struct random_world world, uint64_t source,
                  struct on_off_turns up, struct on_off_turns down)
{
    o->world = world;
    o->source = source;
    o->up_turns = up;
    o->down_turns = down;
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
        const struct on_off_turns *t = o->up ? &o->up_turns : &o->down_turns;
        o->until_s = o->from_s + draw(o, t, t->short_share);
    }
    *until_s = o->until_s;
    return o->up;
}
