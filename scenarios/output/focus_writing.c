/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/focus_writing.h"

#include "models/billing/other_charges.h"
#include "scenarios/output/focus_tenants.h"

void writing_service(struct focus_writing *w, const struct focus_service *service, const char *line)
{
    const char *seller = service->seller != NULL ? service->seller : "AWS";
    cell_text(&w->row, FOCUS_PROVIDER_NAME, seller);
    cell_text(&w->row, FOCUS_PUBLISHER_NAME, seller);
    cell_text(&w->row, FOCUS_SERVICE_CATEGORY, service->category);
    cell_text(&w->row, FOCUS_SERVICE_NAME, service->service != NULL ? service->service : line);
    cell_text(&w->row, FOCUS_SERVICE_SUBCATEGORY, service->subcategory);
}

static void add_tag(struct text *tags, const char *name, const char *value)
{
    text_add(tags, tags->length == 0 ? "{" : ",");
    cell_add_json(tags, name);
    text_add(tags, ":");
    cell_add_json(tags, value);
}

/* Whose it is. workload, labels: NULL: none. */
static void put_labels(struct focus_writing *w, const char *workload,
                       const struct label_spec *labels)
{
    const struct tag_spec *stated = labels == NULL ? NULL : labels->tags.items;
    struct text *tags = &w->row.texts[TEXT_TAGS];
    text_clear(tags);
    if (workload != NULL) {
        add_tag(tags, "workload", workload);
    }
    for (size_t i = 0; stated != NULL && i < labels->tags.count; i++) {
        add_tag(tags, stated[i].item.name, stated[i].value);
    }
    if (tags->length > 0) {
        text_add(tags, "}");
        cell_text(&w->row, FOCUS_TAGS, tags->data);
    }
    cell_text(&w->row, FOCUS_X_JOB, workload);
    cell_text(&w->row, FOCUS_X_OWNER, labels == NULL ? NULL : labels->owner);
}

void writing_payer(struct focus_writing *w, size_t payer, const struct charge_item *item)
{
    const struct study *s = w->e->study;
    if (payer < s->workload_count) {
        put_labels(w, study_workload_name(s, payer), s->charges.workloads[payer].data.labels);
        focus_tenants_write(&w->row.texts[TEXT_SHARED], s, w->e->strategy, w->e->shares, payer);
        cell_text(&w->row, FOCUS_X_SHARED_BY,
                  w->row.texts[TEXT_SHARED].length > 0 ? w->row.texts[TEXT_SHARED].data : NULL);
    } else {
        put_labels(w, NULL, item == NULL ? NULL : charge_labels(item));
    }
}

void writing_price(struct focus_writing *w, money_t price, int64_t off)
{
    cell_money(&w->row, FOCUS_LIST_UNIT_PRICE, price);
    cell_money(&w->row, FOCUS_CONTRACTED_UNIT_PRICE, price - money_share(price, off, SHARE_WHOLE));
}

void writing_region(struct focus_writing *w)
{
    cell_text(&w->row, FOCUS_REGION_ID, w->e->study->region->code);
    cell_text(&w->row, FOCUS_REGION_NAME, w->e->study->region->name);
}

void writing_type(struct focus_writing *w, const struct instance_type *type, const char *way)
{
    const char *sku =
        cell_format(&w->row, TEXT_SKU, SKU "%s/%s", type->name, w->e->study->region->code);
    cell_text(&w->row, FOCUS_SKU_ID, sku);
    cell_text(&w->row, FOCUS_SKU_PRICE_ID, cell_format(&w->row, TEXT_PRICE, "%s/%s", sku, way));
    struct text *json = &w->row.texts[TEXT_DETAILS];
    text_clear(json);
    text_add(json, "{\"InstanceType\":");
    cell_add_json(json, type->name);
    text_add(json, ",\"InstanceSeries\":");
    cell_add_json(json, type->family);
    text_format(json,
                ",\"CoreCount\":%.10g,\"GpuCount\":%.10g,\"MemorySize\":%.10g,"
                "\"OperatingSystem\":\"Linux\"}",
                type->vcpus, type->accelerator_count, type->memory_bytes / 1073741824.0);
    cell_text(&w->row, FOCUS_SKU_PRICE_DETAILS, json->data);
}
