/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/crossings.h"

#include <math.h>

enum { SCAN_MAX = 64, STEPS_MAX = 40, EDGE_STEPS_MAX = 12 };
/* Of the half width: closer to zero than this there is nothing to be gained. */
#define CLOSE 0.05

/* Which curve: the value, or an end of its interval. */
struct finding {
    const struct crossing_range *range;
    crossing_function *f;
    void *context;
    double x[SCAN_MAX], value[SCAN_MAX], half[SCAN_MAX];
    bool known[SCAN_MAX];
    size_t points;
};

/* The axis on which steps are equal. */
static double to_axis(const struct crossing_range *r, double x)
{
    return r->logarithmic ? log(x) : x;
}

static double from_axis(const struct crossing_range *r, double t)
{
    double x = r->logarithmic ? exp(t) : t;
    x = r->whole ? round(x) : x;
    return fmin(fmax(x, r->low), r->high);
}

static void scan(struct finding *s)
{
    const struct crossing_range *r = s->range;
    const double low = to_axis(r, r->low), high = to_axis(r, r->high);
    size_t wanted = r->points < SCAN_MAX ? r->points : SCAN_MAX;
    for (size_t i = 0; i < wanted; i++) {
        double share = (double)i / (double)(wanted - 1);
        double x = i == 0            ? r->low
                   : i + 1 == wanted ? r->high
                                     : from_axis(r, low + share * (high - low));
        if (s->points > 0 && x <= s->x[s->points - 1]) {
            continue; /* whole numbers that fall together */
        }
        size_t at = s->points++;
        s->x[at] = x;
        s->known[at] = s->f(s->context, x, &s->value[at], &s->half[at]);
    }
}

/* One point of the curve value + side * half. */
static bool curve(const struct finding *s, double x, int side, double *y, double *half)
{
    double value;
    if (!s->f(s->context, x, &value, half)) {
        return false;
    }
    *y = value + side * *half;
    return true;
}

/* Halves of decided values, as the Illinois rule takes them, are still far from all amounts. */
static bool jumps(double ya, double yb)
{
    const double much = 1e-50 * CROSSINGS_DECIDED;
    return fabs(ya) > much || fabs(yb) > much;
}

/* Between a and b, where the curve has signs that differ. NaN when it is not known on the way.
 * below: may be NULL; the end of the last bracket at which the curve is below zero. */
static double refine(const struct finding *s, double a, double ya, double b, double yb, int side,
                     double *below)
{
    const struct crossing_range *r = s->range;
    const double width = to_axis(r, r->high) - to_axis(r, r->low);
    const int most = side == 0 ? STEPS_MAX : EDGE_STEPS_MAX;
    double ta = to_axis(r, a), tb = to_axis(r, b), none;
    below = below == NULL ? &none : below;
    *below = ya < 0 ? a : b;
    int kept = 0;
    for (int step = 0; step < most && tb - ta > r->near * width; step++) {
        const bool bisected = step % 4 == 3 || jumps(ya, yb);
        double t = bisected ? 0.5 * (ta + tb) : ta - ya * (tb - ta) / (yb - ya);
        double y, half, x = from_axis(r, t);
        if (r->whole && (x <= from_axis(r, ta) || x >= from_axis(r, tb))) {
            x = round(0.5 * (from_axis(r, ta) + from_axis(r, tb)));
            if (x <= from_axis(r, ta) || x >= from_axis(r, tb)) {
                return from_axis(r, tb);
            }
        }
        t = to_axis(r, x);
        if (!curve(s, x, side, &y, &half)) {
            return (double)NAN;
        }
        if (side == 0 && !r->whole && fabs(y) <= CLOSE * half) {
            return x;
        }
        if (!(y > 0) && !(y < 0)) {
            return x;
        }
        if ((y > 0) == (yb > 0)) {
            tb = t;
            yb = y;
            *below = y < 0 ? x : *below;
            ya = kept == 1 ? 0.5 * ya : ya;
            kept = 1;
        } else {
            ta = t;
            ya = y;
            *below = y < 0 ? x : *below;
            yb = kept == -1 ? 0.5 * yb : yb;
            kept = -1;
        }
    }
    if (r->whole) {
        return from_axis(r, tb);
    }
    return from_axis(r, jumps(ya, yb) ? (ya > 0 ? ta : tb) : ta - ya * (tb - ta) / (yb - ya));
}

/* The end of the stretch around a crossing in which zero is within the interval, going from point i
 * of the scan in the given direction. On the side where the value is above zero that is where
 * value - half leaves zero, else where value + half does. */
static double edge(const struct finding *s, const struct crossing *c, size_t i, bool down)
{
    const bool above = down ? !c->rises : c->rises;
    const int side = above ? -1 : 1;
    double from = c->at, y_from, half;
    if (s->range->whole) {
        return c->at;
    }
    if (!curve(s, from, side, &y_from, &half) || !(half > 0)) {
        return c->at;
    }
    if (above ? y_from > 0 : y_from < 0) {
        return c->at; /* at a jump the interval may have left zero already */
    }
    for (size_t k = i; k < s->points && s->known[k]; k = down ? k - 1 : k + 1) {
        double y = s->value[k] + side * s->half[k];
        bool clear = above ? y > 0 : y < 0;
        if (clear) {
            return down ? refine(s, s->x[k], y, from, y_from, side, NULL)
                        : refine(s, from, y_from, s->x[k], y, side, NULL);
        }
        from = s->x[k];
        y_from = y;
    }
    return (double)NAN;
}

static void add(struct crossings *out, const struct finding *s, size_t i)
{
    if (out->count == CROSSINGS_MAX) {
        out->more = true;
        return;
    }
    struct crossing *c = &out->of[out->count];
    c->rises = s->value[i] < 0;
    c->at = refine(s, s->x[i], s->value[i], s->x[i + 1], s->value[i + 1], 0, &c->beside);
    if (isnan(c->at)) {
        out->gaps = true;
        return;
    }
    c->low = edge(s, c, i, true);
    c->high = edge(s, c, i + 1, false);
    out->count++;
}

void crossings_find(struct crossings *out, const struct crossing_range *r, crossing_function *f,
                    void *context)
{
    struct finding s = {.range = r, .f = f, .context = context};
    size_t last = 0;
    *out = (struct crossings){
        .known_from = (double)NAN, .known_to = (double)NAN, .first = (double)NAN};
    scan(&s);
    for (size_t i = 0; i < s.points; i++) {
        if (!s.known[i]) {
            continue;
        }
        if (isnan(out->known_from)) {
            out->known_from = s.x[i];
            out->first = s.value[i];
        } else {
            out->gaps = out->gaps || last + 1 < i;
        }
        out->known_to = s.x[i];
        last = i;
    }
    for (size_t i = 0; i + 1 < s.points; i++) {
        if (s.known[i] && s.known[i + 1] && (s.value[i] < 0) != (s.value[i + 1] < 0)) {
            add(out, &s, i);
        }
    }
}
