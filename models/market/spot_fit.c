/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/spot_fit.h"

#include "engine/double_sort.h"
#include "models/market/crossing.h"
#include "models/market/hidden_process.h"
#include "models/market/market_keys.h"
#include "models/market/trace_statistics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define DAY_S          86400.0
#define SLOPE_MOST_N   64 /* node counts that the slope is fitted to */
#define FIT_SEED       UINT64_C(1)
#define LEAST_WINDOW_S (7 * DAY_S) /* a shorter trace is judged by windows of this length */

/* ---- the fit ---- */

/* Share of the observed time with at least k nodes. */
static double share_of(const struct trace *t, int64_t k, double observed_s)
{
    double up_s = 0;
    for (size_t i = 0; i < t->count; i++) {
        double end_s = i + 1 < t->count ? t->steps[i + 1].at_s : t->end_s;
        up_s += t->steps[i].nodes >= k ? end_s - t->steps[i].at_s : 0;
    }
    return up_s / observed_s;
}

static void fit_slope(struct spot_fit *fit, const struct trace *t)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    int64_t most = fit->most_nodes < SLOPE_MOST_N ? fit->most_nodes : SLOPE_MOST_N;
    for (int64_t k = 1; k <= most; k++) {
        double share = share_of(t, k, fit->observed_s);
        if (!(share > 0 && share < 1)) {
            continue;
        }
        double x = log((double)k), y = gsl_cdf_ugaussian_Pinv(share);
        n++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    double spread = n * sxx - sx * sx;
    if (n >= 2 && spread > 0) {
        fit->has_slope = true;
        fit->node_slope = fmax(-(n * sxy - sx * sy) / spread, 0);
    }
}

/* The relaxation time that gives the losses under the season; see pool_terms.c. */
static void fit_short_time(struct spot_fit *fit)
{
    struct spot_spec defaults = spot_spec_default();
    struct crossing_fit crossing =
        crossing_fit_short_time(gsl_cdf_ugaussian_Pinv(fit->availability),
                                fit->losses_per_day / DAY_S * hidden_season_scale(&fit->season),
                                defaults.short_weight.median, defaults.long_time.median);
    fit->short_s = crossing.short_s;
    fit->clipped = crossing.clipped;
}

void spot_fit_set_season(struct spot_fit *fit, struct hidden_season season, int64_t local_start_s)
{
    fit->season = season;
    fit->local_start_s = local_start_s;
    fit_short_time(fit);
}

enum spot_fit_status spot_fit_make(struct spot_fit *fit, const struct trace *t)
{
    struct trace_statistics s;
    *fit = (struct spot_fit){0};
    if (!trace_statistics(t, &s)) {
        return SPOT_FIT_NO_MEMORY;
    }
    if (!s.has_nodes) {
        return SPOT_FIT_NO_NODES;
    }
    fit->observed_s = s.observed_s;
    fit->losses = s.any.interruptions;
    fit->returns = s.any.returns;
    fit->availability = s.any.availability;
    fit->losses_per_day = s.any.interruptions_per_day;
    fit->most_nodes = s.most_nodes;
    if (!(fit->availability > 0 && fit->availability < 1)) {
        return SPOT_FIT_ALWAYS;
    }
    fit->mean_up_s = fit->losses > 0 ? s.any.up_s / (double)fit->losses : (double)NAN;
    fit->mean_down_s =
        fit->returns > 0 ? (s.observed_s - s.any.up_s) / (double)fit->returns : (double)NAN;
    fit_short_time(fit);
    fit_slope(fit, t);
    return SPOT_FIT_DONE;
}

/* ---- how well it fits ---- */

static void add_up_span(struct up_series *u, double from_s, double to_s)
{
    if (u->count > 0 && u->spans[u->count - 1].to_s >= from_s) {
        u->spans[u->count - 1].to_s = to_s;
    } else {
        u->spans[u->count++] = (struct up_span){from_s, to_s};
    }
}

/* The trace without its holes, which are closed up. The caller frees the spans. */
static bool series_of_trace(struct up_series *u, const struct trace *t)
{
    *u = (struct up_series){.spans = malloc((t->count + 1) * sizeof *u->spans)};
    for (size_t i = 0; u->spans != NULL && i < t->count; i++) {
        double end_s = i + 1 < t->count ? t->steps[i + 1].at_s : t->end_s;
        double length_s = end_s - t->steps[i].at_s;
        if (t->steps[i].nodes == TRACE_UNKNOWN) {
            continue;
        }
        if (t->steps[i].nodes >= 1) {
            add_up_span(u, u->length_s, u->length_s + length_s);
        }
        u->length_s += length_s;
    }
    return u->spans != NULL;
}

/* What one window of the process is drawn from. */
struct window_source {
    struct hidden_noise noise[HIDDEN_SOURCES];
    struct hidden_path path;
    struct hidden_parameters parameters;
    size_t ticks;
    struct up_series series;
    size_t noises;
    bool has_path;
};

static bool windows_init(struct window_source *w, const struct spot_fit *fit, bool with_losses)
{
    struct spot_spec defaults = spot_spec_default();
    struct hidden_noise *noise[HIDDEN_SOURCES];
    w->ticks = (size_t)ceil(fmax(fit->observed_s, LEAST_WINDOW_S) / HIDDEN_STEP_S);
    w->ticks = w->ticks < HIDDEN_MAX_TICKS - 2 ? w->ticks : HIDDEN_MAX_TICKS - 2;
    w->parameters = (struct hidden_parameters){
        .threshold = gsl_cdf_ugaussian_Pinv(fit->availability),
        .short_weight = defaults.short_weight.median,
        .short_s = with_losses ? fit->short_s : defaults.short_time.median,
        .long_s = defaults.long_time.median,
        .node_slope = fit->has_slope ? fit->node_slope : defaults.node_slope.median,
    };
    if (with_losses) {
        w->parameters.season = fit->season;
    }
    for (size_t i = 0; i < HIDDEN_SOURCES; i++) {
        noise[i] = &w->noise[i];
        if (!hidden_noise_init(noise[i], random_source("calibrate/%zu", i), w->ticks + 1)) {
            return false;
        }
        w->noises++;
    }
    w->has_path = hidden_path_init(&w->path, noise, fit->local_start_s, w->ticks + 1);
    w->series.spans = malloc((w->ticks + 1) * sizeof *w->series.spans);
    return w->has_path && w->series.spans != NULL;
}

static void windows_release(struct window_source *w)
{
    for (size_t i = 0; i < w->noises; i++) {
        hidden_noise_release(&w->noise[i]);
    }
    if (w->has_path) {
        hidden_path_release(&w->path);
    }
    free(w->series.spans);
}

/* Up: room for so many nodes. */
static void draw_window(struct window_source *w, uint32_t index, uint32_t nodes)
{
    struct random_world world = {.seed = FIT_SEED, .replication = RANDOM_FIRST_FIT + index};
    for (size_t i = 0; i < HIDDEN_SOURCES; i++) {
        hidden_noise_begin(&w->noise[i], world);
    }
    hidden_path_begin(&w->path, &w->parameters);
    const double edge = hidden_edge(&w->path, nodes);
    w->series.count = 0;
    w->series.length_s = (double)w->ticks * HIDDEN_STEP_S;
    for (size_t k = 0; k < w->ticks; k++) {
        if (hidden_path_margin(&w->path, k) > edge) {
            add_up_span(&w->series, (double)k * HIDDEN_STEP_S, (double)(k + 1) * HIDDEN_STEP_S);
        }
    }
}

static double at_share(double *sorted, size_t n, double share)
{
    double rank = ceil(share * (double)n - 1e-9);
    return sorted[rank < 1 ? 0 : (size_t)rank - 1];
}

static bool judge_windows(struct window_source *w, struct spot_fit_quality *out)
{
    double means[SPOT_FIT_WINDOWS], sds[SPOT_FIT_WINDOWS], p90s[SPOT_FIT_WINDOWS];
    double spare[SPOT_FIT_WINDOWS];
    size_t n = 0;
    for (uint32_t i = 0; i < SPOT_FIT_WINDOWS; i++) {
        struct ring_times t;
        draw_window(w, i, 1);
        enum ring_status status =
            ring_job(&w->series, SPOT_FIT_WORK_S, SPOT_FIT_OVERHEAD_S, 3 * HIDDEN_STEP_S, &t);
        if (status == RING_NO_MEMORY) {
            return false;
        }
        if (status == RING_FINISHED) {
            means[n] = t.mean_s;
            sds[n] = t.sd_s;
            p90s[n] = t.p90_s;
            n++;
        }
    }
    out->windows = n;
    if (n > 0) {
        double_sort(means, spare, n);
        double_sort(sds, spare, n);
        double_sort(p90s, spare, n);
        out->mean_s = at_share(means, n, 0.5);
        out->sd_s = at_share(sds, n, 0.5);
        out->p90_s = at_share(p90s, n, 0.5);
        /* Windows in which the job never ends lie above all others. */
        double all = SPOT_FIT_WINDOWS;
        out->p90_low_s = at_share(p90s, n, fmin(0.1 * all / (double)n, 1));
        out->p90_high_s =
            0.9 * all <= (double)n ? at_share(p90s, n, 0.9 * all / (double)n) : (double)HUGE_VAL;
        out->inside = out->trace.p90_s >= out->p90_low_s && out->trace.p90_s <= out->p90_high_s;
    }
    return true;
}

bool spot_fit_judge(const struct spot_fit *fit, const struct trace *t, bool with_losses,
                    struct spot_fit_quality *out)
{
    struct up_series series;
    struct window_source w = {0};
    *out = (struct spot_fit_quality){0};
    bool ok = series_of_trace(&series, t);
    if (ok) {
        out->status =
            ring_job(&series, SPOT_FIT_WORK_S, SPOT_FIT_OVERHEAD_S, HIDDEN_STEP_S, &out->trace);
        ok = out->status != RING_NO_MEMORY;
    }
    if (ok && out->status == RING_FINISHED) {
        ok = windows_init(&w, fit, with_losses) && judge_windows(&w, out);
        windows_release(&w);
    }
    free(series.spans);
    return ok;
}

bool spot_fit_up_runs(const struct spot_fit *fit, uint32_t nodes, uint32_t windows,
                      struct up_runs *out)
{
    struct window_source w = {0};
    bool ok = windows_init(&w, fit, true);
    for (uint32_t i = 0; ok && i < windows; i++) {
        draw_window(&w, i, nodes);
        for (size_t k = 0; k < w.series.count; k++) {
            const struct up_span *span = &w.series.spans[k];
            bool seen = span->from_s > 0, ended = span->to_s < w.series.length_s;
            up_runs_add(out, seen ? span->to_s - span->from_s : 0, ended);
        }
    }
    windows_release(&w);
    return ok && !out->failed;
}
