/* SPDX-License-Identifier: GPL-3.0-or-later
 * Three years of 200 nodes that change a thousand times, under ten commitments. */
#include "models/commitments/coverage_run.h"
#include "tests/support/bench.h"
#include "tests/support/draws.h"

#include <stdio.h>
#include <stdlib.h>

enum { TYPES = 4, COMMITMENTS = 10, CHANGES = 1000, NODES = 200 };

static const char *const types[TYPES] = {"p4d.24xlarge", "p3.2xlarge", "p3.8xlarge", "g5.xlarge"};
static const money_t prices[TYPES] = {21957642000, 3060000000, 12240000000, 1006000000};

static void set_commitments(struct commitment *c, money_t rates[TYPES][COMMITMENTS])
{
    for (size_t i = 0; i < COMMITMENTS; i++) {
        c[i] = (struct commitment){.name = "bench",
                                   .kind = (enum commitment_kind)(i % 4),
                                   .payment = (enum payment_option)(i % 3),
                                   .term_years = i % 2 ? 1 : 3,
                                   .type = types[i % TYPES],
                                   .family = i % 8 < 4 ? "p4d" : "p3",
                                   .region = "us-east-1",
                                   .zone = "us-east-1a",
                                   .start_us = (int64_t)i * 97 * 24 * HOUR_US};
        if (commitment_is_savings_plan(&c[i])) {
            commitment_set_savings_plan(&c[i], (money_t)(i + 1) * 31 * MONEY_UNIT + 7);
        } else {
            commitment_set_reserved(&c[i], 12, (money_t)(i % 3) * 12345678901, 1234567890);
        }
        for (size_t t = 0; t < TYPES; t++) {
            rates[t][i] = prices[t] / 100 * (money_t)(55 + 3 * i + t);
        }
    }
}

/* Up and down around 200 nodes. */
static void draw_changes(struct coverage_change *changes, int64_t to_us)
{
    uint64_t random = 3;
    int32_t running[TYPES] = {0};
    for (size_t i = 0; i < CHANGES; i++) {
        uint32_t t = (uint32_t)(i % TYPES);
        int32_t count = (int32_t)draw_below(&random, 2 * NODES / TYPES + 1);
        changes[i] = (struct coverage_change){(int64_t)i * (to_us / CHANGES) +
                                                  draw_below(&random, to_us / CHANGES),
                                              t, count - running[t]};
        running[t] = count;
    }
    coverage_changes_sort(changes, CHANGES);
}

int main(void)
{
    static struct coverage_change changes[CHANGES];
    static struct commitment commitments[COMMITMENTS];
    static money_t rates[TYPES][COMMITMENTS];
    struct coverage_group groups[TYPES];
    const struct coverage_span span = {.to_us = 3 * 8760 * HOUR_US};
    set_commitments(commitments, rates);
    draw_changes(changes, span.to_us);
    for (size_t t = 0; t < TYPES; t++) {
        groups[t] = (struct coverage_group){.type = types[t],
                                            .region = "us-east-1",
                                            .zone = "us-east-1a",
                                            .on_demand_per_hour = prices[t],
                                            .plan_rates = rates[t]};
    }
    struct diagnostics *d = diagnostics_new();
    struct coverage *c =
        coverage_new(groups, TYPES, commitments, COMMITMENTS, (struct place){0}, d);
    if (!c) {
        diagnostics_write(d, stderr);
        return EXIT_FAILURE;
    }
    struct coverage_run *r = coverage_run_new(c);
    struct coverage_sums sums;
    if (!r || !coverage_sums_init(&sums, c)) {
        return EXIT_FAILURE;
    }
    int rounds = 0;
    double begin_s = bench_cpu_s(), spent_s;
    do {
        coverage_sums_clear(&sums);
        if (coverage_run(r, changes, CHANGES, &span, coverage_sums_add, &sums) !=
            COVERAGE_RUN_DONE) {
            return EXIT_FAILURE;
        }
        rounds++;
        spent_s = bench_cpu_s() - begin_s;
    } while (spent_s < 0.3);
    bench_row("commitments: 3 years, 200 nodes, 1,000 changes, 10 terms", 1e3 * spent_s / rounds,
              "ms", 2.0, BENCH_AT_MOST);
    char total[32];
    printf("  (total %s)\n", money_text(sums.total, total));
    coverage_sums_release(&sums);
    coverage_run_free(r);
    coverage_free(c);
    diagnostics_free(d);
    return EXIT_SUCCESS;
}
