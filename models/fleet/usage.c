/* SPDX-License-Identifier: GPL-3.0-or-later
 * Usage records. The simulator's clock is a double; billing is exact. This is the one place where
 * times are rounded, once, to whole microseconds; after it everything is integers. The activities
 * are rounded as running totals (largest error half a microsecond each, none accumulates), so that
 * they always add up to the record's own length. */
#include "models/fleet/usage.h"

#include "engine/money.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

const char *const activity_names[] = {"useful",  "checkpoint", "restore",    "boot", "lost",
                                      "waiting", "staging",    "evaluation", "down", NULL};
const char *const end_reason_names[] = {"finished",  "interrupted", "released", "horizon",
                                        "cancelled", "budget",      "failed",   NULL};

static_assert(sizeof activity_names / sizeof activity_names[0] == ACTIVITY_COUNT + 1,
              "every activity has a name");
static_assert(sizeof end_reason_names / sizeof end_reason_names[0] == END_REASON_COUNT + 1,
              "every reason has a name");

enum { FIRST_CAPACITY = 64 };

void usage_log_init(struct usage_log *log, size_t limit)
{
    *log = (struct usage_log){.limit = limit};
}

void usage_log_release(struct usage_log *log)
{
    free(log->records);
    *log = (struct usage_log){.limit = log->limit};
}

void usage_log_clear(struct usage_log *log)
{
    log->count = 0;
    log->overflow = false;
}

/* Room for one record more; false at the cap or without memory. */
static bool reserve(struct usage_log *log)
{
    if (log->count < log->capacity) {
        return true;
    }
    if (log->count >= log->limit) {
        return false;
    }
    size_t capacity = log->capacity > 0 ? log->capacity : FIRST_CAPACITY;
    if (log->capacity > 0) {
        capacity = capacity <= SIZE_MAX / 2 ? capacity * 2 : SIZE_MAX;
    }
    if (capacity > log->limit) {
        capacity = log->limit;
    }
    if (capacity > SIZE_MAX / sizeof *log->records) {
        return false;
    }
    struct usage *records = realloc(log->records, capacity * sizeof *records);
    if (!records) {
        return false;
    }
    log->records = records;
    log->capacity = capacity;
    return true;
}

/* Cuts duration_us in proportion to seconds. False when a part is not a number. */
static bool split(int64_t duration_us, const double seconds[ACTIVITY_COUNT],
                  int64_t parts_us[ACTIVITY_COUNT])
{
    double sum = 0.0, noise = 0.0;
    int positive[ACTIVITY_COUNT], count = 0; /* mostly two or three */
    for (int a = 0; a < ACTIVITY_COUNT; a++) {
        parts_us[a] = 0;
        if (seconds[a] > 0.0) {
            sum += seconds[a];
            positive[count++] = a;
        } else {
            noise += seconds[a]; /* of subtractions; or infinite, or not a number */
        }
    }
    if (!isfinite(sum) || !isfinite(noise)) {
        return false;
    }
    if (count == 0) {
        parts_us[ACTIVITY_WAITING] = duration_us;
        return true;
    }
#ifdef FLEETCAST_SLOW_CHECKS
    assert(fabs(sum - (double)duration_us * 1e-6) <= USAGE_ACTIVITY_TOLERANCE_S + 1e-9 * sum);
#endif
    double cumulative = 0.0;
    int64_t given = 0;
    for (int i = 0; i < count - 1; i++) {
        const int a = positive[i];
        cumulative += seconds[a];
        /* Divided before it is multiplied, so that neither a huge nor a tiny sum leaves the range.
         */
        int64_t upto = (int64_t)(cumulative / sum * (double)duration_us + 0.5);
        upto = upto < duration_us ? upto : duration_us;
        parts_us[a] = upto - given;
        given = upto;
    }
    parts_us[positive[count - 1]] = duration_us - given;
    return true;
}

void usage_log_add(struct usage_log *log, const struct usage *record, double start_s, double end_s,
                   const double activity_s[ACTIVITY_COUNT])
{
    /* Written so that NaN fails too. */
    if (!(start_s >= 0.0 && start_s <= end_s && end_s <= USAGE_LATEST_S) || !reserve(log)) {
        log->overflow = true;
        return;
    }
    /* In place and field by field: a copy of the whole, just written in pieces, would wait for
     * them (a tenth of the time of a short training world). */
    struct usage *u = &log->records[log->count];
    u->workload = record->workload;
    u->slot = record->slot;
    u->pool = record->pool;
    u->reason = record->reason;
    u->twins = record->twins;
    u->start_us = microseconds(start_s);
    u->end_us = microseconds(end_s);
    if (!split(u->end_us - u->start_us, activity_s, u->activity_us)) {
        log->overflow = true;
        return;
    }
    log->count++;
}

void usage_log_again(struct usage_log *log, uint32_t slot, uint32_t twins)
{
    if (log->overflow || !reserve(log)) {
        log->overflow = true;
        return;
    }
    struct usage *record = &log->records[log->count];
    *record = log->records[log->count - 1];
    record->slot = slot;
    record->twins = twins;
    log->count++;
}

bool usage_log_set(struct usage_log *log, const struct usage *records, size_t count)
{
    usage_log_clear(log);
    for (log->count = 0; log->count < count; log->count++) {
        if (!reserve(log)) {
            usage_log_clear(log);
            return false;
        }
        log->records[log->count] = records[log->count];
    }
    return true;
}
