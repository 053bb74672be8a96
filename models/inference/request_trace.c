/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/inference/request_trace.h"

#include "engine/civil_time.h"
#include "engine/csv_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MINUTE_S 60.0

static const char *const columns[] = {"start",         "time_s",        "prompt_tokens",
                                      "output_tokens", "cached_tokens", NULL};
enum { COLUMN_START, COLUMN_TIME, COLUMN_PROMPT, COLUMN_OUTPUT, COLUMN_CACHED };

/* ---- reading ---- */

struct growing_requests {
    struct traced_request *items;
    size_t count, capacity;
};

static bool append(struct growing_requests *g, const struct traced_request *r)
{
    if (g->count == g->capacity) {
        size_t capacity = g->capacity == 0 ? 1024 : 2 * g->capacity;
        struct traced_request *grown = realloc(g->items, capacity * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        g->items = grown;
        g->capacity = capacity;
    }
    g->items[g->count++] = *r;
    return true;
}

/* An empty field leaves *out 0 and takes the column's flag away. */
static bool read_tokens(struct csv_reader *r, size_t column, bool *has, uint32_t *out,
                        struct diagnostics *d)
{
    int64_t tokens;
    *out = 0;
    if (csv_missing(r, column)) {
        *has = false;
        return true;
    }
    if (!csv_int64(r, column, &tokens)) {
        return false;
    }
    if (tokens < 0 || tokens > REQUEST_TRACE_MOST_TOKENS) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                        "column '%s': %lld tokens; expected a number from 0 to %d", columns[column],
                        (long long)tokens, REQUEST_TRACE_MOST_TOKENS);
        return false;
    }
    *out = (uint32_t)tokens;
    return true;
}

/* "2023-11-16T18:15:46.68059Z": to the microsecond. */
static bool read_start(struct csv_reader *r, struct request_trace *t, struct diagnostics *d)
{
    const char *text = csv_text(r, COLUMN_START);
    char whole[32];
    int64_t unix_s, us = 0, unit = MICROSECONDS / 10;
    size_t length = strcspn(text, ".Z"), digits = 0;
    if (text[0] == '\0') {
        return true;
    }
    if (text[length] == '.') {
        digits = strspn(text + length + 1, "0123456789");
        for (size_t i = 0; i < digits; i++, unit /= 10) {
            us += (text[length + 1 + i] - '0') * unit;
        }
        digits++;
    }
    if (length + 2 > sizeof whole || digits == 1 || strcmp(text + length + digits, "Z") != 0) {
        length = 0;
    }
    memcpy(whole, text, length);
    memcpy(whole + length, "Z", 2);
    if (length == 0 || !civil_parse(whole, &unix_s)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                        "column 'start' is '%.40s'; expected a time such as 2023-11-16T18:15:46.5Z",
                        text);
        return false;
    }
    t->has_start = true;
    t->start_unix_us = unix_s * MICROSECONDS + us;
    return true;
}

static bool read_row(struct csv_reader *r, struct request_trace *t, struct growing_requests *g,
                     struct traced_request *request, struct diagnostics *d)
{
    bool good = csv_double(r, COLUMN_TIME, &request->at_s);
    if (good && !(request->at_s >= 0 && request->at_s <= REQUEST_TRACE_LONGEST_S)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                        "column 'time_s': %g s; expected a time from 0 to %g s", request->at_s,
                        REQUEST_TRACE_LONGEST_S);
        good = false;
    } else if (good && g->count > 0 && request->at_s < g->items[g->count - 1].at_s) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                        "column 'time_s': %s comes before the request of the row above; expected "
                        "requests in the order of time",
                        csv_text(r, COLUMN_TIME));
        good = false;
    }
    good &= read_tokens(r, COLUMN_PROMPT, &t->has_prompt, &request->prompt_tokens, d);
    good &= read_tokens(r, COLUMN_OUTPUT, &t->has_output, &request->output_tokens, d);
    good &= read_tokens(r, COLUMN_CACHED, &t->has_cached, &request->cached_tokens, d);
    if (good && request->cached_tokens > request->prompt_tokens) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                        "%u tokens of a prompt of %u were cached; expected at most all of them",
                        request->cached_tokens, request->prompt_tokens);
        good = false;
    }
    return good && (g->count > 0 || read_start(r, t, d));
}

static bool read_rows(struct csv_reader *r, struct request_trace *t, struct growing_requests *g,
                      struct diagnostics *d)
{
    enum { MOST_COMPLAINTS = 20 };
    int more, wrong = 0;
    while ((more = csv_next(r)) > 0 && wrong < MOST_COMPLAINTS) {
        struct traced_request request;
        if (!read_row(r, t, g, &request, d)) {
            wrong++;
        } else if (g->count == REQUEST_TRACE_MOST) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                            "more than %d requests; cut the file", REQUEST_TRACE_MOST);
            return false;
        } else if (!append(g, &request)) {
            diagnostics_add(d, DIAGNOSTIC_FAILURE, csv_place(r), "out of memory");
            return false;
        }
    }
    if (more == 0 && wrong == 0 && g->count == 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r), "no request is in this file");
    }
    return more == 0 && wrong == 0 && g->count > 0;
}

bool request_trace_read(struct request_trace *t, const char *path, const char *shown,
                        struct arena *a, struct diagnostics *d)
{
    struct growing_requests g = {0};
    struct csv_reader *r = csv_open(path, shown, columns, d);
    *t = (struct request_trace){.has_prompt = true, .has_output = true, .has_cached = true};
    if (r == NULL) {
        return false;
    }
    bool good = read_rows(r, t, &g, d);
    struct traced_request *kept = good ? arena_array(a, g.count, sizeof *kept) : NULL;
    if (kept != NULL) {
        memcpy(kept, g.items, g.count * sizeof *kept);
        t->items = kept;
        t->count = g.count;
    } else if (good) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){shown, 0, 0}, "out of memory");
    }
    free(g.items);
    csv_close(r);
    return kept != NULL;
}

/* ---- what it says ---- */

static double span_of(const struct request_trace *t)
{
    return t->items[t->count - 1].at_s - t->items[0].at_s;
}

double request_trace_period_s(const struct request_trace *t)
{
    double gaps = (double)t->count - 1;
    return gaps > 0 ? span_of(t) * (gaps + 1) / gaps : 0;
}

static void count_gaps(const struct request_trace *t, struct request_statistics *s)
{
    double n = (double)t->count - 1, squares = 0;
    s->gap_mean_s = s->span_s / n;
    for (size_t i = 1; i < t->count; i++) {
        double gap_s = t->items[i].at_s - t->items[i - 1].at_s;
        double off_s = gap_s - s->gap_mean_s;
        squares += off_s * off_s;
        s->no_gap += gap_s <= 0;
    }
    s->gap_deviation_s = sqrt(squares / n);
    if (s->span_s > 0) {
        s->rate_per_s = n / s->span_s;
        s->gap_cv = s->gap_deviation_s / s->gap_mean_s;
    }
}

/* The last minute, which is not whole, is left out. Moments by Welford's recurrence. */
static void count_minutes(const struct request_trace *t, struct request_statistics *s)
{
    double minutes = floor(s->span_s / MINUTE_S), mean = 0, squares = 0, most = 0;
    size_t at = 0;
    for (double m = 0; m < minutes; m++) {
        double came = 0;
        for (; at < t->count && floor((t->items[at].at_s - t->items[0].at_s) / MINUTE_S) <= m;
             at++) {
            came++;
        }
        double off = came - mean;
        mean += off / (m + 1);
        squares += off * (came - mean);
        most = fmax(most, came);
    }
    if (minutes > 0) {
        s->minute_mean = mean;
        s->minute_most = most;
        s->minute_variation = mean > 0 ? squares / minutes / mean : (double)NAN;
    }
}

struct request_statistics request_trace_statistics(const struct request_trace *t)
{
    const double none = (double)NAN;
    struct request_statistics s = {.span_s = span_of(t),
                                   .rate_per_s = none,
                                   .gap_mean_s = none,
                                   .gap_deviation_s = none,
                                   .gap_cv = none,
                                   .minute_mean = none,
                                   .minute_most = none,
                                   .minute_variation = none};
    for (size_t i = 0; i < t->count; i++) {
        s.prompt_tokens += t->items[i].prompt_tokens;
        s.output_tokens += t->items[i].output_tokens;
        s.cached_tokens += t->items[i].cached_tokens;
    }
    if (t->count > 1) {
        count_gaps(t, &s);
    }
    count_minutes(t, &s);
    return s;
}
