/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/policies/zone_rule.h"
#include "tests/support/testing.h"

#include <string.h>

/* What was seen of three zones; which of them each rule asks (cheapest, most-available, sticky),
 * 3: none. */
struct zone_row {
    const char *name;
    struct zone_seen zones[3]; /* barred, obtainable, per hour, share */
    size_t last, asks[3];
};

static const struct zone_row rows[] = {
    {"all alike: the first listed",
     {{false, true, 4, 0.5}, {false, true, 4, 0.5}, {false, true, 4, 0.5}},
     3,
     {0, 0, 0}},
    {"each rule has its own",
     {{false, true, 3, 0.5}, {false, true, 4, 0.9}, {false, true, 4, 0.7}},
     2,
     {0, 1, 2}},
    {"what cannot grant it comes last, whatever it costs",
     {{false, false, 1, 0.9}, {false, true, 4, 0.2}, {false, true, 3, 0.1}},
     0,
     {2, 1, 1}},
    {"none can: by the rule all the same",
     {{false, false, 4, 0.5}, {false, false, 3, 0.2}, {false, false, 5, 0.9}},
     0,
     {1, 2, 0}},
    {"what is barred is not asked, and what else there is comes before nothing",
     {{true, true, 1, 0.9}, {false, false, 3, 0.2}, {true, true, 5, 0.9}},
     0,
     {1, 1, 1}},
    {"all are barred",
     {{true, true, 1, 0.9}, {true, false, 3, 0.2}, {true, true, 5, 0.9}},
     0,
     {3, 3, 3}},
};

static void rules_choose_by_what_was_seen(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct zone_row *r = &rows[i];
        struct zones_view v = {.count = 3, .last = r->last};
        memcpy(v.zones, r->zones, sizeof r->zones);
        for (size_t k = 0; k < 3; k++) {
            if (zone_rule_choose(zone_rule_table[k], &v) != r->asks[k]) {
                fail_msg("%s: %s asks zone %zu", r->name, zone_rule_table[k]->name,
                         zone_rule_choose(zone_rule_table[k], &v));
            }
        }
    }
}

static void names_are_those_of_the_rules(void **state)
{
    (void)state;
    size_t i = 0;
    for (; zone_rule_table[i] != NULL; i++) {
        assert_string_equal(zone_rule_table[i]->name, zone_rule_names[i]);
    }
    assert_null(zone_rule_names[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_choose_by_what_was_seen),
        cmocka_unit_test(names_are_those_of_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
