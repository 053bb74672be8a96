/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/workload_prices.h"

#include <stddef.h>

/* ---- disks ---- */

struct disk_kind {
    enum storage_item size, iops; /* iops == size: it has none to provision */
    bool iops_needed, throughput;
};
static const struct disk_kind disk_kinds[DISK_TYPE_COUNT] = {
    [DISK_GP3] = {STORAGE_GP3, STORAGE_GP3_IOPS, false, true},
    [DISK_GP2] = {STORAGE_GP2, STORAGE_GP2, false, false},
    [DISK_IO1] = {STORAGE_IO1, STORAGE_IO1_IOPS, true, false},
    [DISK_IO2] = {STORAGE_IO2, STORAGE_IO2_IOPS, true, false},
    [DISK_ST1] = {STORAGE_ST1, STORAGE_ST1, false, false},
    [DISK_SC1] = {STORAGE_SC1, STORAGE_SC1, false, false},
};

static bool make_disk(struct workload_charges *w, const struct market_context *c)
{
    const struct disk_spec *d = w->data.disk;
    if (!d->given) {
        return true;
    }
    const struct disk_kind *k = &disk_kinds[d->type];
    bool has_iops = k->iops != k->size;
    if (!d->size.given) {
        return charge_complain(c, d->place,
                               "'disk' states no size; expected one such as 'size: 500 GiB'");
    }
    if (d->iops.given && !has_iops) {
        return charge_complain(c, d->place, "'iops' does not belong to a '%s' volume",
                               storage_item_names[k->size]);
    }
    if (!d->iops.given && k->iops_needed) {
        return charge_complain(c, d->place, "an '%s' volume needs 'iops'",
                               storage_item_names[k->size]);
    }
    if (d->throughput.given && !k->throughput) {
        return charge_complain(c, d->place, "'throughput' does not belong to a '%s' volume",
                               storage_item_names[k->size]);
    }
    bool ok = charge_price_find(&w->disk, &d->per_gb_month, k->size, "per_gb_month", d->place, c);
    if (d->iops.given) {
        ok &=
            charge_price_find(&w->iops, &d->per_iops_month, k->iops, "per_iops_month", d->place, c);
    }
    if (d->throughput.given) {
        ok &= charge_price_find(&w->throughput, &d->per_mbps_month, STORAGE_GP3_THROUGHPUT,
                                "per_mbps_month", d->place, c);
    }
    return ok;
}

/* ---- the data of a workload ---- */

/* What nobody stated is no reason to refuse a plan where nobody knows its price. */
static void leave_unpriced(struct workload_charges *w, const struct market_context *c)
{
    struct work_saves *k = &w->data.saves;
    struct storage_price listed;
    const bool nobody_asked = k->derived_bytes != NULL || k->item != STORAGE_S3;
    if (k->given && nobody_asked && !k->per_gb_month->given &&
        !catalogue_storage(c->catalogue, (enum storage_item)k->item, c->region->code,
                           c->prices_as_of_unix_s, &listed)) {
        k->given = false;
        assumptions_add(c->assumptions, false, "default",
                        arena_format(c->arena, "storage of checkpoints of %s", w->data.name),
                        "not charged: no price of %s is known in %s; state 'per_gb_month'",
                        storage_item_names[k->item], c->region->code);
    }
}

static bool make_kept(struct workload_charges *w, const struct market_context *c)
{
    leave_unpriced(w, c);
    const struct dataset_spec *d = w->data.dataset;
    const struct work_saves *k = &w->data.saves;
    bool ok = true;
    if (d->given && !d->size.given) {
        ok = charge_complain(c, d->place,
                             "'dataset' states no size; expected one such as 'size: 2 TB'");
    } else if (d->given) {
        ok = charge_price_find(&w->dataset, &d->per_gb_month, STORAGE_S3, "per_gb_month", d->place,
                               c);
    }
    if (k->given) {
        ok &= charge_price_find(&w->checkpoint, k->per_gb_month, (enum storage_item)k->item,
                                "checkpoint.per_gb_month", w->data.place, c);
    }
    return ok;
}

/* Whether requests of a workload are charged. */
bool workload_prices_requests(const struct workload_charges *w)
{
    return (w->data.dataset->given && w->data.dataset->object_size.given) ||
           w->data.saves.part_size->given;
}

static bool make_requests(struct workload_charges *w, const struct market_context *c)
{
    const struct dataset_spec *d = w->data.dataset;
    const struct work_saves *k = &w->data.saves;
    bool ok = true;
    if (d->given && d->object_size.given) {
        if (d->upload) {
            ok &= charge_price_find(&w->put, &d->per_1000_put, STORAGE_S3_PUT, "per_1000_put",
                                    d->place, c);
        }
        if (d->read != READ_NEVER) {
            ok &= charge_price_find(&w->get, &d->per_1000_get, STORAGE_S3_GET, "per_1000_get",
                                    d->place, c);
        }
    } else if (d->given && (d->upload || d->per_1000_put.given || d->per_1000_get.given)) {
        ok = charge_complain(c, d->place, "requests of 'dataset' need its 'object_size'");
    }
    if (k->part_size->given && (!k->given || k->continuous || k->item != STORAGE_S3)) {
        return charge_complain(
            c, w->data.place,
            "'part_size' belongs to periodic checkpoints in S3 whose size is known "
            "and of which 'keep' keeps some");
    }
    if (k->part_size->given) {
        ok &= charge_price_find(&w->save_put, k->per_1000_put, STORAGE_S3_PUT,
                                "checkpoint.per_1000_put", w->data.place, c);
        ok &= charge_price_find(&w->save_get, k->per_1000_get, STORAGE_S3_GET,
                                "checkpoint.per_1000_get", w->data.place, c);
    } else if (k->per_1000_put->given || k->per_1000_get->given) {
        ok = charge_complain(c, w->data.place, "requests of checkpoints need their 'part_size'");
    }
    return ok;
}

static bool make_transfer(const struct charge_plan *plan, struct workload_charges *w,
                          const struct market_context *c)
{
    static const enum storage_item of_route[ROUTE_COUNT] = {
        [ROUTE_NAT] = STORAGE_NAT_DATA,
        [ROUTE_CROSS_AZ] = STORAGE_CROSS_AZ,
        [ROUTE_CROSS_REGION] = STORAGE_CROSS_REGION,
        [ROUTE_INTERNET] = STORAGE_INTERNET,
    };
    const struct transfer_spec *t = w->data.transfer->items;
    size_t count = w->data.transfer->count;
    w->transfer = arena_array(c->arena, count + 1, sizeof *w->transfer);
    bool ok = w->transfer != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        if (t[i].route != ROUTE_NAT) {
            ok &= charge_price_find(&w->transfer[i], &t[i].per_gb, of_route[t[i].route], "per_gb",
                                    t[i].item.place, c);
        } else if (plan->nat == NULL) {
            ok = charge_complain(
                c, t[i].item.place,
                "data goes through NAT, but no item of 'charges' is 'nat'; expected "
                "'charges: [{nat: {}}]', or 'nat: {hourly: 0 USD/h}' where others pay "
                "the gateway");
        } else if (t[i].per_gb.given) {
            w->transfer[i].stated = &t[i].per_gb;
        } else {
            w->transfer[i] = plan->nat_data;
        }
    }
    return ok;
}

static bool make_crossing(struct workload_charges *w, const struct market_context *c)
{
    static const struct number not_stated = {.input = -1, .word = -1};
    return !w->data.crosses_zones ||
           charge_price_find(&w->crossing, &not_stated, STORAGE_CROSS_AZ,
                             "transfer: {route: cross-az, per_gb: …}", w->data.place, c);
}

bool workload_prices_find(const struct charge_plan *plan, struct workload_charges *w,
                          const struct market_context *c)
{
    bool ok = make_disk(w, c);
    ok &= make_kept(w, c);
    ok &= make_requests(w, c);
    ok &= make_crossing(w, c);
    return make_transfer(plan, w, c) && ok;
}
