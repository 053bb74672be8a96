/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/focus_export.h"

#include <stdlib.h>
#include <string.h>

struct focus_world focus_export_world(struct focus_export *e)
{
    return (struct focus_world){.frame = &e->study->frame,
                                .market = simulation_market(e->simulation),
                                .log = simulation_usage(e->simulation),
                                .plan = &e->study->strategies[e->strategy].commitments,
                                .matched = e->matched};
}

/* ---- adding up ---- */

struct sums {
    money_t billed, effective;
    size_t rows;
};

static bool add_row(void *context, const struct focus_row *row)
{
    struct sums *s = context;
    s->rows++;
    return !row->inside ||
           (money_add(&s->billed, row->billed) && money_add(&s->effective, row->effective));
}

static bool refuse(struct diagnostics *d, enum diagnostic_kind kind, const char *why)
{
    diagnostics_add(d, kind, (struct place){0}, "%s", why);
    return false;
}

static bool add_up(struct focus_export *e, struct diagnostics *d)
{
    const struct focus_world world = focus_export_world(e);
    struct sums sums = {0};
    switch (focus_rows(&world, add_row, &sums, e->rest)) {
    case FOCUS_DONE:
        break;
    case FOCUS_NO_MEMORY:
        return refuse(d, DIAGNOSTIC_FAILURE, "out of memory for the rows of the export");
    case FOCUS_TOO_MANY:
        return refuse(d, DIAGNOSTIC_INFEASIBLE,
                      "the world has more than 10 million charges, too many for one file; shorten "
                      "the horizon");
    case FOCUS_OVERFLOW:
    case FOCUS_STOPPED:
        return refuse(d, DIAGNOSTIC_INFEASIBLE,
                      "the charges pass 9.2 billion, more than can be counted exactly");
    case FOCUS_WRONG:
        return refuse(d, DIAGNOSTIC_FAILURE,
                      "the charges of this world cannot be told apart; nothing is exported");
    }
    e->rows = sums.rows;
    money_t cash = e->all.value[METRIC_CASH].money,
            amortised = e->all.value[METRIC_AMORTISED].money;
    money_t other = e->all.value[METRIC_OTHER_COST].money;
    if (other != 0) {
        char amount[32];
        diagnostics_add(d, DIAGNOSTIC_INFEASIBLE, (struct place){0},
                        "this world has charges beside nodes and commitments (storage, transfer, "
                        "fees, discounts, tax: %s), which the FOCUS file cannot hold yet; export a "
                        "scenario without them",
                        money_text(other, amount));
        return false;
    }
    if (sums.billed != cash || sums.effective != amortised) {
        char a[32], b[32], c[32], f[32];
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){0},
                        "the rows do not add up to the bill: billed %s of %s, effective %s of %s; "
                        "nothing is exported",
                        money_text(sums.billed, a), money_text(cash, b),
                        money_text(sums.effective, c), money_text(amortised, f));
        return false;
    }
    return true;
}

/* ---- life ---- */

static bool simulate(struct focus_export *e, struct diagnostics *d)
{
    const size_t count = e->study->workload_count;
    struct metric_cells *cells = calloc(count + 1, sizeof *cells);
    if (cells == NULL) {
        return refuse(d, DIAGNOSTIC_FAILURE, "out of memory");
    }
    const struct simulation_outputs out = {.cells = cells};
    bool ok = simulation_begin_world(e->simulation, e->world) &&
              simulation_run_strategy(e->simulation, e->strategy, &out);
    if (!ok) {
        refuse(d, DIAGNOSTIC_INFEASIBLE, simulation_error(e->simulation));
    }
    e->all = cells[count];
    free(cells);
    return ok;
}

bool focus_export_open(struct focus_export *e, const struct study *study, size_t strategy,
                       uint32_t world, struct diagnostics *d)
{
    const struct commitment_plan *plan = &study->strategies[strategy].commitments;
    *e = (struct focus_export){.study = study, .strategy = strategy, .world = world};
    e->simulation = simulation_new(study);
    e->rest = calloc(plan->count + 1, sizeof *e->rest);
    e->matched = plan->count > 0 ? matched_hours_new(plan) : NULL;
    if (e->simulation == NULL || e->rest == NULL || (plan->count > 0 && e->matched == NULL)) {
        return refuse(d, DIAGNOSTIC_FAILURE, "out of memory");
    }
    if (!simulate(e, d)) {
        return false;
    }
    if (e->matched != NULL && !matched_begin(e->matched, simulation_drawn(e->simulation))) {
        return refuse(d, DIAGNOSTIC_FAILURE, "out of memory");
    }
    return add_up(e, d);
}

void focus_export_close(struct focus_export *e)
{
    simulation_free(e->simulation);
    matched_hours_free(e->matched);
    free(e->rest);
}
