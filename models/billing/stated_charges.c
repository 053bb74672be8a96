/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/billing/stated_charges.h"

void charge_monthly(struct charging *c)
{
    struct charge_target t = charging_target(c, charging_shared_row(c), charging_service(c));
    money_t amount = charge_money(&t, charging_number(c, &c->item->spec->monthly));
    const struct charge_measure m = {METER_MONTHS, NULL, 1,
                                     charging_number(c, &c->item->spec->monthly)};
    charging_measure(&t, &m, 1);
    charge_by_month(&t, amount, c->item->at_us, charging_end(c));
}

void charge_hourly(struct charging *c)
{
    struct charge_target t = charging_target(c, charging_shared_row(c), charging_service(c));
    money_t rate = charge_money(&t, charging_number(c, &c->item->spec->hourly));
    const struct charge_measure m = {METER_HOURS, NULL, 1,
                                     charging_number(c, &c->item->spec->hourly)};
    charging_measure(&t, &m, 1);
    charge_hold(&t, rate, c->item->at_us, charging_end(c), 1);
}

void charge_instance(struct charging *c)
{
    struct charge_target t = charging_target(c, charging_shared_row(c), "ec2");
    const struct charge_item *item = c->item;
    int64_t end_us = charging_end(c);
    for (size_t i = 0; i < item->step_count; i++) {
        int64_t from_us = item->steps[i].from_us, to_us = end_us;
        from_us = from_us > item->at_us ? from_us : item->at_us;
        if (i + 1 < item->step_count && item->steps[i + 1].from_us < to_us) {
            to_us = item->steps[i + 1].from_us;
        }
        const struct charge_measure m = {METER_HOURS, item->spec->instance, 1,
                                         money_to_double(item->steps[i].per_hour)};
        charging_measure(&t, &m, 1);
        charge_hold(&t, item->steps[i].per_hour, from_us, to_us, 1);
    }
}

void charge_once(struct charging *c)
{
    struct charge_target t = charging_target(c, charging_shared_row(c), charging_service(c));
    const struct charge_measure m = {METER_UNITS, NULL, 1,
                                     charging_number(c, &c->item->spec->once)};
    charging_measure(&t, &m, 1);
    charge_put(&t, c->item->at_us, c->item->at_us,
               charge_money(&t, charging_number(c, &c->item->spec->once)));
}

/* What each node pays an hour: so much of the item's number. */
static void charge_nodes(struct charging *c, const struct number *number, enum charge_meter meter,
                         double of_type(const struct instance_type *type))
{
    const struct charge_spec *s = c->item->spec;
    const struct market_plan *market = market_plan_of(c->world->market);
    int applies = s->applies_to < 0 ? APPLIES_TO_ALL : s->applies_to;
    double stated = charging_number(c, number);
    for (size_t i = 0; i < c->world->log->count; i++) {
        const struct usage *u = &c->world->log->records[i];
        if (applies == APPLIES_TO_ALL ||
            (applies == APPLIES_TO_SPOT) == (charging_purchase(c, u) == PURCHASE_SPOT)) {
            struct charge_target t = charging_target(c, u->workload, charging_service(c));
            double each = of_type(market_pool_info(market, u->pool)->type);
            money_t rate = charge_money(&t, stated * each);
            const struct charge_measure m = {meter, NULL, each, stated};
            charging_measure(&t, &m, 1);
            charge_hold(&t, rate, u->start_us, u->end_us, usage_nodes(u));
        }
    }
}

static double one(const struct instance_type *type)
{
    (void)type;
    return 1;
}

static double vcpus(const struct instance_type *type)
{
    return type->vcpus;
}

static double accelerators(const struct instance_type *type)
{
    return type->accelerator_count;
}

static double month_share(const struct instance_type *type)
{
    (void)type;
    return 1 / HOURS_OF_A_MONTH;
}

void charge_per_node_hour(struct charging *c)
{
    charge_nodes(c, &c->item->spec->per_node_hour, METER_HOURS, one);
}

void charge_per_vcpu_hour(struct charging *c)
{
    charge_nodes(c, &c->item->spec->per_vcpu_hour, METER_HOURS, vcpus);
}

void charge_per_gpu_hour(struct charging *c)
{
    charge_nodes(c, &c->item->spec->per_gpu_hour, METER_HOURS, accelerators);
}

void charge_monitoring(struct charging *c)
{
    charge_nodes(c, &c->item->spec->monitoring, METER_MONTHS, month_share);
}
