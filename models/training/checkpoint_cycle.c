/* SPDX-License-Identifier: GPL-3.0-or-later */
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

/* Segments of the stretch; a rest of a millionth of an interval is rounding, not work. */
static double segments(const struct checkpoint_cycle *c)
{
    return isinf(c->every_s) ? 1 : most(1, ceil(c->left_s / c->every_s - 1e-6));
}

double checkpoint_cycle_length_s(const struct checkpoint_cycle *c)
{
    double writes = segments(c) - (c->final ? 0 : 1);
    return c->left_s + writes * c->write_s;
}

struct checkpoint_state checkpoint_cycle_at(const struct checkpoint_cycle *c, double elapsed_s)
{
    double count = segments(c);
    double writes = count - (c->final ? 0 : 1);
    if (elapsed_s >= checkpoint_cycle_length_s(c)) {
        return (struct checkpoint_state){
            .kept_s = c->left_s, .writing_s = writes * c->write_s, .written = (uint64_t)writes};
    }
    double whole = isinf(c->every_s) ? 0 : floor(elapsed_s / (c->every_s + c->write_s));
    whole = least(whole, count - 1);
    double kept_s = whole > 0 ? whole * c->every_s : 0;
    double segment_s = whole == count - 1 ? c->left_s - kept_s : c->every_s;
    double inside_s = whole > 0 ? elapsed_s - whole * (c->every_s + c->write_s) : elapsed_s;
    inside_s = most(0, inside_s);
    struct checkpoint_state s = {.kept_s = kept_s,
                                 .unkept_s = least(inside_s, segment_s),
                                 .writing_s = whole * c->write_s,
                                 .written = (uint64_t)whole};
    if (inside_s > segment_s) {
        double written_s = least(inside_s - segment_s, c->write_s);
        s.writing_s += written_s;
        s.write_left_s = c->write_s - written_s;
    }
    return s;
}
