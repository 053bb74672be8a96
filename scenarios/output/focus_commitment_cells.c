/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/focus_commitment_cells.h"

static const char *type_of(const struct commitment *c)
{
    return commitment_is_reserved(c)                ? "Reserved Instance"
           : c->kind == COMMITMENT_INSTANCE_SAVINGS ? "EC2 Instance Savings Plan"
                                                    : "Compute Savings Plan";
}

/* A savings plan is counted in money at its rates, which is what it amortises. */
static void put_commitment_quantity(struct focus_writing *w, const struct focus_row *row,
                                    const struct commitment *c)
{
    if (commitment_is_reserved(c)) {
        cell_number(&w->row, FOCUS_COMMITMENT_QUANTITY, CELL_HOURS, row->units_us);
        cell_text(&w->row, FOCUS_COMMITMENT_UNIT, "Hours");
        return;
    }
    money_t amount = row->kind == FOCUS_UPFRONT ? commitment_total(c)
                     : row->kind == FOCUS_RECURRING
                         ? commitment_amortised(c, row->from_us, row->to_us)
                         : row->effective;
    cell_money(&w->row, FOCUS_COMMITMENT_QUANTITY, amount);
    cell_text(&w->row, FOCUS_COMMITMENT_UNIT, w->e->study->scenario->currency);
}

void writing_commitment(struct focus_writing *w, const struct focus_row *row)
{
    const size_t k = row->commitment;
    const size_t own = w->e->study->strategies[w->e->strategy].commitments.count;
    const struct commitment *c = &matched_items(w->e->matched)[k];
    cell_text(&w->row, FOCUS_COMMITMENT_CATEGORY, commitment_is_reserved(c) ? "Usage" : "Spend");
    cell_text(&w->row, FOCUS_COMMITMENT_ID,
              k < own ? cell_format(&w->row, TEXT_COMMITMENT, "commitment-%zu", k + 1)
                      : cell_format(&w->row, TEXT_COMMITMENT, "existing-%zu", k - own + 1));
    cell_text(&w->row, FOCUS_COMMITMENT_NAME, c->name);
    cell_text(&w->row, FOCUS_COMMITMENT_TYPE, type_of(c));
    put_commitment_quantity(w, row, c);
    if (row->kind == FOCUS_COVERED || row->kind == FOCUS_UNUSED) {
        cell_text(&w->row, FOCUS_COMMITMENT_STATUS, row->kind == FOCUS_COVERED ? "Used" : "Unused");
    }
    if (k < own && !w->told[k] && row->kind != FOCUS_COVERED) {
        w->told[k] = true;
        cell_money(&w->row, FOCUS_X_BILLED_LATER, w->e->rest[k].billed);
        cell_money(&w->row, FOCUS_X_EFFECTIVE_LATER, w->e->rest[k].effective);
    }
}

/* What is bought, at the price of all of it together. */
static void put_purchase(struct focus_writing *w, const struct focus_row *row,
                         const struct commitment *c)
{
    bool once = row->kind == FOCUS_UPFRONT;
    cell_text(&w->row, FOCUS_PRICING_CATEGORY, "Standard");
    cell_text(&w->row, FOCUS_PRICING_UNIT, once ? "Units" : "Hours");
    if (once) {
        cell_number(&w->row, FOCUS_PRICING_QUANTITY, CELL_INTEGER, 1);
    } else {
        cell_number(&w->row, FOCUS_PRICING_QUANTITY, CELL_HOURS, row->used_us);
    }
    writing_price(w, once ? c->upfront : row->per_hour, 0);
}

static void put_unused(struct focus_writing *w, const struct focus_row *row,
                       const struct commitment *c)
{
    bool reserved = commitment_is_reserved(c);
    cell_text(&w->row, FOCUS_PRICING_CATEGORY, "Committed");
    cell_number(&w->row, FOCUS_PRICING_QUANTITY, reserved ? CELL_HOURS : CELL_MONEY,
                reserved ? row->units_us : row->effective);
    cell_text(&w->row, FOCUS_PRICING_UNIT, reserved ? "Hours" : w->e->study->scenario->currency);
}

void writing_commitment_charge(struct focus_writing *w, const struct focus_row *row)
{
    const struct study *s = w->e->study;
    const struct commitment *c = &matched_items(w->e->matched)[row->commitment];
    const char *words = row->kind == FOCUS_UPFRONT     ? "upfront"
                        : row->kind == FOCUS_RECURRING ? "recurring"
                                                       : "unused";
    if (c->kind != COMMITMENT_COMPUTE_SAVINGS) {
        writing_region(w);
    }
    if (c->type != NULL) {
        writing_type(w, catalogue_type(s->catalogue, c->type), c->name);
    } else {
        cell_text(&w->row, FOCUS_SKU_ID, cell_format(&w->row, TEXT_SKU, SKU "%s", type_of(c)));
    }
    cell_text(&w->row, FOCUS_SKU_PRICE_ID,
              cell_format(&w->row, TEXT_PRICE, "%s/%s", w->row.cells[FOCUS_SKU_ID].text, c->name));
    cell_text(&w->row, FOCUS_SKU_METER, "Commitment");
    cell_text(&w->row, FOCUS_AVAILABILITY_ZONE, c->zone);
    cell_text(&w->row, FOCUS_RESOURCE_ID, w->row.cells[FOCUS_COMMITMENT_ID].text);
    cell_text(&w->row, FOCUS_RESOURCE_NAME, c->name);
    cell_text(&w->row, FOCUS_RESOURCE_TYPE, type_of(c));
    cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
              cell_format(&w->row, TEXT_WORDS, "%s, %s (simulated)", c->name, words));
    if (row->kind == FOCUS_UNUSED) {
        put_unused(w, row, c);
    } else {
        put_purchase(w, row, c);
    }
}

/* ---- windows ---- */

void writing_window_id(struct focus_writing *w, const struct focus_row *row)
{
    cell_text(&w->row, FOCUS_CAPACITY_RESERVATION_ID,
              cell_format(&w->row, TEXT_COMMITMENT, "block-%zu", row->window));
    if (row->kind != FOCUS_BLOCK) {
        cell_text(&w->row, FOCUS_CAPACITY_RESERVATION_STATUS,
                  row->kind == FOCUS_BLOCK_UNUSED ? "Unused" : "Used");
    }
}

void writing_window(struct focus_writing *w, const struct focus_row *row)
{
    const bool bought = row->kind == FOCUS_BLOCK;
    const struct study *s = w->e->study;
    const struct pool_info *pool = focus_export_window_pool(w->e, row->window);
    writing_region(w);
    writing_type(w, pool->type, purchase_names[pool->purchase]);
    writing_price(w, bought ? row->billed : row->effective, 0);
    cell_text(&w->row, FOCUS_AVAILABILITY_ZONE, pool->zone);
    cell_number(&w->row, FOCUS_PRICING_QUANTITY, CELL_INTEGER, 1);
    cell_text(&w->row, FOCUS_PRICING_UNIT, "Units");
    if (!bought) { /* of all usage but unused commitments; specification, ConsumedQuantity */
        cell_number(&w->row, FOCUS_CONSUMED_QUANTITY, CELL_INTEGER, 1);
        cell_text(&w->row, FOCUS_CONSUMED_UNIT, "Units");
    }
    cell_text(&w->row, FOCUS_PRICING_CATEGORY, bought ? "Standard" : "Other");
    cell_text(&w->row, FOCUS_SKU_METER, "Capacity Block");
    cell_text(&w->row, FOCUS_RESOURCE_ID, w->row.cells[FOCUS_CAPACITY_RESERVATION_ID].text);
    cell_text(&w->row, FOCUS_RESOURCE_NAME, pool->name);
    cell_text(&w->row, FOCUS_RESOURCE_TYPE, "Capacity Block");
    cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
              cell_format(&w->row, TEXT_WORDS, "%s capacity block in %s, %s (simulated)",
                          pool->type->name, s->region->code, bought ? "upfront" : "unused"));
}
