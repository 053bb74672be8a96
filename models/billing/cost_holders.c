/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/cost_holders.h"

#include <string.h>

const struct label_spec *charge_labels(const struct charge_item *item)
{
    return item->spec != NULL && labels_given(&item->spec->labels) ? &item->spec->labels : NULL;
}

static void check_tags(const struct label_spec *l, struct diagnostics *d)
{
    const struct tag_spec *tags = l->tags.items;
    for (size_t i = 0; i < l->tags.count; i++) {
        if (strcmp(tags[i].item.name, "workload") == 0) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, tags[i].item.place,
                            "the tag 'workload' is the one that an export gives each workload; "
                            "expected another name");
        }
    }
}

bool cost_holders_make(struct cost_holders *h, const struct charge_plan *plan, struct arena *a,
                       struct diagnostics *d)
{
    bool any = false;
    *h = (struct cost_holders){.workloads = plan->workload_count};
    size_t *items = arena_array(a, plan->count + 1, sizeof *items);
    h->labels = arena_array(a, plan->workload_count + plan->count + 1, sizeof *h->labels);
    if (items == NULL || h->labels == NULL) {
        return false;
    }
    for (size_t w = 0; w < plan->workload_count; w++) {
        const struct label_spec *l = plan->workloads[w].data.labels;
        h->labels[w] = l != NULL && labels_given(l) ? l : NULL;
        any = any || h->labels[w] != NULL;
    }
    for (size_t i = 0; i < plan->count; i++) {
        const struct label_spec *l = charge_labels(&plan->items[i]);
        if (l != NULL) {
            h->labels[h->workloads + h->lines] = l;
            items[h->lines++] = i;
        }
    }
    h->items = items;
    h->labels[h->workloads + h->lines] = NULL;
    h->count = any || h->lines > 0 ? h->workloads + h->lines + 1 : 0;
    for (size_t i = 0; i < h->count; i++) {
        if (h->labels[i] != NULL) {
            check_tags(h->labels[i], d);
        }
    }
    return true;
}
