/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/bill_lines.h"

#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bill_lines_again(struct bill_lines *b, size_t strategy, uint32_t replication)
{
    const struct simulation_outputs out = {
        .cells = b->cells, .months = b->months, .others = b->others};
    assert_true(simulation_begin_world(b->simulation, replication));
    if (!simulation_run_strategy(b->simulation, strategy, &out)) {
        fail_msg("%s", simulation_error(b->simulation));
    }
}

void bill_lines_see(struct bill_lines *b, const char *text)
{
    *b = (struct bill_lines){.study = study_from_text(text, NULL)};
    b->simulation = simulation_new(b->study);
    b->cells = calloc(b->study->workload_count + 1, sizeof *b->cells);
    b->months = calloc(b->study->frame.months, sizeof *b->months);
    b->others = calloc((b->study->workload_count + 1) * b->study->frame.others, sizeof *b->others);
    bill_lines_again(b, 0, 0);
}

void bill_lines_release(struct bill_lines *b)
{
    simulation_free(b->simulation);
    free(b->cells);
    free(b->months);
    free(b->others);
    study_free(b->study);
}

money_t bill_lines_of(const struct bill_lines *b, size_t row, const char *name)
{
    const struct charge_plan *plan = &b->study->charges;
    for (size_t i = 0; i < plan->count; i++) {
        if (strcmp(plan->items[i].name, name) == 0) {
            return b->others[row * plan->count + i];
        }
    }
    fail_msg("no line '%s'", name);
    return 0;
}

double bill_lines_sum(const struct bill_lines *b, const char *name)
{
    money_t sum = 0;
    for (size_t row = 0; row <= b->study->workload_count; row++) {
        sum += bill_lines_of(b, row, name);
    }
    return money_to_double(sum);
}

double bill_lines_metric(const struct bill_lines *b, enum metric m)
{
    return metric_number(&b->cells[b->study->workload_count], m);
}

void bill_case_holds(void **state)
{
    const struct bill_case *c = *state;
    struct bill_lines b;
    bill_lines_see(&b, c->text);
    assert_near(bill_lines_sum(&b, c->line), c->want, 2e-6, c->name);
    double nodes =
        bill_lines_metric(&b, METRIC_ON_DEMAND_COST) + bill_lines_metric(&b, METRIC_SPOT_COST);
    assert_near(bill_lines_metric(&b, METRIC_COST),
                nodes + bill_lines_metric(&b, METRIC_OTHER_COST) -
                    bill_lines_metric(&b, METRIC_DISCOUNT),
                1e-5, "cost");
    bill_lines_release(&b);
}

void bill_refusal_holds(void **state)
{
    const struct bill_refusal *r = *state;
    char text[4096];
    int code = 0;
    snprintf(text, sizeof text, "%shorizon: 30d\ncharges: %s\n%s%s%s", BILL_HEAD, r->charges,
             BILL_JOB, r->job, BILL_BUY);
    char *what = study_errors(text, &code);
    if (code != r->code || strstr(what, r->says) == NULL) {
        fail_msg("%s%s: exit %d, %s", r->charges, r->job, code, what);
    }
    free(what);
}
