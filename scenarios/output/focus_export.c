/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/focus_export.h"

#include "models/billing/other_charges.h"
#include "scenarios/output/focus_services.h"
#include "scenarios/output/focus_tenants.h"

#include <stdlib.h>
#include <string.h>

struct focus_world focus_export_world(struct focus_export *e)
{
    return (struct focus_world){
        .frame = &e->study->frame,
        .market = simulation_market(e->simulation),
        .log = simulation_usage(e->simulation),
        .plan = &e->study->strategies[e->strategy].commitments,
        .charges = &e->study->charges,
        .notes = &e->notes,
        .discount = e->study->charges.discount_item == SIZE_MAX ? NULL : &e->discount,
        .windows = e->study->strategies[e->strategy].windows,
        .window_count = e->study->strategies[e->strategy].window_count,
        .matched = e->matched,
        .signed_until_us = simulation_signed_until_us(e->simulation),
        .alone = &e->study->alone,
        .matched_alone = e->matched_alone};
}

/* ---- adding up ---- */

struct sums {
    money_t billed, effective;
    size_t rows;
    money_t *lines;
    size_t discount_item;
};

static bool add_row(void *context, const struct focus_row *row)
{
    struct sums *s = context;
    s->rows++;
    if (row->item != SIZE_MAX && !money_add(&s->lines[row->item], row->list)) {
        return false;
    }
    if (row->off != 0 && !money_add(&s->lines[s->discount_item], -row->off)) {
        return false;
    }
    return !row->inside || (money_add(&s->billed, row->plan_billed) &&
                            money_add(&s->effective, row->plan_effective));
}

static bool refuse(struct diagnostics *d, enum diagnostic_kind kind, const char *why)
{
    diagnostics_add(d, kind, (struct place){0}, "%s", why);
    return false;
}

/* Support and tax are shares of what is paid: the sums of the whole judge them. */
bool focus_export_has_lines(const struct focus_export *e, struct diagnostics *d)
{
    const struct charge_plan *charges = &e->study->charges;
    for (size_t i = 0; i < charges->count; i++) {
        money_t line = 0;
        bool fits = true;
        for (size_t row = 0; row <= e->study->workload_count; row++) {
            fits = fits && money_add(&line, e->others[row * charges->count + i]);
        }
        const bool told = focus_service_of(charges->items[i].kind) != NULL;
        if (fits && (line == 0 ||
                     (told && (charge_is_share(charges->items[i].kind) || line == e->lines[i])))) {
            continue;
        }
        char amount[32], rows[32];
        diagnostics_add(d, DIAGNOSTIC_INFEASIBLE, (struct place){0},
                        "the line '%s' of the bill (%s) has no rows in a FOCUS file (they come to "
                        "%s); nothing is exported",
                        charges->items[i].name, money_text(line, amount),
                        money_text(e->lines[i], rows));
        return false;
    }
    return true;
}

static bool add_up(struct focus_export *e, struct diagnostics *d)
{
    const struct focus_world world = focus_export_world(e);
    struct sums sums = {.lines = e->lines, .discount_item = e->study->charges.discount_item};
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
    if (!focus_export_has_lines(e, d)) {
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

const struct pool_info *focus_export_window_pool(const struct focus_export *e, size_t window)
{
    const struct study_strategy *made = &e->study->strategies[e->strategy];
    const struct market_window *windows;
    size_t i = 0;
    for (size_t first = 0; i + 1 < made->window_count; i++) {
        first += market_plan_windows(e->study->market, made->windows[i], &windows);
        if (window <= first) {
            break;
        }
    }
    return market_pool_info(e->study->market, made->windows[i]);
}

/* ---- life ---- */

static bool simulate(struct focus_export *e, struct diagnostics *d)
{
    const size_t count = e->study->workload_count;
    struct metric_cells *cells = calloc(count + 1, sizeof *cells);
    if (cells == NULL) {
        return refuse(d, DIAGNOSTIC_FAILURE, "out of memory");
    }
    const struct charge_sink sink = {.take = charge_notes_take, .context = &e->notes};
    const struct simulation_outputs out = {.cells = cells, .others = e->others, .charges = &sink};
    bool ok = simulation_begin_world(e->simulation, e->world) &&
              simulation_run_strategy(e->simulation, e->strategy, &out);
    if (!ok) {
        refuse(d, DIAGNOSTIC_INFEASIBLE, simulation_error(e->simulation));
    } else if (e->notes.failed) {
        ok =
            refuse(d, DIAGNOSTIC_INFEASIBLE,
                   "the world has more charges than fit into memory, or into one file; shorten the "
                   "horizon");
    }
    e->discount = (struct covered_discount){.of_pool = simulation_discounts(e->simulation),
                                            .whole = SHARE_WHOLE,
                                            .item = e->study->charges.discount_item};
    e->all = cells[count];
    e->shares = ok ? focus_tenants_make(e->study, e->strategy, cells) : NULL;
    free(cells);
    return ok && (e->shares != NULL || refuse(d, DIAGNOSTIC_FAILURE, "out of memory"));
}

static struct matched_hours *matched_with(struct focus_export *e,
                                          const struct commitment_plan *plan, bool *ok)
{
    struct matched_hours *h = matched_hours_new(plan);
    struct account_world *account = simulation_account(e->simulation);
    *ok = *ok && h != NULL &&
          matched_begin(h, simulation_market(e->simulation), simulation_drawn(e->simulation),
                        simulation_signed_until_us(e->simulation));
    if (*ok && account != NULL) {
        size_t count;
        const struct others_change *changes = account_world_changes(account, &count);
        matched_set_others(h, changes, count, account_world_until(account));
    }
    return h;
}

/* Hours in which usage meets commitments, with the plan and without it. */
static bool match(struct focus_export *e, const struct commitment_plan *plan)
{
    const bool account = simulation_account(e->simulation) != NULL;
    bool ok = true;
    if (plan->count > 0 || (account && plan->coverage != NULL)) {
        e->matched = matched_with(e, plan, &ok);
    }
    if (account && plan->sunk > 0) {
        e->matched_alone = matched_with(e, &e->study->alone, &ok);
    }
    return ok;
}

bool focus_export_open(struct focus_export *e, const struct study *study, size_t strategy,
                       uint32_t world, struct diagnostics *d)
{
    const struct commitment_plan *plan = &study->strategies[strategy].commitments;
    *e = (struct focus_export){.study = study, .strategy = strategy, .world = world};
    if (study->strategies[strategy].owned_count > 0) {
        return refuse(d, DIAGNOSTIC_INFEASIBLE,
                      "this strategy runs on hardware of its own, which no provider's file holds; "
                      "export another strategy");
    }
    e->simulation = simulation_new(study);
    e->rest = calloc(plan->count + plan->sunk + 1, sizeof *e->rest);
    e->others = calloc((study->workload_count + 1) * study->frame.others + 1, sizeof *e->others);
    e->lines = calloc(study->frame.others + 1, sizeof *e->lines);
    if (e->simulation == NULL || e->rest == NULL || e->others == NULL || e->lines == NULL) {
        return refuse(d, DIAGNOSTIC_FAILURE, "out of memory");
    }
    if (!simulate(e, d)) {
        return false;
    }
    if (!match(e, plan)) {
        return refuse(d, DIAGNOSTIC_FAILURE, "out of memory");
    }
    return add_up(e, d);
}

void focus_export_close(struct focus_export *e)
{
    simulation_free(e->simulation);
    matched_hours_free(e->matched);
    matched_hours_free(e->matched_alone);
    charge_notes_release(&e->notes);
    free(e->rest);
    free(e->others);
    free(e->lines);
    free(e->shares);
}
