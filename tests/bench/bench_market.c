/* SPDX-License-Identifier: GPL-3.0-or-later
 * Microseconds a world's capacity path costs: 30 days of the hidden process at availability 0.8 for
 * a gang of 16, drawn, thresholded and walked from change to change; the same walk by a second
 * strategy, which finds the path drawn; and a job of four hours, which needs little of it. */
#include "engine/gsl_errors.h"
#include "models/market/market.h"
#include "models/market/market_keys.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TARGET_US 200.0
#define DAY_S     86400.0

enum { GANG = 16 };

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static size_t walk(struct market *m, double until_s)
{
    size_t changes = 0;
    for (double t = 0.0; t < until_s; changes++) {
        market_capacity(m, 0, t, GANG);
        t = market_next_change(m, 0, t, GANG);
    }
    return changes;
}

static void bench(const struct market_plan *plan, const char *name, double until_s, int walks,
                  double target_us)
{
    enum { WORLDS = 1000, ROUNDS = 5 };
    struct market *m = market_new(plan);
    if (m == NULL) {
        abort();
    }
    double best_us = HUGE_VAL;
    size_t changes = 0;
    for (int round = 0; round < ROUNDS; round++) {
        changes = 0;
        double from_us = now_us();
        for (uint32_t r = 0; r < WORLDS; r++) {
            if (!market_begin(m, (struct random_world){1, r}, NULL)) {
                abort();
            }
            for (int i = 0; i < walks; i++) {
                changes += walk(m, until_s);
            }
        }
        best_us = fmin(best_us, (now_us() - from_us) / WORLDS);
    }
    printf("  %-52s %8.1f us a world, %6.1f changes", name, best_us, (double)changes / WORLDS);
    if (target_us > 0.0) {
        printf(", target %.0f", target_us);
    }
    printf("\n");
    market_free(m);
}

int main(void)
{
    gsl_errors_install();
    struct diagnostics *d = diagnostics_new();
    struct catalogue *catalogue = catalogue_load("models/catalogue/data", NULL, 0, d);
    struct arena *arena = arena_new(0);
    struct spot_spec spot = spot_spec_default();
    spot.item.name = "p4d.24xlarge";
    spot.availability = (struct number){.median = 0.8, .input = -1, .word = -1, .given = true};
    struct market_spec spec = {.spot = {&spot, 1}};
    struct assumptions assumptions = {.arena = arena};
    struct market_plan *plan = NULL;
    if (catalogue != NULL) {
        plan = market_plan_new(
            &spec, (struct market_context){.catalogue = catalogue,
                                           .region = catalogue_region(catalogue, "us-east-1"),
                                           .start_unix_s = INT64_C(1772409600),
                                           .prices_as_of_unix_s = INT64_C(1772409600),
                                           .horizon_s = 30.0 * DAY_S,
                                           .inputs = inputs_new(arena),
                                           .assumptions = &assumptions,
                                           .arena = arena,
                                           .diagnostics = d});
    }
    if (plan == NULL ||
        market_plan_pool(plan, NULL, "p4d.24xlarge", PURCHASE_SPOT, (struct place){0}) != 0) {
        diagnostics_write(d, stderr);
        return 1;
    }
    printf("market: hidden process, gang of %d\n", GANG);
    bench(plan, "30 days, one strategy", 30.0 * DAY_S, 1, TARGET_US);
    bench(plan, "30 days, two strategies", 30.0 * DAY_S, 2, 0.0);
    bench(plan, "a job of 4 hours", 4.0 * 3600.0, 1, 0.0);
    arena_free(arena);
    catalogue_free(catalogue);
    diagnostics_free(d);
    return 0;
}
