/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/storage_charges.h"

#include "models/billing/kept_volumes.h"

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

struct kept_hold {
    const struct charge_target *target;
    money_t rate;
};

static void hold_kept(void *context, int64_t from_us, int64_t to_us, int64_t count)
{
    const struct kept_hold *k = context;
    charge_hold(k->target, k->rate, from_us, to_us, count);
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
        const struct work_result *work = &c->world->works[w];
        for (size_t i = 0; i < work->stopped_count; i++) {
            charge_hold(&t, rate, microseconds(work->stopped[i].from_s),
                        microseconds(work->stopped[i].to_s), work->stopped[i].nodes);
        }
        struct kept_hold kept = {&t, rate};
        if (one->data.disk->keep &&
            !kept_volumes(c->world->log, w, charging_end_of_workload(c, w), hold_kept, &kept)) {
            c->failed = true;
        }
    }
}

/* What is kept there is sold as. */
static const char *product_of(int item)
{
    return item == STORAGE_S3 ? "s3-standard" : storage_item_names[item];
}

static const char *service_of(int item)
{
    return item == STORAGE_S3 ? "s3" : item == STORAGE_GP3 ? "ebs" : "fsx";
}

/* So many bytes kept as this, an hour, in currency units. */
static double stored_per_hour(const struct charging *c, int item, double bytes,
                              const struct charge_price *p, struct charge_measure *m)
{
    *m = charging_by_hour(METER_GB_MONTHS, product_of(item), bytes / STORAGE_GIB_BYTES,
                          charging_price(c, p));
    return bytes / STORAGE_GIB_BYTES * charging_price(c, p) / HOURS_OF_A_MONTH;
}

static double saved_bytes(const struct charging *c, const struct work_saves *k)
{
    return k->derived_bytes != NULL ? k->derived_bytes(k->derived_from, c->world->drawn)
                                    : charging_number(c, k->size);
}

void charge_dataset(struct charging *c)
{
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        const struct workload_charges *one = &c->plan->workloads[w];
        if (one->data.dataset->given) {
            struct charge_target t = charging_target(c, w, "s3");
            struct charge_measure m;
            money_t rate = charge_money(
                &t, stored_per_hour(c, STORAGE_S3, charging_number(c, &one->data.dataset->size),
                                    &one->dataset, &m));
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
        struct charge_target t = charging_target(c, w, service_of(k->item));
        struct charge_measure m;
        money_t rate =
            charge_money(&t, stored_per_hour(c, k->item, saved_bytes(c, k), &one->checkpoint, &m));
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

/* ---- requests ---- */

/* Requests under way: of one price, of one workload. */
struct asking {
    struct charge_target target;
    const char *product;
    double price; /* of a thousand */
};

static money_t price_requests(struct asking *a, double requests, struct charge_measure *m)
{
    *m = (struct charge_measure){METER_REQUESTS, a->product, requests, a->price / 1000};
    charging_measure(&a->target, m, 1);
    return charge_money(&a->target, requests * a->price / 1000);
}

static void ask_at(struct asking *a, double requests, int64_t at_us)
{
    struct charge_measure m;
    money_t amount = price_requests(a, requests, &m);
    charge_put(&a->target, at_us, at_us, amount);
}

/* Pieces of so many bytes; at least one. */
static double pieces(double bytes, double of_each)
{
    double n = ceil(bytes / of_each - 1e-9);
    return n > 1 ? n : 1;
}

static void ask_for_dataset(const struct charging *c, size_t w)
{
    const struct workload_charges *one = &c->plan->workloads[w];
    const struct dataset_spec *d = one->data.dataset;
    double objects = pieces(charging_number(c, &d->size), charging_number(c, &d->object_size));
    double reads = objects * charging_number(c, &d->passes);
    int64_t first_us = charging_first_launch(c->world, w);
    struct asking put = {charging_target(c, w, "s3"), "s3-put", charging_price(c, &one->put)};
    struct asking get = {charging_target(c, w, "s3"), "s3-get", charging_price(c, &one->get)};
    if (d->upload) {
        ask_at(&put, objects, microseconds(c->world->submit_s[w]));
    }
    if (d->read == READ_AT_START && first_us >= 0) {
        ask_at(&get, reads, first_us);
    }
    for (size_t i = 0; d->read == READ_AT_LAUNCH && i < c->world->log->count; i++) {
        const struct usage *u = &c->world->log->records[i];
        if (u->workload == w && charging_launched(u)) {
            ask_at(&get, reads * (double)usage_nodes(u), u->start_us);
        }
    }
}

/* An upload in parts is begun and completed by a request each. When each was is not kept: they are
 * spread over the work. */
static void ask_for_checkpoints(const struct charging *c, size_t w)
{
    const struct workload_charges *one = &c->plan->workloads[w];
    const struct work_saves *k = &one->data.saves;
    const struct work_result *job = &c->world->works[w];
    double parts = pieces(saved_bytes(c, k), charging_number(c, k->part_size));
    double writes = parts > 1 ? parts + 2 : 1;
    struct asking put = {charging_target(c, w, "s3"), "s3-put", charging_price(c, &one->save_put)};
    struct asking get = {charging_target(c, w, "s3"), "s3-get", charging_price(c, &one->save_get)};
    struct charge_measure m;
    int64_t from_us = microseconds(c->world->submit_s[w]), to_us = charging_end_of_workload(c, w);
    money_t amount = price_requests(&put, writes * (double)job->checkpoints, &m);
    charge_spread(&put.target, amount, from_us, to_us);
    amount = price_requests(&get, parts * (double)job->restarts, &m);
    charge_spread(&get.target, amount, from_us, to_us);
}

void charge_requests(struct charging *c)
{
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        const struct work_data *data = &c->plan->workloads[w].data;
        if (data->dataset->given && data->dataset->object_size.given) {
            ask_for_dataset(c, w);
        }
        if (data->saves.part_size->given) {
            ask_for_checkpoints(c, w);
        }
    }
}
