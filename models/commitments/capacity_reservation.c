/* SPDX-License-Identifier: GPL-3.0-or-later
 * See capacity_reservation.h. */
#include "models/commitments/capacity_reservation.h"

#include <assert.h>

struct reserved_counts {
    int32_t outside, inside, idle;
};

static struct reserved_counts split(int64_t running, int64_t reserved)
{
    int64_t inside = running < reserved ? running : reserved;
    return (struct reserved_counts){.outside = (int32_t)(running - inside),
                                    .inside = (int32_t)inside,
                                    .idle = (int32_t)(reserved - inside)};
}

/* The list's next instant; INT64_MAX behind its end. */
static int64_t instant(const struct coverage_change *changes, size_t count, size_t at)
{
    return at < count ? changes[at].at_us : INT64_MAX;
}

/* Adds up the changes of one instant. */
static void advance(const struct coverage_change *changes, size_t count, int64_t at_us, size_t *at,
                    int64_t *sum)
{
    while (*at < count && changes[*at].at_us == at_us) {
        *sum += changes[(*at)++].delta;
    }
    assert(*at == count || changes[*at].at_us > at_us);
    assert(*sum >= 0 && *sum <= INT32_MAX);
}

static size_t put(struct coverage_change *out, size_t count, int64_t at_us, uint32_t slot,
                  int32_t delta)
{
    if (delta != 0) {
        out[count++] = (struct coverage_change){at_us, slot, delta};
    }
    return count;
}

size_t capacity_reservation_changes(const struct coverage_change *running, size_t running_count,
                                    const struct coverage_change *reserved, size_t reserved_count,
                                    const struct reservation_slots *slots,
                                    struct coverage_change *out)
{
    size_t count = 0, i = 0, j = 0;
    int64_t runs = 0, holds = 0;
    struct reserved_counts before = {0};
    while (i < running_count || j < reserved_count) {
        int64_t a = instant(running, running_count, i), b = instant(reserved, reserved_count, j);
        int64_t at_us = a < b ? a : b;
        advance(running, running_count, at_us, &i, &runs);
        advance(reserved, reserved_count, at_us, &j, &holds);
        struct reserved_counts now = split(runs, holds);
        count = put(out, count, at_us, slots->outside, now.outside - before.outside);
        count = put(out, count, at_us, slots->inside, now.inside - before.inside);
        count = put(out, count, at_us, slots->idle, now.idle - before.idle);
        before = now;
    }
    return count;
}
