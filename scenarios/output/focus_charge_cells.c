/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/focus_charge_cells.h"

#include <string.h>

/* A quantity at a price; contracted: what of the price is left after discounts, as row->list to
 * row->contracted. */
static void put_quantity(struct focus_writing *w, const struct focus_row *row, bool usage)
{
    const struct charge_measure *m = row->measure;
    const bool by_list = m == NULL || !(row->quantity > 0);
    const double quantity = by_list ? 1 : row->quantity;
    const double list = money_to_double(row->list);
    const double price = by_list ? list : m->price;
    const double left =
        row->list == 0 ? 1 : money_to_double(row->contracted) / money_to_double(row->list);
    const struct focus_meter *meter = focus_meter_of(by_list ? METER_UNITS : m->meter);
    cell_decimal(&w->row, FOCUS_PRICING_QUANTITY, quantity);
    cell_text(&w->row, FOCUS_PRICING_UNIT, meter->unit);
    cell_text(&w->row, FOCUS_PRICING_CATEGORY, "Standard");
    cell_text(&w->row, FOCUS_SKU_METER, meter->name);
    cell_decimal(&w->row, FOCUS_LIST_UNIT_PRICE, price);
    cell_decimal(&w->row, FOCUS_CONTRACTED_UNIT_PRICE, price * left);
    if (usage) {
        cell_decimal(&w->row, FOCUS_CONSUMED_QUANTITY, quantity);
        cell_text(&w->row, FOCUS_CONSUMED_UNIT, meter->unit);
    }
}

static void put_product(struct focus_writing *w, const struct focus_row *row,
                        const struct focus_service *service, const struct charge_item *item)
{
    const struct study *s = w->e->study;
    const char *product = row->measure != NULL ? row->measure->product : NULL;
    if (item->kind == CHARGE_INSTANCE) {
        writing_type(w, catalogue_type(s->catalogue, product), purchase_names[PURCHASE_ON_DEMAND]);
        return;
    }
    const char *sku = cell_format(
        &w->row, TEXT_SKU, SKU "%s%s%s%s%s", service->sku != NULL ? service->sku : item->name,
        product != NULL ? "/" : "", product != NULL ? product : "", service->regional ? "/" : "",
        service->regional ? s->region->code : "");
    cell_text(&w->row, FOCUS_SKU_ID, sku);
    cell_text(&w->row, FOCUS_SKU_PRICE_ID,
              cell_format(&w->row, TEXT_PRICE, "%s/%s", sku, w->row.cells[FOCUS_SKU_METER].text));
}

void writing_charge(struct focus_writing *w, const struct focus_row *row)
{
    const struct study *s = w->e->study;
    const struct charge_item *item = &s->charges.items[row->item];
    const struct focus_service *service =
        focus_service_sold(item->kind, row->measure != NULL ? row->measure->product : NULL);
    const char *whose =
        row->payer < s->workload_count ? study_workload_name(s, row->payer) : "shared";
    writing_service(w, service, item->name);
    writing_payer(w, row->payer, item);
    cell_text(&w->row, FOCUS_CHARGE_CATEGORY, service->charge);
    cell_text(&w->row, FOCUS_CHARGE_FREQUENCY, service->frequency);
    cell_text(&w->row, FOCUS_CHARGE_DESCRIPTION,
              cell_format(&w->row, TEXT_WORDS, "%s: %s, %s (simulated)", item->name, service->words,
                          whose));
    cell_text(&w->row, FOCUS_X_LINE, item->name);
    if (strcmp(service->charge, "Tax") == 0) {
        return;
    }
    cell_text(&w->row, FOCUS_RESOURCE_ID,
              cell_format(&w->row, TEXT_RESOURCE, "%s/%s", whose, item->name));
    cell_text(&w->row, FOCUS_RESOURCE_NAME, item->name);
    cell_text(&w->row, FOCUS_RESOURCE_TYPE, service->resource);
    if (strcmp(service->charge, "Credit") == 0) {
        return; /* nothing is sold: no SKU, and no unit price, which is never negative */
    }
    if (service->regional) {
        writing_region(w);
    }
    put_quantity(w, row, strcmp(service->charge, "Usage") == 0);
    put_product(w, row, service, item);
}
