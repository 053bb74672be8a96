/* SPDX-License-Identifier: GPL-3.0-or-later
 * Times here are counted from when the work that was carried in would have begun as a part of this
 * stretch, so that all segments are alike; what exceeds one interval of it is put aside. */
#include "models/training/checkpoint_cycle.h"

#include <math.h>

/* Not fmin and fmax: they are calls, and this runs for every stretch of work of every world. */
static inline double least(double a, double b)
{
    return a < b ? a : b;
}

static inline double most(double a, double b)
{
    return a > b ? a : b;
}

/* Of the work that was carried in: what the first segment is longer by than the others. */
static double surplus(const struct checkpoint_cycle *c)
{
    return c->carried_s > c->every_s ? c->carried_s - c->every_s : 0;
}

/* Segments of the stretch; a rest of a millionth of an interval is rounding, not work. */
static double segments(const struct checkpoint_cycle *c)
{
    return isinf(c->every_s) ? 1 : most(1, ceil((c->left_s - surplus(c)) / c->every_s - 1e-6));
}

/* When all is over, which is in so many segments. */
static double end_s(const struct checkpoint_cycle *c, double count)
{
    double writes = count - (c->final ? 0 : 1);
    double paused_s = c->left_s - surplus(c) + writes * c->write_s;
    if (!(c->behind_s > 0) || !c->final) {
        return paused_s;
    }
    double before_s = count > 1 ? (count - 1) * (c->every_s + c->write_s) + c->behind_s : 0;
    return most(paused_s, before_s) + c->behind_s;
}

double checkpoint_cycle_length_s(const struct checkpoint_cycle *c)
{
    return end_s(c, segments(c)) - (c->carried_s - surplus(c));
}

/* Of so many segments before the last one that are over: those whose checkpoint is complete. */
static double complete(const struct checkpoint_cycle *c, double at_s, double over)
{
    if (!(c->behind_s > 0) || isinf(c->every_s)) {
        return over;
    }
    return least(over, most(0, floor((at_s - c->behind_s) / (c->every_s + c->write_s))));
}

struct checkpoint_state checkpoint_cycle_at(const struct checkpoint_cycle *c, double elapsed_s)
{
    const double more_s = surplus(c), before_s = c->carried_s - more_s, left_s = c->left_s - more_s;
    const double period_s = c->every_s + c->write_s;
    double at_s = elapsed_s + before_s;
    double count = segments(c), end = end_s(c, count);
    bool behind = c->behind_s > 0;
    if (at_s >= end) {
        double writes = count - (c->final ? 0 : 1);
        return (struct checkpoint_state){.kept_s = c->left_s,
                                         .writing_s = behind ? end - left_s : writes * c->write_s,
                                         .written = (uint64_t)writes};
    }
    double over = isinf(c->every_s) ? 0 : floor(at_s / period_s);
    over = least(over, count - 1);
    double done_s = over > 0 ? over * c->every_s : 0;
    double segment_s = over == count - 1 ? left_s - done_s : c->every_s;
    double start_s = over > 0 ? over * period_s : 0; /* of this segment */
    double inside_s = most(0, at_s - start_s);
    double kept = complete(c, at_s, over);
    struct checkpoint_state s = {.writing_s = over * c->write_s, .written = (uint64_t)kept};
    s.kept_s = kept > 0 ? kept * c->every_s + more_s : 0;
    s.unkept_s = least(inside_s, segment_s) + (kept > 0 ? 0 : more_s);
    s.unkept_s += over > kept ? (over - kept) * c->every_s : 0;
    if (inside_s > segment_s) {
        bool last = over == count - 1;
        double pause_s = last && behind ? end - start_s - segment_s : c->write_s;
        double paused_s = least(inside_s - segment_s, pause_s);
        s.writing_s += paused_s;
        s.write_left_s = pause_s - paused_s + (last ? 0 : c->behind_s);
    }
    return s;
}

double checkpoint_cycle_written_s(const struct checkpoint_cycle *c, uint64_t k)
{
    return (double)k * (c->every_s + c->write_s) + c->behind_s - (c->carried_s - surplus(c));
}
