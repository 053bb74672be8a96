/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/hidden_process.h"

#include <math.h>
#include <stdlib.h>

#define TWO_PI 6.283185307179586477
#define DAY_S  INT64_C(86400)

/* Ticks drawn at a time: a job of hours draws little, a job of weeks pays little for the calls.
 * Nothing depends on it but speed. */
#define CHUNK 128

bool hidden_noise_init(struct hidden_noise *n, uint64_t source, size_t limit_ticks)
{
    *n = (struct hidden_noise){.source = source, .limit = limit_ticks};
    if (limit_ticks > HIDDEN_MAX_TICKS) {
        return false;
    }
    /* Untouched pages cost nothing, so the whole horizon is reserved and nothing can fail later. */
    n->normals = malloc(2 * limit_ticks * sizeof *n->normals);
    return n->normals != NULL;
}

void hidden_noise_release(struct hidden_noise *n)
{
    free(n->normals);
    n->normals = NULL;
}

void hidden_noise_begin(struct hidden_noise *n, struct random_world world)
{
    n->ticks = 0;
    random_stream_init(&n->stream, world, n->source);
}

static void noise_extend(struct hidden_noise *n, size_t ticks)
{
    if (ticks > n->ticks) {
        random_normals(&n->stream, n->normals + 2 * n->ticks, 2 * (ticks - n->ticks));
        n->ticks = ticks;
    }
}

double hidden_season_scale(const struct hidden_season *s)
{
    /* Variance of the cosine is A^2/2, of the weekend's indicator 2/7 * 5/7. */
    return sqrt(1.0 + s->amplitude * s->amplitude / 2.0 +
                s->weekend_shift * s->weekend_shift * (10.0 / 49.0));
}

bool hidden_path_init(struct hidden_path *p, struct hidden_noise *const noise[HIDDEN_SOURCES],
                      int64_t local_start_s, size_t limit_ticks)
{
    *p = (struct hidden_path){.local_start_s = local_start_s, .limit = limit_ticks};
    if (limit_ticks > HIDDEN_MAX_TICKS) {
        return false;
    }
    for (int s = 0; s < HIDDEN_SOURCES; s++) {
        p->noise[s] = noise[s];
    }
    for (int k = 1; k < HIDDEN_EDGES; k++) {
        p->log_of[k] = log(k);
    }
    p->margins = malloc(limit_ticks * sizeof *p->margins);
    return p->margins != NULL;
}

void hidden_path_release(struct hidden_path *p)
{
    free(p->margins);
    p->margins = NULL;
}

static void tabulate_day(struct hidden_path *p)
{
    int64_t second_of_day = ((p->local_start_s % DAY_S) + DAY_S) % DAY_S;
    double start_hour = (double)second_of_day / 3600.0;
    for (int i = 0; i < HIDDEN_TICKS_PER_DAY; i++) {
        double hour = start_hour + i * (HIDDEN_STEP_S / 3600.0);
        p->day[i] = p->season.amplitude * cos(TWO_PI * (hour - p->season.best_hour) / 24.0);
    }
}

void hidden_path_begin(struct hidden_path *p, const struct hidden_parameters *parameters)
{
    p->ticks = 0;
    p->r_short = exp(-HIDDEN_STEP_S / parameters->short_s);
    p->r_long = exp(-HIDDEN_STEP_S / parameters->long_s);
    p->q_short = sqrt(-expm1(-2.0 * HIDDEN_STEP_S / parameters->short_s));
    p->q_long = sqrt(-expm1(-2.0 * HIDDEN_STEP_S / parameters->long_s));
    p->node_slope = parameters->node_slope;
    p->a_short = sqrt(parameters->short_weight);
    p->a_long = sqrt(1.0 - parameters->short_weight);
    bool same_day = p->tabulated && p->season.amplitude == parameters->season.amplitude &&
                    p->season.best_hour == parameters->season.best_hour;
    p->season = parameters->season;
    p->base = hidden_season_scale(&p->season) * parameters->threshold -
              p->season.weekend_shift * (2.0 / 7.0);
    if (!same_day) {
        tabulate_day(p);
        p->tabulated = true;
    }
}

static bool is_weekend(int64_t local_day)
{
    /* Day 0, 1 January 1970, was a Thursday: 2 and 3 are the first Saturday and Sunday. */
    int64_t weekday = ((local_day % 7) + 7) % 7;
    return weekday == 2 || weekday == 3;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* theta(t) into the margins of [from, to), one local day after the other. */
static void fill_thresholds(struct hidden_path *p, size_t from, size_t to)
{
    const int64_t step_s = (int64_t)HIDDEN_STEP_S;
    size_t i = from;
    while (i < to) {
        int64_t day = floor_divide(p->local_start_s + (int64_t)i * step_s, DAY_S);
        int64_t to_midnight_s = (day + 1) * DAY_S - p->local_start_s;
        size_t midnight = (size_t)((to_midnight_s + step_s - 1) / step_s);
        size_t end = midnight < to ? midnight : to;
        double level = p->base + (is_weekend(day) ? p->season.weekend_shift : 0.0);
        while (i < end) { /* twice, where midnight is not the table's end */
            size_t phase = i % HIDDEN_TICKS_PER_DAY, left = HIDDEN_TICKS_PER_DAY - phase;
            size_t count = left < end - i ? left : end - i;
            const double *swing = p->day + phase;
            double *margins = p->margins + i;
            for (size_t k = 0; k < count; k++) {
                margins[k] = level + swing[k];
            }
            i += count;
        }
    }
}

/* Takes the process off the thresholds in m[0 … count). world, region, own: innovations from the
 * first of these ticks. */
static void subtract_process(struct hidden_path *p, double *restrict m,
                             const double *restrict world, const double *restrict region,
                             const double *restrict own, size_t count)
{
    const double k_world = sqrt(HIDDEN_WORLD_CORRELATION);
    const double k_region = sqrt(HIDDEN_REGION_CORRELATION - HIDDEN_WORLD_CORRELATION);
    const double k_own = sqrt(1.0 - HIDDEN_REGION_CORRELATION);
    const double r1 = p->r_short, q1 = p->q_short, a1 = p->a_short;
    const double r2 = p->r_long, q2 = p->q_long, a2 = p->a_long;
    double y1 = p->y_short, y2 = p->y_long;
    for (size_t i = 0; i < count; i++) {
        double e1 = k_world * world[2 * i] + k_region * region[2 * i] + k_own * own[2 * i];
        double e2 =
            k_world * world[2 * i + 1] + k_region * region[2 * i + 1] + k_own * own[2 * i + 1];
        y1 = r1 * y1 + q1 * e1;
        y2 = r2 * y2 + q2 * e2;
        m[i] -= a1 * y1 + a2 * y2;
    }
    p->y_short = y1;
    p->y_long = y2;
}

static void path_extend(struct hidden_path *p, size_t ticks)
{
    size_t to = (ticks + CHUNK - 1) / CHUNK * CHUNK;
    if (to > p->limit) {
        to = p->limit;
    }
    size_t from = p->ticks;
    const double *e[HIDDEN_SOURCES];
    for (int s = 0; s < HIDDEN_SOURCES; s++) {
        noise_extend(p->noise[s], to);
        e[s] = p->noise[s]->normals;
    }
    fill_thresholds(p, from, to);
    if (from == 0) {
        /* The stationary start: variance 1 at once, which is a recursion with r = 0, q = 1. */
        double r1 = p->r_short, q1 = p->q_short, r2 = p->r_long, q2 = p->q_long;
        p->y_short = p->y_long = 0.0;
        p->r_short = p->r_long = 0.0;
        p->q_short = p->q_long = 1.0;
        subtract_process(p, p->margins, e[0], e[1], e[2], 1);
        p->r_short = r1;
        p->q_short = q1;
        p->r_long = r2;
        p->q_long = q2;
        from = 1;
    }
    subtract_process(p, p->margins + from, e[0] + 2 * from, e[1] + 2 * from, e[2] + 2 * from,
                     to - from);
    p->ticks = to;
}

double hidden_path_margin(struct hidden_path *p, size_t tick)
{
    if (tick >= p->ticks) {
        path_extend(p, tick + 1);
    }
    return p->margins[tick];
}

size_t hidden_path_leaves(struct hidden_path *p, size_t from, double low, double high)
{
    size_t i = from;
    while (i < p->limit) {
        if (i >= p->ticks) {
            path_extend(p, i + 1);
        }
        for (size_t end = p->ticks; i < end; i++) {
            if (!(p->margins[i] > low && p->margins[i] <= high)) {
                return i;
            }
        }
    }
    return p->limit;
}

double hidden_edge(const struct hidden_path *p, uint32_t k)
{
    return p->node_slope * (k < HIDDEN_EDGES ? p->log_of[k] : log(k));
}

uint32_t hidden_nodes(const struct hidden_path *p, double margin, uint32_t cap)
{
    if (cap == 0 || !(margin > 0.0)) {
        return 0;
    }
    if (margin > hidden_edge(p, cap)) {
        return cap;
    }
    /* Here 0 < margin <= beta ln cap, hence beta > 0, and the answer is in [low, high): bisection,
     * from a guess by exp where the range is wide. Only edges decide, so that one margin means one
     * number whatever the cap. */
    uint32_t low = 1, high = cap;
    if (cap > HIDDEN_EDGES) {
        double guess = exp(margin / p->node_slope);
        uint32_t near_low = guess > 2.0 ? (uint32_t)fmin(guess - 1.0, cap - 1.0) : 1;
        uint32_t near_high = cap - near_low > 3 ? near_low + 3 : cap;
        low = margin > hidden_edge(p, near_low) ? near_low : 1;
        high = margin > hidden_edge(p, near_high) ? cap : near_high;
    }
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (margin > hidden_edge(p, middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
