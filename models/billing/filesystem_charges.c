/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/filesystem_charges.h"

#include <math.h>

#define MIB_BYTES          1048576.0
#define EFS_FREE_MIBPS_GIB (50.0 / 1024.0) /* with each GiB of standard storage */

/* ---- before any world ---- */

static bool make_efs(struct filesystem_prices *p, const struct charge_item *item,
                     const struct market_context *c)
{
    const struct efs_spec *s = &item->spec->efs;
    struct place where = item->spec->item.place;
    bool rare = s->storage_class == EFS_INFREQUENT;
    if (!s->size.given) {
        return charge_complain(c, where,
                               "'efs' states no size; expected one such as 'size: 2 TiB'");
    }
    if (s->throughput.given && !rare && (s->read.given || s->write.given)) {
        return charge_complain(c, where,
                               "with provisioned 'throughput', reading and writing of standard "
                               "storage costs nothing: leave 'read' and 'write' out");
    }
    bool ok = charge_price_find(&p->size, &s->per_gb_month, rare ? STORAGE_EFS_IA : STORAGE_EFS,
                                "per_gb_month", where, c);
    if (s->throughput.given) {
        ok &= charge_price_find(&p->throughput, &s->per_mbps_month, STORAGE_EFS_THROUGHPUT,
                                "per_mbps_month", where, c);
    }
    if (s->read.given) {
        ok &= charge_price_find(&p->read, &s->per_gb_read,
                                rare ? STORAGE_EFS_IA_READ : STORAGE_EFS_READ, "per_gb_read", where,
                                c);
    }
    if (s->write.given) {
        ok &= charge_price_find(&p->write, &s->per_gb_write,
                                rare ? STORAGE_EFS_IA_WRITE : STORAGE_EFS_WRITE, "per_gb_write",
                                where, c);
    }
    return ok;
}

/* What can be had, the price's item, and the step of the capacity; of SSD half a step too. */
static const struct lustre_row {
    int deployment, storage;
    int64_t throughput;
    enum storage_item item;
    double step_gib;
} lustre_rows[] = {
    {LUSTRE_SCRATCH, LUSTRE_SSD, 0, STORAGE_FSX_SCRATCH, 2400},
    {LUSTRE_PERSISTENT_1, LUSTRE_SSD, 50, STORAGE_FSX_50, 2400},
    {LUSTRE_PERSISTENT_1, LUSTRE_SSD, 100, STORAGE_FSX_100, 2400},
    {LUSTRE_PERSISTENT_1, LUSTRE_SSD, 200, STORAGE_FSX_200, 2400},
    {LUSTRE_PERSISTENT_1, LUSTRE_HDD, 12, STORAGE_FSX_12, 6000},
    {LUSTRE_PERSISTENT_1, LUSTRE_HDD, 40, STORAGE_FSX_40, 1800},
    {LUSTRE_PERSISTENT_2, LUSTRE_SSD, 125, STORAGE_FSX_125, 2400},
    {LUSTRE_PERSISTENT_2, LUSTRE_SSD, 250, STORAGE_FSX_250, 2400},
    {LUSTRE_PERSISTENT_2, LUSTRE_SSD, 500, STORAGE_FSX_500, 2400},
    {LUSTRE_PERSISTENT_2, LUSTRE_SSD, 1000, STORAGE_FSX_1000, 2400},
};

/* NULL: there is none. */
static const struct lustre_row *lustre_row_of(const struct lustre_spec *s)
{
    for (size_t i = 0; i < sizeof lustre_rows / sizeof lustre_rows[0]; i++) {
        const struct lustre_row *row = &lustre_rows[i];
        if (row->deployment == s->deployment && row->storage == s->storage &&
            row->throughput == s->throughput) {
            return row;
        }
    }
    return NULL;
}

double lustre_capacity_gib(const struct lustre_spec *s, double bytes)
{
    const struct lustre_row *row = lustre_row_of(s);
    double gib = bytes / STORAGE_GIB_BYTES - 1e-9;
    if (s->storage == LUSTRE_SSD && gib <= row->step_gib / 2) {
        return row->step_gib / 2;
    }
    return gib <= row->step_gib ? row->step_gib : ceil(gib / row->step_gib) * row->step_gib;
}

static bool make_lustre(struct filesystem_prices *p, const struct charge_item *item,
                        const struct market_context *c)
{
    const struct lustre_spec *s = &item->spec->lustre;
    struct place where = item->spec->item.place;
    const struct lustre_row *row = lustre_row_of(s);
    if (!s->size.given) {
        return charge_complain(c, where,
                               "'lustre' states no size; expected one such as 'size: 1200 GiB'");
    }
    if (row == NULL) {
        return charge_complain(c, where,
                               "no file system of this deployment, storage and throughput can be "
                               "had; expected 'throughput' 125, 250, 500 or 1000 of persistent-2, "
                               "50, 100 or 200 of persistent-1 (12 or 40 on hdd), none of scratch");
    }
    double asked = s->size.median / STORAGE_GIB_BYTES;
    double paid = lustre_capacity_gib(s, s->size.median);
    if (paid > asked + 0.5) {
        assumptions_add(c->assumptions, false, "FSx for Lustre, steps of capacity",
                        arena_format(c->arena, "capacity of '%s'", item->name),
                        "%.0f GiB, the next that can be had above %.0f", paid, asked);
    }
    return charge_price_find(&p->size, &s->per_gb_month, row->item, "per_gb_month", where, c);
}

bool filesystem_make(struct charge_item *item, const struct market_context *c)
{
    struct filesystem_prices *p = arena_array(c->arena, 1, sizeof *p);
    item->prices = p;
    return p != NULL && (item->kind == CHARGE_EFS ? make_efs : make_lustre)(p, item, c);
}

/* ---- in a world ---- */

static struct charge_target target_of(const struct charging *c, const char *service)
{
    size_t row = c->item->workload == SIZE_MAX ? charging_shared_row(c) : c->item->workload;
    return charging_target(c, row, service);
}

/* While it stands, at a rate made of these measures. */
static void hold(struct charging *c, const char *service, const struct charge_measure *m,
                 size_t count)
{
    struct charge_target t = target_of(c, service);
    size_t w = c->item->workload;
    double per_hour = 0;
    for (size_t i = 0; i < count; i++) {
        per_hour += m[i].quantity * m[i].price;
    }
    charging_measure(&t, m, count);
    bool of_all = w == SIZE_MAX;
    charge_hold(&t, charge_money(&t, per_hour),
                of_all ? c->item->at_us : microseconds(c->world->submit_s[w]),
                of_all ? charging_end(c) : charging_end_of_workload(c, w), 1);
}

void charge_lustre(struct charging *c)
{
    const struct lustre_spec *s = &c->item->spec->lustre;
    const struct charge_measure m =
        charging_by_hour(METER_GB_MONTHS, storage_item_names[lustre_row_of(s)->item],
                         lustre_capacity_gib(s, charging_number(c, &s->size)),
                         charging_price(c, &c->item->prices->size));
    hold(c, "fsx", &m, 1);
}

static bool is_of_item(const struct charging *c, size_t workload)
{
    return c->item->workload == SIZE_MAX || c->item->workload == workload;
}

/* What each launch reads, and what the checkpoints of each workload write. */
static void efs_moves(struct charging *c, const struct efs_spec *s)
{
    struct charge_target t = target_of(c, "efs");
    if (s->read.given) {
        double gib = charging_number(c, &s->read) / STORAGE_GIB_BYTES;
        double price = charging_price(c, &c->item->prices->read);
        for (size_t i = 0; i < c->world->log->count; i++) {
            const struct usage *u = &c->world->log->records[i];
            if (is_of_item(c, u->workload) && charging_launched(u)) {
                double all = gib * (double)usage_nodes(u);
                const struct charge_measure m = {METER_GB, "efs-read", all, price};
                charging_measure(&t, &m, 1);
                charge_put(&t, u->start_us, u->start_us, charge_money(&t, all * price));
            }
        }
    }
    for (size_t w = 0; s->write.given && w < c->plan->workload_count; w++) {
        if (is_of_item(c, w)) {
            double all = charging_number(c, &s->write) / STORAGE_GIB_BYTES *
                         (double)c->world->works[w].checkpoints;
            double price = charging_price(c, &c->item->prices->write);
            const struct charge_measure m = {METER_GB, "efs-write", all, price};
            charging_measure(&t, &m, 1);
            charge_spread(&t, charge_money(&t, all * price), microseconds(c->world->submit_s[w]),
                          charging_end_of_workload(c, w));
        }
    }
}

void charge_efs(struct charging *c)
{
    const struct efs_spec *s = &c->item->spec->efs;
    const struct filesystem_prices *p = c->item->prices;
    double gib = charging_number(c, &s->size) / STORAGE_GIB_BYTES;
    bool standard = s->storage_class == EFS_STANDARD;
    struct charge_measure m[2] = {charging_by_hour(METER_GB_MONTHS, standard ? "efs" : "efs-ia",
                                                   gib, charging_price(c, &p->size))};
    size_t count = 1;
    if (s->throughput.given) {
        double mibps = charging_number(c, &s->throughput) / MIB_BYTES -
                       (standard ? gib * EFS_FREE_MIBPS_GIB : 0);
        m[count++] = charging_by_hour(METER_MIBPS_MONTHS, "efs", mibps > 0 ? mibps : 0,
                                      charging_price(c, &p->throughput));
    }
    hold(c, "efs", m, count);
    efs_moves(c, s);
}
