/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/charging.h"

#include <math.h>
#include <string.h>

int64_t charge_parts(double share)
{
    return llround(share * (double)SHARE_WHOLE);
}

/* What is taken off this service or family: the family goes before its service. */
int64_t charging_discount(const struct charging *c, const char *service, const char *family)
{
    if (c->plan->discount_item == SIZE_MAX) {
        return 0;
    }
    const struct schema_list *list = &c->plan->items[c->plan->discount_item].spec->discount;
    const struct discount_spec *d = list->items;
    int64_t of_service = 0;
    for (size_t i = 0; i < list->count; i++) {
        int64_t share = charge_parts(number_value(&d[i].share, c->world->drawn));
        if (family != NULL && strcmp(d[i].item.name, family) == 0) {
            return share;
        }
        if (strcmp(d[i].item.name, service) == 0) {
            of_service = share;
        }
    }
    return of_service;
}

size_t charging_shared_row(const struct charging *c)
{
    return c->plan->workload_count;
}

struct charge_target charging_target(const struct charging *c, size_t row, const char *service)
{
    return (struct charge_target){
        .frame = c->world->frame,
        .spend_units = c->world->spend_units,
        .bill = &c->bills[row],
        .item = c->line,
        .discount = service == NULL ? 0 : charging_discount(c, service, c->item->family),
        .discount_item = c->plan->discount_item,
        .row = row,
        .sink = c->world->sink,
    };
}

/* What the target's amounts buy; the measures must outlive them. */
void charging_measure(struct charge_target *t, const struct charge_measure *m, size_t count)
{
    t->measures = m;
    t->measure_count = count;
}

int64_t charging_end_of_workload(const struct charging *c, size_t workload)
{
    return microseconds(c->world->works[workload].end_s);
}

/* Where an item that lasts ends. */
int64_t charging_end(const struct charging *c)
{
    int64_t end_us = 0;
    bool cancelled = false;
    for (size_t w = 0; w < c->plan->workload_count; w++) {
        int64_t one_us = charging_end_of_workload(c, w);
        end_us = one_us > end_us ? one_us : end_us;
        cancelled = cancelled || c->world->works[w].cancelled;
    }
    return c->item->spec->until == UNTIL_HORIZON && !cancelled ? c->world->frame->horizon_us
                                                               : end_us;
}

double charging_number(const struct charging *c, const struct number *n)
{
    return number_value(n, c->world->drawn);
}

double charging_price(const struct charging *c, const struct charge_price *p)
{
    return charge_price_value(p, c->world->drawn);
}

enum purchase charging_purchase(const struct charging *c, const struct usage *u)
{
    return market_pool_info(market_plan_of(c->world->market), u->pool)->purchase;
}

struct charge_measure charging_by_hour(enum charge_meter meter, const char *product,
                                       double of_a_month, double price_of_one)
{
    return (struct charge_measure){
        .meter = meter,
        .product = product,
        .quantity = of_a_month / HOURS_OF_A_MONTH,
        .price = price_of_one,
    };
}

bool charging_launched(const struct usage *u)
{
    return u->start_us != u->end_us || u->reason != END_HORIZON;
}

int64_t charging_first_launch(const struct charge_world *w, size_t workload)
{
    int64_t first_us = -1;
    for (size_t i = 0; i < w->log->count; i++) {
        const struct usage *u = &w->log->records[i];
        if (u->workload == workload && charging_launched(u) &&
            (first_us < 0 || u->start_us < first_us)) {
            first_us = u->start_us;
        }
    }
    return first_us;
}

const char *charging_service(const struct charging *c)
{
    return c->item->service == SERVICE_NONE ? NULL : charge_service_names[c->item->service];
}
