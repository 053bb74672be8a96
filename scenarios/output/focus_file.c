/* SPDX-License-Identifier: GPL-3.0-or-later
 * A row is a set of cells, empty unless something says what is in them: what holds for the whole
 * file, then the kind of the charge, then the node or the commitment. */
#include "scenarios/output/focus_file.h"

#include "engine/civil_time.h"
#include "scenarios/output/focus_charge_cells.h"
#include "scenarios/output/focus_commitment_cells.h"
#include "scenarios/output/focus_usage_cells.h"
#include "scenarios/output/focus_writing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what holds for every row ---- */

static const char *issuer(const char *region)
{
    /* Who runs the regions in China: "Amazon Web Services in China", aws.amazon.com/china. */
    if (strncmp(region, "cn-northwest-", 13) == 0) {
        return "Ningxia Western Cloud Data Technology Co., Ltd.";
    }
    return strncmp(region, "cn-", 3) == 0 ? "Beijing Sinnet Technology Co., Ltd."
                                          : "Amazon Web Services, Inc.";
}

static void put_file(struct focus_writing *w)
{
    const struct scenario *sc = w->e->study->scenario;
    focus_cells_clear(&w->row);
    cell_text(&w->row, FOCUS_BILLING_ACCOUNT_ID, "simulated");
    cell_text(&w->row, FOCUS_BILLING_CURRENCY, sc->currency);
    cell_text(&w->row, FOCUS_INVOICE_ISSUER_NAME, issuer(sc->region));
    writing_service(w, focus_service_of(CHARGE_INSTANCE), NULL);
    cell_text(&w->row, FOCUS_X_SCENARIO, sc->name);
    cell_text(&w->row, FOCUS_X_STRATEGY, study_strategy_name(w->e->study, w->e->strategy));
    cell_number(&w->row, FOCUS_X_WORLD, CELL_INTEGER, w->e->world);
    cell_number(&w->row, FOCUS_X_SEED, CELL_INTEGER, sc->seed);
    cell_text(&w->row, FOCUS_X_SIMULATED, "true");
    cell_text(&w->row, FOCUS_X_PRICES_AS_OF, w->prices_as_of);
}

static int64_t second_below(int64_t us)
{
    return us / MICROSECONDS - (us % MICROSECONDS < 0);
}

static void put_period(struct focus_writing *w, const struct focus_row *row)
{
    int64_t start_s = w->e->study->scenario->start.unix_s;
    int64_t from_s = start_s + second_below(row->from_us);
    int64_t to_s = start_s + second_below(row->to_us);
    int64_t month_s = civil_month_start(from_s);
    cell_number(&w->row, FOCUS_CHARGE_PERIOD_START, CELL_TIME, from_s);
    cell_number(&w->row, FOCUS_CHARGE_PERIOD_END, CELL_TIME, to_s > from_s ? to_s : from_s + 1);
    cell_number(&w->row, FOCUS_BILLING_PERIOD_START, CELL_TIME, month_s);
    cell_number(&w->row, FOCUS_BILLING_PERIOD_END, CELL_TIME, civil_add_months(month_s, 1));
    cell_text(&w->row, FOCUS_X_IN_HORIZON, row->inside ? "true" : "false");
}

/* ---- kinds of charges ---- */

static void put_costs(struct focus_writing *w, const struct focus_row *row)
{
    static const struct {
        const char *category, *frequency;
    } kinds[FOCUS_KIND_COUNT] = {
        [FOCUS_USAGE] = {"Usage", "Usage-Based"},
        [FOCUS_FREE] = {"Usage", "Usage-Based"},
        [FOCUS_COVERED] = {"Usage", "Usage-Based"},
        [FOCUS_UNUSED] = {"Usage", "Usage-Based"},
        [FOCUS_UPFRONT] = {"Purchase", "One-Time"},
        [FOCUS_RECURRING] = {"Purchase", "Recurring"},
        [FOCUS_ROUNDING] = {"Adjustment", "One-Time"},
        [FOCUS_CHARGE] = {"Usage", "Usage-Based"}, /* or as its service says, as the next */
        [FOCUS_SHARE] = {"Usage", "Usage-Based"},
        [FOCUS_BLOCK] = {"Purchase", "One-Time"},
        [FOCUS_BLOCK_UNUSED] = {"Usage", "Usage-Based"},
        [FOCUS_IDLE] = {"Usage", "Usage-Based"},
    };
    cell_text(&w->row, FOCUS_CHARGE_CATEGORY, kinds[row->kind].category);
    cell_text(&w->row, FOCUS_CHARGE_FREQUENCY, kinds[row->kind].frequency);
    cell_money(&w->row, FOCUS_BILLED_COST, row->billed);
    cell_money(&w->row, FOCUS_EFFECTIVE_COST, row->effective);
    cell_money(&w->row, FOCUS_LIST_COST, row->list);
    cell_money(&w->row, FOCUS_CONTRACTED_COST, row->contracted);
}

/* ---- whose they are ---- */

/* The account that a row's commitment or usage belongs to; *owner: its name, should it have one. */
static int32_t account_of(const struct focus_writing *w, const struct focus_row *row,
                          const char **owner)
{
    const struct study *s = w->e->study;
    const size_t own = s->strategies[w->e->strategy].commitments.count;
    int32_t account = 0;
    if (row->party == FOCUS_OTHERS) {
        account = row->others->account;
        *owner = row->others->spec->owner;
    } else if (row->party == FOCUS_EXISTING) {
        account = s->account.commitments[row->commitment - own].owner;
        *owner = s->account.specs[row->commitment - own].owner;
    }
    *owner = account == 0 ? s->scenario->account.owner : *owner;
    return account;
}

static void put_party(struct focus_writing *w, const struct focus_row *row)
{
    static const char *const parties[] = {
        [FOCUS_PLAN] = "plan", [FOCUS_EXISTING] = "existing", [FOCUS_OTHERS] = "others"};
    const char *owner = NULL;
    cell_text(&w->row, FOCUS_X_PARTY, parties[row->party]);
    cell_money(&w->row, FOCUS_X_PLAN_BILLED, row->plan_billed);
    cell_money(&w->row, FOCUS_X_PLAN_EFFECTIVE, row->plan_effective);
    if (account_matters(&w->e->study->account)) {
        const int32_t account = account_of(w, row, &owner);
        cell_text(&w->row, FOCUS_SUB_ACCOUNT_ID,
                  cell_format(&w->row, TEXT_ACCOUNT, "account-%" PRId32, account));
        cell_text(&w->row, FOCUS_SUB_ACCOUNT_NAME, owner);
    }
}

/* ---- rows ---- */

static bool write_row(void *context, const struct focus_row *row)
{
    struct focus_writing *w = context;
    put_file(w);
    put_period(w, row);
    put_costs(w, row);
    put_party(w, row);
    if (row->commitment != SIZE_MAX) {
        writing_commitment(w, row);
    }
    if (row->window > 0 && row->kind != FOCUS_ROUNDING) {
        writing_window_id(w, row);
    }
    if (row->reservation > 0) {
        writing_reservation_id(w, row);
    }
    if (row->kind == FOCUS_BLOCK || row->kind == FOCUS_BLOCK_UNUSED) {
        writing_window(w, row);
    } else if (row->usage != NULL) {
        writing_node(w, row);
    } else if (row->reservation > 0) {
        writing_idle(w, row);
    } else if (row->others != NULL) {
        writing_others(w, row);
    } else if (row->item != SIZE_MAX) {
        writing_charge(w, row);
    } else if (row->commitment != SIZE_MAX) {
        writing_commitment_charge(w, row);
    } else {
        cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
                  "rounding between usage by node and usage that commitments cover (simulated)");
    }
    return focus_cells_write(&w->row, &w->csv);
}

bool focus_file_write(struct focus_export *e, FILE *out)
{
    struct focus_writing w = {.e = e};
    const struct focus_world world = focus_export_world(e);
    bool ok = csv_writer_init(&w.csv, out);
    if (!ok) {
        errno = ENOMEM;
        return false;
    }
    focus_cells_init(&w.row);
    civil_date_text(e->study->scenario->prices_as_of_unix_s, w.prices_as_of);
    w.told = calloc(world.plan->count + 1, sizeof *w.told);
    ok = launch_counts_init(&w.launches, e->study, e->strategy) && w.told != NULL;
    for (int i = 0; ok && i < FOCUS_COLUMN_COUNT; i++) {
        csv_put_text(&w.csv, focus_column_table[i].name);
    }
    csv_end_row(&w.csv);
    ok = ok && focus_rows(&world, write_row, &w, NULL) == FOCUS_DONE;
    bool written = csv_writer_finish(&w.csv);
    focus_cells_release(&w.row);
    launch_counts_release(&w.launches);
    free(w.told);
    if (written && !ok) {
        errno = ENOMEM; /* all else was found when the rows were added up */
    }
    return written && ok;
}
