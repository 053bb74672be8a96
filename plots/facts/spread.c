/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/facts/spread.h"

#include "plots/facts/table_columns.h"

#include <math.h>
#include <string.h>

enum {
    D_STRATEGY,
    D_WORKLOAD,
    D_METRIC,
    D_VALUE,
    D_CUMULATIVE,
    D_CENSORED,
    D_NEEDED, /* what follows may be absent */
    D_FINISHED = D_NEEDED,
    D_COUNT
};
static const char *const names[D_COUNT] = {"strategy",        "workload", "metric",       "value",
                                           "cumulative_frac", "censored", "finished_frac"};

static bool is_bound(const struct table *t, size_t row, const int *c)
{
    return table_known(t, row, c[D_CENSORED]) > 0.0;
}

/* A bound needs no share of its own: it is found from the rows around it. */
static bool wanted(const struct table *t, size_t row, const int *c, const char *strategy,
                   const char *metric)
{
    return strcmp(table_text(t, row, (size_t)c[D_METRIC]), metric) == 0 &&
           strcmp(table_text(t, row, (size_t)c[D_STRATEGY]), strategy) == 0 &&
           strcmp(table_text(t, row, (size_t)c[D_WORKLOAD]), "all") == 0 &&
           isfinite(table_known(t, row, c[D_VALUE])) &&
           (is_bound(t, row, c) || isfinite(table_known(t, row, c[D_CUMULATIVE])));
}

static void add_point(struct spread *out, double value, double share, bool censored)
{
    out->value[out->count] = value;
    out->share[out->count] = share;
    out->censored[out->count++] = censored;
}

/* Points, all of them bounds, of which no share is known yet. */
static size_t waiting(const struct spread *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->count; i++)
        count += isnan(s->share[i]) ? 1 : 0;
    return count;
}

/* Gives them equal parts of `share`. */
static void share_out(struct spread *s, double share)
{
    double part = fmax(0.0, share) / fmax(1.0, (double)waiting(s));

    for (size_t i = 0; i < s->count; i++)
        s->share[i] = isnan(s->share[i]) ? part : s->share[i];
}

/* A row stands for all futures between the row before it and itself. Where finished_frac parts
 * them, a row may become two points, else it is all of its kind. */
static void read_points(struct spread *out, const struct table *t, const int *c,
                        const char *strategy, const char *metric)
{
    double before = 0.0, finished_before = 0.0;

    for (size_t row = 0; row < table_rows(t); row++) {
        double value, cumulative, finished, share, own;
        if (!wanted(t, row, c, strategy, metric))
            continue;
        value = table_known(t, row, c[D_VALUE]);
        cumulative = table_known(t, row, c[D_CUMULATIVE]);
        finished = table_known(t, row, c[D_FINISHED]);
        if (!isfinite(cumulative)) {
            add_point(out, value, NAN, true);
            continue;
        }
        share = fmax(0.0, cumulative - before);
        own = isfinite(finished)    ? fmin(share, fmax(0.0, finished - finished_before))
              : is_bound(t, row, c) ? 0.0
                                    : share / (double)(waiting(out) + 1);
        /* What is left belongs to the bounds before it that wait, or to the row itself. */
        if (share - own > 1e-12 && waiting(out) > 0)
            share_out(out, share - own);
        else if (share - own > 1e-12)
            add_point(out, value, share - own, true);
        if (own > 0.0)
            add_point(out, value, own, false);
        before = fmax(before, cumulative);
        finished_before = isfinite(finished) ? fmax(finished_before, finished) : cumulative;
    }
    share_out(out, 1.0 - before);
    for (size_t i = 0; i < out->count; i++)
        out->unfinished += out->censored[i] ? out->share[i] : 0.0;
}

bool spread_read(struct spread *out, const struct table *t, const char *strategy,
                 const char *metric, struct arena *a, struct diagnostics *d)
{
    size_t count = 0;
    int c[D_COUNT];

    *out = (struct spread){0};
    if (!table_columns_found(c, t, names, D_NEEDED, D_COUNT, d))
        return false;
    for (size_t row = 0; row < table_rows(t); row++)
        count += wanted(t, row, c, strategy, metric);
    out->value = arena_array(a, 2 * count + 1, sizeof(double));
    out->share = arena_array(a, 2 * count + 1, sizeof(double));
    out->censored = arena_array(a, 2 * count + 1, sizeof(bool));
    if (out->value == NULL || out->share == NULL || out->censored == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory for charts");
        return false;
    }
    read_points(out, t, c, strategy, metric);
    return true;
}

double spread_level(const struct spread *s, double p)
{
    double sum = 0.0;

    for (size_t i = 0; i < s->count; i++) {
        sum += s->share[i];
        if (sum >= p - 1e-9)
            return s->value[i];
    }
    return s->count > 0 ? s->value[s->count - 1] : (double)NAN;
}

void spread_histogram(const struct spread *s, double low, double step, size_t bins,
                      double *finished, double *unfinished)
{
    for (size_t k = 0; k < bins; k++)
        finished[k] = unfinished[k] = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        double place = floor((s->value[i] - low) / step);
        if (!(place >= 0.0 && place < (double)bins))
            continue;
        if (s->censored[i])
            unfinished[(size_t)place] += s->share[i];
        else
            finished[(size_t)place] += s->share[i];
    }
}

static double bandwidth(const struct spread *s, double n)
{
    double sum = 0.0, mean = 0.0, variance = 0.0, iqr, width;

    for (size_t i = 0; i < s->count; i++) {
        sum += s->share[i];
        mean += s->share[i] * s->value[i];
    }
    if (!(sum > 0.0))
        return 0.0;
    mean /= sum;
    for (size_t i = 0; i < s->count; i++)
        variance += s->share[i] * (s->value[i] - mean) * (s->value[i] - mean) / sum;
    iqr = spread_level(s, 0.75) - spread_level(s, 0.25);
    width = sqrt(variance);
    if (iqr > 0.0)
        width = fmin(width, iqr / 1.34);
    return 0.9 * width * pow(fmax(n, 2.0), -0.2);
}

bool spread_density(const struct spread *s, double n, double low, double high, size_t points,
                    double *out)
{
    double h = bandwidth(s, n), peak = 0.0;

    if (!(h > 0.0) || !(high > low) || points < 2)
        return false;
    for (size_t k = 0; k < points; k++) {
        double x = low + (high - low) * (double)k / (double)(points - 1);
        out[k] = 0.0;
        for (size_t i = 0; i < s->count; i++) {
            double z = (x - s->value[i]) / h;
            if (fabs(z) < 8.0)
                out[k] += s->share[i] * exp(-0.5 * z * z);
        }
        peak = fmax(peak, out[k]);
    }
    if (!(peak > 0.0))
        return false;
    for (size_t k = 0; k < points; k++)
        out[k] /= peak;
    return true;
}

double spread_beyond(const struct spread *s, double high)
{
    double sum = 0.0;

    for (size_t i = 0; i < s->count; i++) {
        if (s->value[i] > high)
            sum += s->share[i];
    }
    return sum;
}

struct spread_axis spread_axis_hold(struct spread_axis axis, double x, double stretch)
{
    double room = stretch * (axis.high - axis.low);

    if (x > axis.high && x - axis.high <= room)
        axis.high = x;
    else if (x < axis.low && axis.low - x <= room)
        axis.low = x;
    return axis;
}

struct spread_axis spread_axis_pad(struct spread_axis axis)
{
    double width = axis.high - axis.low, low = axis.low;

    if (!(width > 1e-9 * fmax(fabs(axis.high), fabs(axis.low)))) {
        width = fabs(axis.high) > 0.0 ? 0.4 * fabs(axis.high) : 1.0;
        axis.low -= 0.5 * width;
        axis.high += 0.5 * width;
    }
    axis.low -= 0.04 * width;
    axis.high += 0.04 * width;
    /* Zero is a fair end when it is near, and nothing here is negative by itself. */
    if (low >= 0.0 && axis.low < 0.25 * axis.high)
        axis.low = 0.0;
    return axis;
}

double spread_typical(double *middles, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        double x = middles[i];
        size_t k = i;
        for (; k > 0 && middles[k - 1] > x; k--)
            middles[k] = middles[k - 1];
        middles[k] = x;
    }
    return count > 0 ? middles[(count - 1) / 2] : (double)NAN;
}

bool spread_far(double middle, double typical)
{
    return typical > 0.0 && middle > SPREAD_FAR * typical;
}

struct spread_axis spread_axis_for(const struct spread *spreads, size_t count, double limit)
{
    struct spread_axis axis = {INFINITY, -INFINITY};
    double middles[SPREAD_COUNT_MAX], typical;
    size_t known = 0;

    for (size_t i = 0; i < count && known < SPREAD_COUNT_MAX; i++) {
        if (spreads[i].count > 0)
            middles[known++] = spread_level(&spreads[i], 0.5);
    }
    typical = spread_typical(middles, known);
    for (size_t i = 0; i < count; i++) {
        const struct spread *s = &spreads[i];
        double middle = spread_level(s, 0.5), p99 = spread_level(s, 0.99), top;
        if (s->count == 0 || spread_far(middle, typical))
            continue;
        top = s->value[s->count - 1];
        if (top > p99 + 2.0 * (p99 - middle))
            top = p99 + (p99 - middle);
        axis.low = fmin(axis.low, s->value[0]);
        axis.high = fmax(axis.high, top);
    }
    if (!(axis.low <= axis.high))
        axis = (struct spread_axis){0.0, 0.0};
    return spread_axis_pad(spread_axis_hold(axis, limit, 1.0));
}
