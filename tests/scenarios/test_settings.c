/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/settings.h"
#include "tests/support/testing.h"
#include "tests/support/yaml_round.h"

#include <stdio.h>

/* A schema with every way in which a path can go on: keys, names, variants, and names of both. */
static const struct schema_key pool_keys[] = {{.name = "price", .kind = SCHEMA_NUMBER},
                                              {.name = "wait", .kind = SCHEMA_VARIATE}};
static const struct schema pool = {.name = "pool", .shorthand = "price", SCHEMA_KEYS(pool_keys)};

static const struct schema_key policy_keys[] = {{.name = "after", .kind = SCHEMA_NUMBER}};
static const struct schema policy_a = {
    .name = "a", .tag = "name", .shorthand = "name", SCHEMA_KEYS(policy_keys)};
static const struct schema policy_b = {.name = "b", .tag = "name", .shorthand = "name"};
static const struct schema *const policies[] = {&policy_a, &policy_b, NULL};

static const struct schema_key job_keys[] = {
    {.name = "mfu", .kind = SCHEMA_NUMBER},
    {.name = "speed", .kind = SCHEMA_MAP, .inner = &pool},
    {.name = "policy", .kind = SCHEMA_VARIANT, .variants = policies}};
static const struct schema job = {.name = "job", .tag = "kind", SCHEMA_KEYS(job_keys)};
static const struct schema service = {.name = "service", .tag = "kind", SCHEMA_KEYS(pool_keys)};
static const struct schema *const kinds[] = {&service, &job, NULL};

static const struct schema_key market_keys[] = {
    {.name = "spot", .kind = SCHEMA_MAP, .inner = &pool}};
static const struct schema market = {.name = "market", SCHEMA_KEYS(market_keys)};

static const struct schema_key root_keys[] = {
    {.name = "title", .kind = SCHEMA_TEXT},
    {.name = "files", .kind = SCHEMA_TEXTS},
    {.name = "market", .kind = SCHEMA_SECTION, .inner = &market},
    {.name = "pools", .kind = SCHEMA_LIST, .inner = &pool, .list_or_one = true},
    {.name = "more", .kind = SCHEMA_LIST, .inner = &pool},
    {.name = "work", .kind = SCHEMA_MAP, .variants = kinds}};
static const struct schema root_schema = {.name = "root", SCHEMA_KEYS(root_keys)};

struct row {
    const char *base, *setting;
    const char *want; /* the tree; or, when it begins with '!', the error */
};

static const struct row rows[] = {
    /* keys */
    {"{}", "title=x", "{title: x}"},
    {"{title: y}", "title=x", "{title: x}"},
    {"{title: y}", "title=null", "{}"},
    {"{title: y}", "title=\"null\"", "{title: \"null\"}"},
    {"{}", "title=null", "{}"},
    {"{}", "market.spot.x.price=null", "{}"},
    {"{}", "title=", "{title: }"},
    {"{}", "title=a=b", "{title: a=b}"},
    {"{}", "title=  spaces  ", "{title: spaces}"},
    {"{}", "files=[a, {b: c}]", "{files: [a, {b: c}]}"},
    {"{files: [a]}", "files=b", "{files: b}"},
    {"{}", "\"title\"=x", "{title: x}"},
    /* a list that may be one item */
    {"{}", "pools.price=5", "{pools: {price: 5}}"},
    {"{pools: {wait: 1}}", "pools.price=5", "{pools: {wait: 1, price: 5}}"},
    {"{pools: [{wait: 1}]}", "pools.price=5", "{pools: [{wait: 1, price: 5}]}"},
    {"{pools: [4]}", "pools.wait=5", "{pools: [{price: 4, wait: 5}]}"},
    {"{pools: []}", "pools.price=5", "!'pools' has no keys below it; set it as a whole"},
    {"{pools: [{wait: 1}, {wait: 2}]}", "pools.price=5",
     "!'pools' has no keys below it; set it as a whole"},
    {"{more: [{wait: 1}]}", "more.price=5", "!'more' has no keys below it; set it as a whole"},
    /* names that hold dots */
    {"{}", "market.spot.p4d.24xlarge.price=5", "{market: {spot: {p4d.24xlarge: {price: 5}}}}"},
    {"{}", "market.spot.\"p4d.24xlarge\".price=5", "{market: {spot: {p4d.24xlarge: {price: 5}}}}"},
    {"{}", "market.spot.'p4d.24xlarge'=5", "{market: {spot: {p4d.24xlarge: 5}}}"},
    {"{}", "market.spot.p4d.24xlarge=5", "{market: {spot: {p4d.24xlarge: 5}}}"},
    {"{}", "market.spot.us-east-1a/p4d.24xlarge.wait=5",
     "{market: {spot: {us-east-1a/p4d.24xlarge: {wait: 5}}}}"},
    {"{market: {spot: {a: {wait: 1}, a.b: {wait: 2}}}}", "market.spot.a.b.price=5",
     "{market: {spot: {a: {wait: 1}, a.b: {wait: 2, price: 5}}}}"},
    {"{market: {spot: {a: {wait: 1}}}}", "market.spot.a.b.price=5",
     "{market: {spot: {a: {wait: 1}, a.b: {price: 5}}}}"},
    {"{market: {spot: {a.price: 1}}}", "market.spot.a.price=5", "{market: {spot: {a.price: 5}}}"},
    {"{market: {spot: {a.price: 1}}}", "market.spot.\"a\".price=5",
     "{market: {spot: {a.price: 1, a: {price: 5}}}}"},
    /* mappings laid over mappings */
    {"{market: {spot: {a: {wait: 1}}}}", "market={spot: {a: {price: 2}}}",
     "{market: {spot: {a: {wait: 1, price: 2}}}}"},
    /* a scalar that stands for a key is spelt out */
    {"{market: {spot: {a: 3}}}", "market.spot.a.wait=5",
     "{market: {spot: {a: {price: 3, wait: 5}}}}"},
    {"{work: {w: {policy: b}}}", "work.w.policy.after=5",
     "{work: {w: {policy: {name: b, after: 5}}}}"},
    {"{market: }", "market.spot.a=5", "{market: {spot: {a: 5}}}"},
    {"{market: [x]}", "market.spot.a=5", "{market: {spot: {a: 5}}}"},
    /* variants: keys of any of them, and the tag */
    {"{}", "work.w.kind=job", "{work: {w: {kind: job}}}"},
    {"{}", "work.w.price=5", "{work: {w: {price: 5}}}"},
    {"{}", "work.w.mfu=5", "{work: {w: {mfu: 5}}}"},
    {"{}", "work.v1.2.speed.p4d.24xlarge.wait=5",
     "{work: {v1.2: {speed: {p4d.24xlarge: {wait: 5}}}}}"},
    {"{work: {w: {speed: {x.y: 1}}}}", "work.w.speed.x.y=5", "{work: {w: {speed: {x.y: 5}}}}"},
    {"{}", "work.w.policy=a", "{work: {w: {policy: a}}}"},
    {"{}", "work.w.policy.name=a", "{work: {w: {policy: {name: a}}}}"},
    /* what leads nowhere */
    {"{}", "titel=x", "!unknown key 'titel'; did you mean 'title'?"},
    {"{}", "frob=x", "!unknown key 'frob'"},
    {"{}", "title.x=1", "!'title' has no keys below it; set it as a whole"},
    {"{}", "files.1=a", "!'files' has no keys below it; set it as a whole"},
    {"{}", "market.spto.a=1", "!unknown key 'spto'; did you mean 'spot'?"},
    {"{}", "market.spot.p4d.24xlarge.prcie=1", "!unknown key 'prcie'; did you mean 'price'?"},
    {"{market: {spot: {p4d.24xlarge: {}}}}", "market.spot.p4d.24xlarge.frob=1",
     "!unknown key 'frob'"},
    {"{work: {w: {kind: job}}}", "work.w.speed.x.wiat=1",
     "!unknown key 'wiat'; did you mean 'wait'?"},
    {"{}", "work.w.kind.x=1", "!'work.w.kind' has no keys below it; set it as a whole"},
    {"{}", "market.spot.\"p4d\".\"24xlarge\".price=1", "!unknown key '24xlarge'"},
    /* what is no setting */
    {"{}", "title", "!no '='; write path.to.key=value"},
    {"{}", "", "!the path has an empty part; write path.to.key=value"},
    {"{}", "title.=x", "!the path has an empty part; write path.to.key=value"},
    {"{}", "'title=x", "!a quote in the path is not closed"},
    {"{}", "'title'x=x", "!text after a quoted part of the path"},
    {"{}", "title=job #2", "!the value would read as 'job'; put it in quotes"},
    {"{}", "title=a\n  b", "!the value would read as 'a b'; put it in quotes"},
    {"{}", "title=[", "!a value is missing here"},
    {"{}", "title=*x", "!aliases are not supported; put text that begins with '*' in quotes"},
    {"{}", "title=a\x01z", "!the character U+0001 is not allowed; remove it"},
    {"{}", "title=a\xff", "!the byte 0xFF is not UTF-8"},
};

static void sets(void **state)
{
    const struct row *row = *state;
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct yaml_node *root = yaml_of_text(a, d, "base.yaml", row->base);
    struct place where = {0};
    char file[256];

    if (row->want[0] != '!') {
        assert_true(settings_apply(root, &root_schema, row->setting, a, d));
        assert_string_equal(yaml_to_text(a, root), row->want);
        assert_false(diagnostics_failed(d));
    } else {
        settings_apply(root, &root_schema, row->setting, a, d);
        assert_int_equal(diagnostics_exit_code(d), 2);
        assert_string_equal(diagnostics_text(d, 0, NULL, &where), row->want + 1);
        snprintf(file, sizeof(file), "--set %s", row->setting);
        assert_string_equal(where.file, file);
        assert_int_equal(where.line, 0);
    }
    arena_free(a);
    diagnostics_free(d);
}

static void places_name_the_setting(void **state)
{
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    struct yaml_node *root = yaml_of_text(a, d, "base.yaml", "{market: {spot: {a: 3}}}");
    const struct yaml_node *n;

    (void)state;
    assert_true(settings_apply(root, &root_schema, "market.spot.a={wait: 5}", a, d));
    n = yaml_tree_find(yaml_tree_find(yaml_tree_find(root, "market"), "spot"), "a");
    assert_string_equal(n->key_place.file, "--set market.spot.a={wait: 5}");
    assert_int_equal(n->place.line, 0);
    assert_string_equal(yaml_tree_find(n, "wait")->place.file, "--set market.spot.a={wait: 5}");
    assert_int_equal(yaml_tree_find(n, "wait")->place.column, 0);
    arena_free(a);
    diagnostics_free(d);
}

int main(void)
{
    enum { ROWS = sizeof(rows) / sizeof(rows[0]) };
    struct CMUnitTest tests[ROWS + 1] = {cmocka_unit_test(places_name_the_setting)};

    for (size_t i = 0; i < ROWS; i++)
        tests[i + 1] = (struct CMUnitTest){
            .name = rows[i].setting, .test_func = sets, .initial_state = (void *)&rows[i]};
    return cmocka_run_group_tests_name("settings", tests, NULL, NULL);
}
