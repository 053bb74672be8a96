/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/storage_charges.h"

#include <math.h>

#define GP3_FREE_IOPS  3000.0
#define GP3_FREE_MIBPS 125.0
#define MIB_BYTES      1048576.0

static double above(double value, double free_part)
{
    return value > free_part ? value - free_part : 0;
}

enum { DISK_MEASURES = 3 };

/* A volume's price an hour, in currency units, and what it is made of. */
static double disk_per_hour(const struct charging *c, const struct workload_charges *w,
                            struct charge_measure m[DISK_MEASURES], size_t *count)
{
    const struct disk_spec *d = w->data.disk;
    const char *type = disk_type_names[d->type];
    bool gp3 = d->type == DISK_GP3;
    double gib = ceil(charging_number(c, &d->size) / STORAGE_GIB_BYTES - 1e-9);
    double month = gib * charging_price(c, &w->disk);
    *count = 0;
    m[(*count)++] = charging_by_hour(METER_GB_MONTHS, type, gib, charging_price(c, &w->disk));
    if (d->iops.given) {
        double iops = above(charging_number(c, &d->iops), gp3 ? GP3_FREE_IOPS : 0);
        double money = charge_price_of(&w->iops, iops, c->world->drawn);
        month += money;
        m[(*count)++] =
            charging_by_hour(METER_IOPS_MONTHS, type, iops, iops > 0 ? money / iops : 0);
    }
    if (d->throughput.given) {
        double mibps = above(charging_number(c, &d->throughput) / MIB_BYTES, GP3_FREE_MIBPS);
        month += mibps * charging_price(c, &w->throughput);
        m[(*count)++] =
            charging_by_hour(METER_MIBPS_MONTHS, type, mibps, charging_price(c, &w->throughput));
    }
    return month / HOURS_OF_A_MONTH;
}

void charge_disk(struct charging *c)
{
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        const struct workload_charges *one = &c->plan->workloads[w];
        if (!one->data.disk->given) {
            continue;
        }
        struct charge_target t = charging_target(c, w, "ebs");
        struct charge_measure m[DISK_MEASURES];
        size_t count;
        money_t rate = charge_money(&t, disk_per_hour(c, one, m, &count));
        charging_measure(&t, m, count);
        for (size_t i = 0; i < c->world->log->count; i++) {
            const struct usage *u = &c->world->log->records[i];
            if (u->workload == w) {
                charge_hold(&t, rate, u->start_us, u->end_us, usage_nodes(u));
            }
        }
    }
}

/* So many bytes in S3, an hour, in currency units. */
static double stored_per_hour(const struct charging *c, const struct number *size,
                              const struct charge_price *p, struct charge_measure *m)
{
    *m = charging_by_hour(METER_GB_MONTHS, "s3-standard",
                          charging_number(c, size) / STORAGE_GIB_BYTES, charging_price(c, p));
    return charging_number(c, size) / STORAGE_GIB_BYTES * charging_price(c, p) / HOURS_OF_A_MONTH;
}

void charge_dataset(struct charging *c)
{
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        const struct workload_charges *one = &c->plan->workloads[w];
        if (one->data.dataset->given) {
            struct charge_target t = charging_target(c, w, "s3");
            struct charge_measure m;
            money_t rate =
                charge_money(&t, stored_per_hour(c, &one->data.dataset->size, &one->dataset, &m));
            charging_measure(&t, &m, 1);
            charge_hold(&t, rate, microseconds(c->world->submit_s[w]),
                        charging_end_of_workload(c, w), 1);
        }
    }
}

void charge_checkpoints(struct charging *c)
{
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        const struct workload_charges *one = &c->plan->workloads[w];
        const struct work_saves *k = &one->data.saves;
        const struct work_result *work = &c->world->works[w];
        if (!k->given) {
            continue;
        }
        struct charge_target t = charging_target(c, w, "s3");
        struct charge_measure m;
        money_t rate = charge_money(&t, stored_per_hour(c, k->size, &one->checkpoint, &m));
        charging_measure(&t, &m, 1);
        if (k->continuous) {
            charge_hold(&t, rate, microseconds(c->world->submit_s[w]),
                        charging_end_of_workload(c, w), k->keep);
            continue;
        }
        for (uint64_t i = 0; i < work->checkpoints && i < (uint64_t)k->keep; i++) {
            charge_hold(&t, rate, microseconds(work->checkpoint_at_s[i]),
                        charging_end_of_workload(c, w), 1);
        }
    }
}
