/* SPDX-License-Identifier: GPL-3.0-or-later
 * One world of a scenario text, and the lines of its bill: for tests that compare a line with a sum
 * made by hand. */
#ifndef FLEETCAST_TESTS_BILL_LINES_H
#define FLEETCAST_TESTS_BILL_LINES_H

#include "scenarios/study/simulation.h"
#include "tests/support/studies.h"

struct bill_lines {
    struct study *study;
    struct simulation *simulation;
    struct metric_cells *cells; /* workloads, all */
    money_t *months;            /* of all */
    money_t *others;            /* workloads and what they share × lines */
};

/* The first strategy in world 0; fails the test when it cannot be simulated. */
void bill_lines_see(struct bill_lines *b, const char *text);
/* Another strategy or world of it. */
void bill_lines_again(struct bill_lines *b, size_t strategy, uint32_t replication);
void bill_lines_release(struct bill_lines *b);

/* A line, in nano-units: of one row (a workload, or their number for what they share), and over all
 * of them. Fails the test when there is none of this name. */
money_t bill_lines_of(const struct bill_lines *b, size_t row, const char *name);
double bill_lines_sum(const struct bill_lines *b, const char *name);
/* A metric of all workloads together. */
double bill_lines_metric(const struct bill_lines *b, enum metric m);

/* A scenario of one job, a line for each test to lay its own between: */
#define BILL_HEAD "version: 1\nstart: 2025-12-01\nregion: us-east-1\nreplications: 1\n"
#define BILL_JOB  "workloads: {job: {kind: training, hours: 100h, boot: 0s"
#define BILL_BUY  "}}\nstrategies: {od: {instance: p4d.24xlarge, nodes: 2, buy: on-demand}}\n"
#define BILL_P4D  21.957642 /* an hour of one, since 2025-06-05 */

/* A case: a scenario, a line, the sum in currency units; tested to 2e-6. */
struct bill_case {
    const char *name, *text, *line;
    double want;
};
void bill_case_holds(void **state); /* *state: struct bill_case */

/* What is refused: parts of a scenario, the words of its error, the exit code. */
struct bill_refusal {
    const char *charges, *job, *says;
    int code;
};
void bill_refusal_holds(void **state); /* *state: struct bill_refusal */

#endif
