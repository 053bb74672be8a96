/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/focus_usage_cells.h"

#include <inttypes.h>

/* Counts the launches up to this node; some leave no row. */
static void find_launch(struct focus_writing *w, const struct usage *u, uint32_t twin)
{
    const struct usage_log *log = simulation_usage(w->e->simulation);
    const size_t record = (size_t)(u - log->records);
    while (w->next_record < record || (w->next_record == record && w->next_twin <= twin)) {
        const struct usage *next = &log->records[w->next_record];
        w->launch = launch_counts_next(&w->launches, next, w->next_twin);
        if (w->next_twin++ == next->twins) {
            w->next_twin = 0;
            w->next_record++;
        }
    }
}

/* Time of instances at a price; from a window nothing is charged by time. */
static void put_instance_time(struct focus_writing *w, const struct focus_row *row,
                              const struct pool_info *pool, int64_t off)
{
    const bool spot = pool->purchase == PURCHASE_SPOT;
    writing_region(w);
    writing_type(w, pool->type, purchase_names[pool->purchase]);
    writing_price(w, row->per_hour, row->kind == FOCUS_COVERED ? 0 : off);
    cell_text(&w->row, FOCUS_AVAILABILITY_ZONE, pool->zone);
    cell_number(&w->row, FOCUS_CONSUMED_QUANTITY, CELL_HOURS, row->used_us);
    cell_text(&w->row, FOCUS_CONSUMED_UNIT, "Hours");
    cell_number(&w->row, FOCUS_PRICING_QUANTITY, CELL_HOURS, row->priced_us);
    cell_text(&w->row, FOCUS_PRICING_UNIT, "Hours");
    cell_text(&w->row, FOCUS_PRICING_CATEGORY,
              row->kind == FOCUS_COVERED ? "Committed"
              : row->window > 0          ? "Other"
              : spot                     ? "Dynamic"
                                         : "Standard");
}

static int64_t discount_of(const struct focus_writing *w, int pool)
{
    return w->e->study->charges.discount_item == SIZE_MAX ? 0 : w->e->discount.of_pool[pool];
}

void writing_node(struct focus_writing *w, const struct focus_row *row)
{
    const struct study *s = w->e->study;
    const struct usage *u = row->usage;
    const struct pool_info *pool = market_pool_info(s->market, u->pool);
    const char *workload = study_workload_name(s, u->workload);
    size_t slot = (size_t)u->slot + row->twin;
    find_launch(w, u, row->twin);
    put_instance_time(w, row, pool, discount_of(w, u->pool));
    cell_text(&w->row, FOCUS_RESOURCE_ID,
              cell_format(&w->row, TEXT_RESOURCE, "%s/%s/%zu/%" PRIu32, workload, pool->name, slot,
                          w->launch));
    cell_text(&w->row, FOCUS_RESOURCE_NAME,
              cell_format(&w->row, TEXT_NAME, "%s/%zu", workload, slot));
    cell_text(&w->row, FOCUS_RESOURCE_TYPE, "Instance");
    cell_text(&w->row, FOCUS_SKU_METER,
              pool->purchase == PURCHASE_SPOT ? "Spot Instance Hours" : "Instance Hours");
    cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
              cell_format(&w->row, TEXT_WORDS, "%s %s in %s%s%s (simulated)", pool->type->name,
                          purchase_names[pool->purchase], pool->zone,
                          row->reservation > 0 ? ", in reserved capacity" : "",
                          row->kind == FOCUS_FREE      ? ", interrupted in its first hour: free"
                          : row->kind == FOCUS_COVERED ? ", covered by a commitment"
                                                       : ""));
    writing_payer(w, u->workload, NULL);
    cell_text(&w->row, FOCUS_X_END_REASON, end_reason_names[u->reason]);
}

void writing_reservation_id(struct focus_writing *w, const struct focus_row *row)
{
    cell_text(&w->row, FOCUS_CAPACITY_RESERVATION_ID,
              cell_format(&w->row, TEXT_RESERVATION, "reservation-%zu", row->reservation));
    cell_text(&w->row, FOCUS_CAPACITY_RESERVATION_STATUS, row->usage != NULL ? "Used" : "Unused");
}

void writing_idle(struct focus_writing *w, const struct focus_row *row)
{
    const struct study *s = w->e->study;
    const struct held_capacity *held =
        &s->strategies[w->e->strategy].commitments.reservations.items[row->reservation - 1];
    const struct pool_info *pool = market_pool_info(s->market, held->pool);
    put_instance_time(w, row, pool, discount_of(w, held->pool));
    cell_text(&w->row, FOCUS_RESOURCE_ID, w->row.cells[FOCUS_CAPACITY_RESERVATION_ID].text);
    cell_text(&w->row, FOCUS_RESOURCE_NAME, held->name);
    cell_text(&w->row, FOCUS_RESOURCE_TYPE, "Capacity Reservation");
    cell_text(&w->row, FOCUS_SKU_METER, "Unused Reservation Hours");
    cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
              cell_format(&w->row, TEXT_WORDS, "%s reserved in %s, idle%s (simulated)",
                          pool->type->name, pool->zone,
                          row->kind == FOCUS_COVERED ? ", covered by a commitment" : ""));
}

void writing_others(struct focus_writing *w, const struct focus_row *row)
{
    const int index = row->others->pool;
    const struct pool_info *pool = market_pool_info(w->e->study->market, index);
    put_instance_time(w, row, pool, discount_of(w, index));
    cell_text(&w->row, FOCUS_RESOURCE_ID,
              cell_format(&w->row, TEXT_RESOURCE, "others/account-%" PRId32 "/%s",
                          row->others->account, pool->name));
    cell_text(&w->row, FOCUS_RESOURCE_NAME, "nodes of others");
    cell_text(&w->row, FOCUS_RESOURCE_TYPE, "Instance");
    cell_text(&w->row, FOCUS_SKU_METER, "Instance Hours");
    cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
              cell_format(&w->row, TEXT_WORDS, "%s of others in %s%s (simulated)", pool->type->name,
                          pool->zone,
                          row->kind == FOCUS_COVERED ? ", covered by a commitment" : ""));
}
