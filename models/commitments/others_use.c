/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/commitments/others_use.h"

#include "engine/civil_time.h"
#include "engine/csv_reader.h"
#include "engine/file.h"

#include <math.h>
#include <stdlib.h>

enum { DAY_H = 24, WEEK_H = 168 };

/* Steps under way; on the heap until they are complete. */
struct use_making {
    struct others_use *use;
    const struct market_context *context;
    struct use_step *steps;
    size_t count, capacity;
};

static bool tell(const struct use_making *m, enum diagnostic_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool tell(const struct use_making *m, enum diagnostic_kind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(m->context->diagnostics, kind, m->use->spec->item.place, format, args);
    va_end(args);
    return false;
}

/* A step at or before 0 replaces what held before; an equal one is none. */
static bool add_step(struct use_making *m, int64_t at_us, int64_t count)
{
    if (at_us <= 0) {
        m->count = 0;
        at_us = 0;
    } else if (m->count > 0 && m->steps[m->count - 1].count == count) {
        return true;
    }
    if (m->count == ACCOUNT_STEPS_MAX) {
        return tell(m, DIAGNOSTIC_INFEASIBLE,
                    "the nodes of others change more than %d times; state them by the day, or "
                    "shorten the horizon",
                    ACCOUNT_STEPS_MAX);
    }
    if (m->count == m->capacity) {
        size_t capacity = m->capacity == 0 ? 256 : 2 * m->capacity;
        struct use_step *grown = realloc(m->steps, capacity * sizeof *grown);
        if (grown == NULL) {
            return tell(m, DIAGNOSTIC_FAILURE, "out of memory");
        }
        m->steps = grown;
        m->capacity = capacity;
    }
    m->steps[m->count++] = (struct use_step){.at_us = at_us, .count = count};
    return true;
}

/* The hour of the day or week that holds the start, and how far into it the start is. */
static bool add_profile(struct use_making *m, const struct schema_list *hours, int64_t until_us)
{
    const struct use_count_spec *counts = hours->items;
    const int64_t start_s = m->context->start_unix_s, hour_s = HOUR_US / MICROSECONDS;
    int64_t into_s = ((start_s % hour_s) + hour_s) % hour_s;
    int64_t hour = (start_s - into_s) / hour_s % DAY_H + DAY_H;
    hour = hours->count == WEEK_H ? civil_weekday(start_s) * DAY_H + hour % DAY_H : hour;
    bool ok = true;
    for (int64_t at_us = -into_s * MICROSECONDS; ok && at_us < until_us; at_us += HOUR_US) {
        ok = add_step(m, at_us, counts[hour++ % (int64_t)hours->count].count);
    }
    return ok;
}

/* ---- files ---- */

/* One row; false after an error. */
static bool add_row(struct use_making *m, struct csv_reader *r, int64_t *last_unix_s, bool first)
{
    int64_t from_unix_s, count;
    if (!csv_date(r, 0, &from_unix_s) || !csv_int64(r, 1, &count)) {
        return false;
    }
    struct diagnostics *d = m->context->diagnostics;
    const int64_t start_s = m->context->start_unix_s;
    if (count < 0 || count > 100000) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                        "'count' is %lld; expected 0 to 100,000 nodes", (long long)count);
        return false;
    }
    if (!first && from_unix_s <= *last_unix_s) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                        "'from' is not later than in the row before; expected rising times");
        return false;
    }
    if (first && from_unix_s > start_s) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, csv_place(r),
                        "the first row is after the scenario's start, so that the nodes before it "
                        "are unknown; expected a row at or before the start");
        return false;
    }
    *last_unix_s = from_unix_s;
    return add_step(m, (from_unix_s - start_s) * MICROSECONDS, count);
}

static bool add_rows(struct use_making *m, struct csv_reader *r, int64_t until_us)
{
    const struct market_context *c = m->context;
    int64_t last_unix_s = 0;
    bool first = true;
    int got;
    while ((got = csv_next(r)) == 1) {
        if (!add_row(m, r, &last_unix_s, first)) {
            return false;
        }
        first = false;
    }
    if (got < 0) {
        return false;
    }
    if (first) {
        return tell(m, DIAGNOSTIC_ERROR, "'%s' has no rows; expected times and numbers of nodes",
                    m->use->spec->file);
    }
    if ((last_unix_s - c->start_unix_s) * MICROSECONDS < until_us - 31 * DAY_H * HOUR_US) {
        char date[24];
        assumptions_add(
            c->assumptions, true, "default",
            arena_format(c->arena, "nodes of others after the last row of %s", m->use->spec->file),
            "%lld, as on %s", (long long)m->steps[m->count - 1].count,
            civil_date_text(last_unix_s, date));
    }
    return true;
}

static bool add_file(struct use_making *m, const char *folder, int64_t until_us)
{
    static const char *const columns[] = {"from", "count", NULL};
    const struct market_context *c = m->context;
    const char *path = file_join(c->arena, folder, m->use->spec->file);
    if (path == NULL || !inputs_note_file(c->inputs, m->use->spec->file)) {
        return tell(m, DIAGNOSTIC_FAILURE, "out of memory");
    }
    struct csv_reader *r = csv_open(path, path, columns, c->diagnostics);
    bool ok = r != NULL && add_rows(m, r, until_us);
    csv_close(r);
    return ok;
}

/* ---- */

static bool add_all(struct use_making *m, const char *folder, int64_t until_us)
{
    const struct others_use_spec *s = m->use->spec;
    int ways = s->count_given + (s->day.count > 0) + (s->week.count > 0) + (s->file != NULL);
    if (ways != 1) {
        return tell(m, DIAGNOSTIC_ERROR, "%s; expected one of 'count', 'day', 'week' and 'file'",
                    ways == 0 ? "how many nodes others run is not said"
                              : "how many nodes others run is said more than once");
    }
    if (s->file != NULL) {
        return add_file(m, folder, until_us);
    }
    return s->count_given ? add_step(m, 0, s->count)
                          : add_profile(m, s->day.count > 0 ? &s->day : &s->week, until_us);
}

bool others_use_read(struct others_use *use, const char *folder, int64_t until_us,
                     const struct market_context *context)
{
    struct use_making m = {.use = use, .context = context};
    bool ok = add_all(&m, folder, until_us);
    if (ok) {
        use->steps = arena_array(context->arena, m.count, sizeof *use->steps);
        use->step_count = m.count;
        ok = use->steps != NULL || tell(&m, DIAGNOSTIC_FAILURE, "out of memory");
    }
    for (size_t i = 0; ok && i < m.count; i++) {
        use->steps[i] = m.steps[i];
    }
    free(m.steps);
    return ok;
}

int64_t others_use_scaled(int64_t count, double scale)
{
    return llround((double)count * scale);
}

int64_t others_use_at(const struct others_use *use, int64_t at_us)
{
    size_t low = 0, high = use->step_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (use->steps[middle].at_us <= at_us) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return others_use_scaled(use->steps[low].count, use->spec->scale.median);
}
