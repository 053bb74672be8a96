/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a strategy says of several zones: the pools it becomes, and what is refused. */
#include "models/training/training_work.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <stdlib.h>
#include <string.h>

#define HEAD  "version: 1\nstart: 2026-03-02\nhorizon: 60d\nregion: us-east-1\n"
#define JOB   "workloads: {w: {kind: training, hours: 9h, checkpoint: {write: 1min}}}\n"
#define GANG  "instance: p4d.24xlarge, nodes: 2"
#define THREE "zones: [us-east-1b, us-east-1a, us-east-1c]"

static const struct training_plan *plan_of(const struct study *s)
{
    return training_plan_of(s->strategies[0].plans[0]);
}

static const char *zone_of(const struct study *s, int site)
{
    return market_pool_info(s->market, plan_of(s)->pools[site])->zone;
}

static void each_zone_is_a_pool_with_an_interval(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD JOB "market: {spot: {p4d.24xlarge: {availability: 90 %},\n"
                 "  us-east-1c/p4d.24xlarge: {availability: 60 %}}}\n"
                 "strategies: {s: {" GANG ", buy: spot, policy: fallback, " THREE "}}\n",
        NULL);
    const struct training_plan *p = plan_of(s);
    assert_int_equal(p->zones, 3);
    assert_string_equal(p->zone_rule->name, "cheapest");
    assert_int_equal(p->work.pool_count, 4);
    assert_string_equal(zone_of(s, PURCHASE_ON_DEMAND), "us-east-1b");
    assert_string_equal(zone_of(s, site_of_zone(0)), "us-east-1b");
    assert_string_equal(zone_of(s, site_of_zone(1)), "us-east-1a");
    assert_string_equal(zone_of(s, site_of_zone(2)), "us-east-1c");
    assert_true(p->every_s[site_of_zone(2)] < p->every_s[site_of_zone(1)]);
    assert_near(p->every_s[site_of_zone(0)], p->every_s[site_of_zone(1)], 0, "alike");
    for (int k = 0; k < SITE_COUNT; k++) {
        assert_true(p->pools[k] < 0 || training_site(p, p->pools[k]) == k);
    }
    assert_string_equal(p->work.how, "policy fallback, failover cheapest");
    study_free(s);
}

static void on_demand_is_where_it_is_stated(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD JOB "strategies: {s: {" GANG ", buy: spot, policy: fallback, zone: us-east-1d, " THREE
                 ", failover: sticky}}\n",
        NULL);
    assert_string_equal(zone_of(s, PURCHASE_ON_DEMAND), "us-east-1d");
    assert_string_equal(zone_of(s, PURCHASE_SPOT), "us-east-1b");
    assert_string_equal(plan_of(s)->zone_rule->name, "sticky");
    study_free(s);
}

/* A list of one is that zone. */
static void one_zone_of_a_list(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD JOB "strategies: {s: {" GANG ", buy: spot, zones: [us-east-1f]}}\n", NULL);
    assert_int_equal(plan_of(s)->zones, 1);
    assert_string_equal(zone_of(s, PURCHASE_SPOT), "us-east-1f");
    assert_string_equal(plan_of(s)->work.how, "policy wait");
    study_free(s);
}

/* Other workloads of the strategy may not be bought on spot at all. */
static void zones_may_be_for_another_workload(void **state)
{
    (void)state;
    struct study *s = study_from_text(
        HEAD "workloads: {w: {kind: training, hours: 9h}, v: {kind: training, hours: 9h}}\n"
             "strategies: {s: {" GANG ", buy: on-demand, " THREE
             ", workloads: {v: {buy: spot, failover: sticky}}}}\n",
        NULL);
    assert_int_equal(plan_of(s)->zones, 1);
    assert_int_equal(training_plan_of(s->strategies[0].plans[1])->zones, 3);
    study_free(s);
}

struct zones_refusal {
    const char *name, *text, *says;
};

static const struct zones_refusal refusals[] = {
    {"a zone twice", "buy: spot, zones: [us-east-1a, us-east-1b, us-east-1a]",
     "zone 'us-east-1a' is listed twice"},
    {"another region", "buy: spot, zones: [us-east-1a, us-west-2a]",
     "'us-west-2a' is not a zone of region 'us-east-1'; expected a name such as 'us-east-1a'"},
    {"never on spot", "buy: on-demand, " THREE,
     "several zones are for spot, which policy 'on-demand' never buys for 'w'; expected 'zone: "
     "us-east-1b' or another policy"},
    {"a rule for one zone", "buy: spot, failover: sticky",
     "'failover' chooses among several zones, but 'w' has one; expected such as 'zones: "
     "[us-east-1a, us-east-1b]'"},
    {"too many", "buy: spot, zones: [a, b, c, d, e, f, g, h, i]", "at most 8"},
    {"a limit of spot without spot", "buy: on-demand, max_price: 1 USD/h",
     "'max_price' is of spot, which policy 'on-demand' never buys for 'w'"},
    {"spot below any price", "buy: spot, max_price: 0.01 USD/h",
     "'max_price' of strategy 's' lets no gang of 'w' be asked: 2 nodes of 'p4d.24xlarge' cost at "
     "least "},
    {"a gang below any price", "buy: spot, policy: fallback, max_hourly: 1 USD/h",
     "'max_hourly' of strategy 's' lets no gang of 'w' be asked"},
    {"a budget beside what is paid beforehand",
     "policy: {name: capacity-block, then: spot}, stop_at_budget: 9 USD, block: {starts: "
     "2026-03-03T11:30Z, days: 1, instances: 2, price: 9 USD/h}",
     "'stop_at_budget' counts nodes paid by the hour"},
    {"a limit in another unit", "buy: spot, max_hourly: 40 USD", "'max_hourly'"},
    {"an unknown rule", "buy: spot, " THREE ", failover: dearest", "'failover'"},
};

static void refused(void **state)
{
    const struct zones_refusal *row = *state;
    char text[1024];
    int code;
    snprintf(text, sizeof text, HEAD JOB "strategies: {s: {" GANG ", %s}}\n", row->text);
    char *what = study_errors(text, &code);
    assert_int_equal(code, strstr(row->says, "lets no gang") != NULL ? 4 : 2);
    const char *told = strstr(what, row->says);
    if (told == NULL || strstr(told + 1, row->says) != NULL) {
        fail_msg("expected once '%s' in:\n%s", row->says, what);
    }
    free(what);
}

static void independent_nodes_have_no_zones_to_choose(void **state)
{
    (void)state;
    int code;
    char *what =
        study_errors(HEAD "workloads: {w: {kind: usage, nodes: 2}}\n"
                          "strategies: {s: {instance: p4d.24xlarge, buy: spot, " THREE "}}\n",
                     &code);
    assert_int_equal(code, 2);
    assert_non_null(strstr(what, "'zones' is for a gang, but the nodes of 'w' are independent"));
    free(what);
}

int main(void)
{
    enum { REFUSALS = sizeof refusals / sizeof refusals[0] };
    struct CMUnitTest tests[REFUSALS];
    for (size_t i = 0; i < REFUSALS; i++) {
        tests[i] = (struct CMUnitTest){refusals[i].name, refused, NULL, NULL,
                                       (void *)(uintptr_t)&refusals[i]};
    }
    const struct CMUnitTest plans[] = {
        cmocka_unit_test(each_zone_is_a_pool_with_an_interval),
        cmocka_unit_test(on_demand_is_where_it_is_stated),
        cmocka_unit_test(one_zone_of_a_list),
        cmocka_unit_test(zones_may_be_for_another_workload),
        cmocka_unit_test(independent_nodes_have_no_zones_to_choose),
    };
    int failed = _cmocka_run_group_tests("refusals", tests, REFUSALS, NULL, NULL);
    return failed + cmocka_run_group_tests(plans, NULL, NULL);
}
