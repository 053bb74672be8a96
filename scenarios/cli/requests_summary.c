/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/requests_summary.h"

#include "models/inference/request_trace.h"

#include <math.h>

static const struct column columns[] = {
    {"statistic", "", "what is told", COLUMN_TEXT, 0},
    {"value", "", "its value, in the unit beside it", COLUMN_NUMBER, -2},
    {"unit", "", "unit of the value", COLUMN_TEXT, 0},
};

static void put(struct table *t, const char *statistic, double value, const char *unit)
{
    size_t row = isfinite(value) ? table_add_row(t) : SIZE_MAX;
    if (row == SIZE_MAX) {
        return; /* a full table is told when it is written */
    }
    table_set_text(t, row, 0, statistic);
    table_set_number(t, row, 1, value);
    table_set_text(t, row, 2, unit);
}

static void put_all(struct table *t, const struct request_trace *trace)
{
    struct request_statistics s = request_trace_statistics(trace);
    double n = (double)trace->count;
    put(t, "requests", n, "");
    put(t, "from the first to the last", s.span_s, "s");
    put(t, "rate", s.rate_per_s, "per second");
    put(t, "mean time between arrivals", s.gap_mean_s, "s");
    put(t, "its variation (deviation over mean)", s.gap_cv, "");
    put(t, "at the instant of the one before", s.no_gap, "");
    put(t, "mean a minute", s.minute_mean, "");
    put(t, "most in a minute", s.minute_most, "");
    put(t, "variance over mean of a minute", s.minute_variation, "");
    if (trace->has_prompt) {
        put(t, "prompt tokens", s.prompt_tokens, "");
        put(t, "mean prompt", s.prompt_tokens / n, "tokens");
    }
    if (trace->has_output) {
        put(t, "output tokens", s.output_tokens, "");
        put(t, "mean output", s.output_tokens / n, "tokens");
    }
    if (trace->has_cached && s.prompt_tokens > 0) {
        put(t, "prompt tokens that an endless prefix cache has", s.cached_tokens, "");
        put(t, "share of prompt tokens cached", s.cached_tokens / s.prompt_tokens, "frac");
    }
}

struct table *requests_summary(const char *path, struct diagnostics *d)
{
    struct request_trace trace;
    struct arena *arena = arena_new(0);
    struct table *t = table_new("requests", columns, sizeof columns / sizeof columns[0]);
    bool good = arena != NULL && t != NULL && request_trace_read(&trace, path, path, arena, d);
    if (good) {
        put_all(t, &trace);
    } else {
        if (!diagnostics_failed(d)) {
            diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){path, 0, 0}, "out of memory");
        }
        table_free(t);
        t = NULL;
    }
    arena_free(arena);
    return t;
}
