/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/policies/strategy.h"
#include "tests/support/testing.h"

#include <stddef.h>
#include <string.h>

static int index_of(const char *policy)
{
    int i = 0;

    while (policy_variants[i] != NULL && strcmp(policy_variants[i]->name, policy) != 0)
        i++;
    assert_non_null(policy_variants[i]);
    return i;
}

static struct strategy_terms no_terms(const char *name)
{
    return (struct strategy_terms){
        .item = {.name = name}, .buy = -1, .failover = -1, .policy = {.index = -1}};
}

static void own_terms_win_one_by_one(void **state)
{
    struct strategy_terms own[2] = {no_terms("a"), no_terms("b")};
    struct strategy s = {.item = {.name = "s"},
                         .terms = {.instance = "p4d.24xlarge",
                                   .nodes = 4,
                                   .buy = PURCHASE_SPOT,
                                   .zone = "us-east-1a",
                                   .policy = {.index = index_of("fallback")}},
                         .workloads = {own, 2}};
    struct strategy_terms t;

    (void)state;
    own[1].nodes = 8;
    own[1].buy = PURCHASE_ON_DEMAND;
    t = strategy_terms_for(&s, "other");
    assert_string_equal(t.item.name, "s");
    assert_int_equal(t.nodes, 4);
    t = strategy_terms_for(&s, "a");
    assert_string_equal(t.item.name, "a");
    assert_string_equal(t.instance, "p4d.24xlarge");
    assert_int_equal(t.nodes, 4);
    assert_int_equal(t.buy, PURCHASE_SPOT);
    assert_string_equal(t.zone, "us-east-1a");
    assert_int_equal(t.policy.index, index_of("fallback"));
    t = strategy_terms_for(&s, "b");
    assert_int_equal(t.nodes, 8);
    assert_int_equal(t.buy, PURCHASE_ON_DEMAND);
    assert_string_equal(t.instance, "p4d.24xlarge");
    own[1].instance = "p5.48xlarge";
    own[1].zone = "us-east-1b";
    own[1].policy.index = index_of("wait");
    t = strategy_terms_for(&s, "b");
    assert_string_equal(t.instance, "p5.48xlarge");
    assert_string_equal(t.zone, "us-east-1b");
    assert_int_equal(t.policy.index, index_of("wait"));
}

static void a_policy_follows_from_buy(void **state)
{
    struct strategy_terms t = no_terms("w");
    const void *params = &t;
    int marker = 0;

    (void)state;
    assert_null(strategy_policy(&t, &params));
    assert_null(params);
    t.buy = PURCHASE_ON_DEMAND;
    assert_string_equal(strategy_policy(&t, &params)->schema->name, "on-demand");
    t.buy = PURCHASE_SPOT;
    assert_string_equal(strategy_policy(&t, &params)->schema->name, "wait");
    t.policy = (struct schema_variant){index_of("fallback"), &marker};
    assert_string_equal(strategy_policy(&t, &params)->schema->name, "fallback");
    assert_ptr_equal(params, &marker);
    t.buy = -1; /* a policy that is named knows what it buys */
    assert_string_equal(strategy_policy(&t, &params)->schema->name, "fallback");
}

/* The two levels of a scenario know the same terms, each in its own struct. */
static void both_levels_know_the_same_keys(void **state)
{
    const struct schema *inner = &strategy_terms_schema, *outer = &strategy_schema;

    (void)state;
    assert_int_equal(outer->key_count, inner->key_count + 2);
    for (size_t i = 0; i < inner->key_count; i++) {
        const struct schema_key *a = &inner->keys[i], *b = schema_find(outer, a->name);
        assert_non_null(b);
        assert_int_equal(a->kind, b->kind);
        assert_int_equal(a->offset + offsetof(struct strategy, terms), b->offset);
    }
    assert_non_null(schema_find(outer, "workloads"));
    assert_non_null(schema_find(outer, "commitments"));
}

static void buy_names_are_those_of_the_market(void **state)
{
    (void)state;
    for (int i = 0; i < PURCHASE_COUNT; i++)
        assert_string_equal(strategy_buy_names[i], purchase_names[i]);
    assert_null(strategy_buy_names[PURCHASE_COUNT]);
}

/* `zone` and `zones` say the same thing: one of them alone takes the place of both. */
static void own_zones_take_the_place_of_a_zone(void **state)
{
    static const char *const all[] = {"us-east-1a", "us-east-1b"}, *const own_all[] = {
                                                                       "us-east-1c"};
    struct strategy_terms own = no_terms("a");
    struct strategy s = {.item = {.name = "s"}, .terms = no_terms("s"), .workloads = {&own, 1}};
    (void)state;
    s.terms.zone = "us-east-1d";
    s.terms.zones = (struct schema_list){(void *)(uintptr_t)all, 2};
    s.terms.failover = 1;
    struct strategy_terms t = strategy_terms_for(&s, "a");
    assert_string_equal(t.zone, "us-east-1d");
    assert_int_equal(t.zones.count, 2);
    assert_int_equal(t.failover, 1);
    own.zone = "us-east-1f";
    t = strategy_terms_for(&s, "a");
    assert_string_equal(t.zone, "us-east-1f");
    assert_int_equal(t.zones.count, 0);
    own.zone = NULL;
    own.zones = (struct schema_list){(void *)(uintptr_t)own_all, 1};
    own.failover = 2;
    t = strategy_terms_for(&s, "a");
    assert_null(t.zone);
    assert_int_equal(t.zones.count, 1);
    assert_int_equal(t.failover, 2);
    t = strategy_terms_for(&s, "other");
    assert_int_equal(t.zones.count, 2);
    assert_int_equal(t.failover, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_terms_win_one_by_one),
        cmocka_unit_test(own_zones_take_the_place_of_a_zone),
        cmocka_unit_test(a_policy_follows_from_buy),
        cmocka_unit_test(both_levels_know_the_same_keys),
        cmocka_unit_test(buy_names_are_those_of_the_market),
    };

    return cmocka_run_group_tests_name("strategy", tests, NULL, NULL);
}
