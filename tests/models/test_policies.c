/* SPDX-License-Identifier: GPL-3.0-or-later
 * Policies as functions of what can be observed: one view, one decision a row. */
#include "models/policies/policy.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct policy *find(const char *name)
{
    size_t i = 0;
    while (policy_table[i] != NULL && strcmp(policy_table[i]->schema->name, name) != 0) {
        i++;
    }
    assert_non_null(policy_table[i]);
    return policy_table[i];
}

/* Parameters as the reader would leave them; `after` and `return` are those of fallback. */
static void *params_of(const struct policy *p, double after_s, bool back)
{
    char *params = calloc(1, p->schema->size);
    assert_non_null(params);
    const struct schema_key *after = schema_find(p->schema, "after");
    const struct schema_key *returns = schema_find(p->schema, "return");
    if (after != NULL) {
        struct number n = NUMBER_CERTAIN(after_s);
        memcpy(params + after->offset, &n, sizeof n);
    }
    if (returns != NULL) {
        memcpy(params + returns->offset, &back, sizeof back);
    }
    return params;
}

#define OD    PURCHASE_ON_DEMAND
#define SPOT  PURCHASE_SPOT
#define NEVER HUGE_VAL

struct row {
    const char *name, *policy;
    double after_s;
    bool back;
    struct policy_view view;
    enum purchase want;
    double ask_again_at_s;
};

static const struct row rows[] = {
    {"on-demand always wants on-demand", "on-demand", 0, false, {.now_s = 5}, OD, NEVER},
    {"on-demand does not care for spot",
     "on-demand",
     0,
     false,
     {.now_s = 5, .spot_obtainable = true},
     OD,
     NEVER},
    {"wait always wants spot", "wait", 0, false, {.now_s = 5}, SPOT, NEVER},
    {"wait waits for ever",
     "wait",
     0,
     false,
     {.now_s = 1e9, .spot_wanted_since_s = 0},
     SPOT,
     NEVER},

    {"fallback asks for spot first, and will be asked when its time is over",
     "fallback",
     600,
     false,
     {.now_s = 100, .spot_wanted_since_s = 100},
     SPOT,
     700},
    {"fallback: the time is not over yet",
     "fallback",
     600,
     false,
     {.now_s = 699, .spot_wanted_since_s = 100},
     SPOT,
     700},
    {"fallback: the time is over",
     "fallback",
     600,
     false,
     {.now_s = 700, .spot_wanted_since_s = 100},
     OD,
     NEVER},
    {"fallback: no time at all",
     "fallback",
     0,
     false,
     {.now_s = 100, .spot_wanted_since_s = 100},
     OD,
     NEVER},
    {"fallback: spot can be had, though the time is over",
     "fallback",
     600,
     false,
     {.now_s = 900, .spot_wanted_since_s = 100, .spot_obtainable = true},
     SPOT,
     NEVER},
    {"fallback: a gang on spot stays there",
     "fallback",
     0,
     false,
     {.now_s = 900, .spot_wanted_since_s = 900, .running = true, .runs_on = SPOT},
     SPOT,
     NEVER},
    {"fallback, stay: a gang on on-demand stays there",
     "fallback",
     600,
     false,
     {.now_s = 900, .running = true, .runs_on = OD, .spot_obtainable = true},
     OD,
     NEVER},
    {"fallback, return: on-demand stays while spot cannot be had",
     "fallback",
     600,
     true,
     {.now_s = 900, .running = true, .runs_on = OD},
     OD,
     NEVER},
    {"fallback, return: back when spot can be had",
     "fallback",
     600,
     true,
     {.now_s = 900, .running = true, .runs_on = OD, .spot_obtainable = true},
     SPOT,
     NEVER},
    {"fallback, return: a gang on spot stays there",
     "fallback",
     600,
     true,
     {.now_s = 900, .running = true, .runs_on = SPOT},
     SPOT,
     NEVER},
};

static void decision(void **state)
{
    const struct row *row = *state;
    const struct policy *p = find(row->policy);
    void *params = params_of(p, row->after_s, row->back);
    struct policy_decision d = p->decide(params, &row->view);
    assert_int_equal(d.want, row->want);
    assert_true(p->uses[d.want]);
    if (isinf(row->ask_again_at_s)) {
        assert_true(isinf(d.ask_again_at_s) && d.ask_again_at_s > 0);
    } else {
        assert_near(d.ask_again_at_s, row->ask_again_at_s, 0, "asked again");
    }
    free(params);
}

/* `after` may be uncertain: a policy sees its median. */
static void fallback_sees_the_median_of_its_time(void **state)
{
    (void)state;
    const struct policy *p = find("fallback");
    char *params = params_of(p, 600, false);
    struct number *after =
        (struct number *)(void *)(params + schema_find(p->schema, "after")->offset);
    after->input = 3;
    struct policy_decision d =
        p->decide(params, &(struct policy_view){.now_s = 50, .spot_wanted_since_s = 50});
    assert_near(d.ask_again_at_s, 650, 0, "asked again");
    free(params);
}

static void policies_know_which_pools_they_use(void **state)
{
    (void)state;
    assert_true(find("on-demand")->uses[OD] && !find("on-demand")->uses[SPOT]);
    assert_true(!find("wait")->uses[OD] && find("wait")->uses[SPOT]);
    assert_true(find("fallback")->uses[OD] && find("fallback")->uses[SPOT]);
}

/* Prices for the gang as a test wants them; a commitment begins or ends at 5000 s. */
static struct policy_price gang_price(void *context, enum purchase purchase)
{
    const double *prices = context; /* on demand, listed on demand, on spot */
    double spot = prices[2];
    return purchase == OD ? (struct policy_price){prices[0], prices[1]}
                          : (struct policy_price){spot, spot};
}

static double change_at(void *context)
{
    (void)context;
    return 5000;
}

/* The rule of `prefer_covered`: the cheaper by what is signed, where anything is covered. */
static void fallback_prefers_what_is_covered(void **state)
{
    (void)state;
    static const struct {
        double prices[3];
        bool prefer, back, running, no_room;
        enum purchase runs_on, want;
        double again_s;
    } cases[] = {
        {{0, 40, 9}, true, false, false, false, OD, OD, 5000},
        {{0, 40, 9}, false, false, false, false, OD, SPOT, NEVER},
        {{0, 40, 9}, true, false, false, true, OD, SPOT, 5000},    /* no room on demand */
        {{9, 40, 9}, true, false, false, false, OD, OD, 5000},     /* equal */
        {{10, 40, 9}, true, false, false, false, OD, SPOT, 5000},  /* covered in part, yet dearer */
        {{8, 8, 9}, true, false, false, false, OD, SPOT, 5000},    /* nothing is covered */
        {{0, 40, 9}, true, false, true, false, SPOT, SPOT, NEVER}, /* a working gang stays */
        {{0, 40, 9}, true, true, true, false, SPOT, OD, 5000},     /* moves with `return` */
        {{0, 40, 9}, true, true, true, false, OD, OD, 5000},       /* and does not come back */
        {{40, 40, 9}, true, true, true, false, OD, SPOT, 5000},    /* until the term has ended */
        {{40, 40, 9}, true, false, true, false, OD, OD, NEVER},
    };
    const struct policy *p = find("fallback");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *params = params_of(p, 600, cases[i].back);
        memcpy(params + schema_find(p->schema, "prefer_covered")->offset, &cases[i].prefer,
               sizeof(bool));
        double prices[3];
        memcpy(prices, cases[i].prices, sizeof prices);
        const struct policy_prices asked = {gang_price, change_at, prices};
        const struct policy_view view = {.now_s = 1000,
                                         .running = cases[i].running,
                                         .runs_on = cases[i].runs_on,
                                         .spot_obtainable = true,
                                         .spot_wanted_since_s = 1000,
                                         .prices = &asked,
                                         .on_demand_obtainable = !cases[i].no_room};
        struct policy_decision d = p->decide(params, &view);
        if (d.want != cases[i].want || d.ask_again_at_s != cases[i].again_s) {
            fail_msg("case %zu: wants %d, asks again at %g", i, d.want, d.ask_again_at_s);
        }
        free(params);
    }
}

/* Who leaves a working gang of its own will needs checkpoints. */
static void only_a_return_leaves_a_working_gang(void **state)
{
    (void)state;
    assert_null(find("on-demand")->switches_back);
    assert_null(find("wait")->switches_back);
    const struct policy *p = find("fallback");
    for (int back = 0; back < 2; back++) {
        void *params = params_of(p, 600, back == 1);
        assert_int_equal(p->switches_back(params), back);
        free(params);
    }
}

static void each_policy_has_a_schema_of_its_own(void **state)
{
    (void)state;
    size_t count = 0;
    for (; policy_table[count] != NULL; count++) {
        assert_ptr_equal(policy_variants[count], policy_table[count]->schema);
        assert_string_equal(policy_table[count]->schema->tag, "name");
        for (size_t i = 0; i < count; i++) {
            assert_string_not_equal(policy_table[i]->schema->name,
                                    policy_table[count]->schema->name);
        }
    }
    assert_null(policy_variants[count]);
    assert_true(count >= 3);
}

/* Any view at all: the decision is one the policy may make, and lies in the future. */
static void decisions_are_possible(void **state)
{
    (void)state;
    for (size_t i = 0; policy_table[i] != NULL; i++) {
        const struct policy *p = policy_table[i];
        for (unsigned bits = 0; bits < 64; bits++) {
            void *params = params_of(p, bits & 1 ? 600 : 0, (bits & 2) != 0);
            const struct policy_view view = {.now_s = 1000,
                                             .running = (bits & 4) != 0,
                                             .runs_on = bits & 8 ? SPOT : OD,
                                             .spot_obtainable = (bits & 16) != 0,
                                             .spot_wanted_since_s = bits & 32 ? 1000 : 0,
                                             .nodes = 4,
                                             .deadline_s = HUGE_VAL};
            struct policy_decision d = p->decide(params, &view);
            assert_true(p->uses[d.want]);
            assert_true(d.ask_again_at_s > view.now_s);
            free(params);
        }
    }
}

struct block_row {
    const char *name;
    int then; /* none, on-demand, spot */
    bool gaps;
    struct policy_view view;
    enum purchase want;
};

#define BLOCK PURCHASE_BLOCK

static const struct block_row block_rows[] = {
    {"waits for ever", 0, false, {.now_s = 5}, BLOCK},
    {"waits for its window", 1, false, {.block_to_come = true}, BLOCK},
    {"bridges the gap", 1, true, {.block_to_come = true}, OD},
    {"takes a block that opens", 1, true, {.block_obtainable = true, .block_to_come = true}, BLOCK},
    {"goes on after the last window", 1, false, {.now_s = 5}, OD},
    {"on spot if so stated", 2, false, {.now_s = 5}, SPOT},
    {"stays in its block",
     1,
     true,
     {.running = true, .runs_on = BLOCK, .block_to_come = false},
     BLOCK},
    {"stays on demand until a block opens",
     1,
     true,
     {.running = true, .runs_on = OD, .block_to_come = true},
     OD},
    {"moves when it does",
     1,
     true,
     {.running = true, .runs_on = OD, .block_to_come = true, .block_obtainable = true},
     BLOCK},
};

static void blocks_and_what_comes_then(void **state)
{
    (void)state;
    const struct policy *p = find("capacity-block");
    for (size_t i = 0; i < sizeof block_rows / sizeof block_rows[0]; i++) {
        const struct block_row *r = &block_rows[i];
        char *params = params_of(p, 0, false);
        memcpy(params + schema_find(p->schema, "then")->offset, &r->then, sizeof r->then);
        memcpy(params + schema_find(p->schema, "gaps")->offset, &r->gaps, sizeof r->gaps);
        if (p->decide(params, &r->view).want != r->want) {
            fail_msg("%s", r->name);
        }
        assert_int_equal(policy_uses(p, params, OD), r->then == 1);
        assert_int_equal(policy_uses(p, params, SPOT), r->then == 2);
        assert_true(policy_uses(p, params, BLOCK));
        assert_int_equal(p->switches_back(params), r->gaps && r->then > 0);
        free(params);
    }
    assert_int_equal(p->decide(NULL, &block_rows[0].view).want, BLOCK);
    assert_false(policy_uses(p, NULL, OD));
}

/* What is shown zeros decides as if it had seen everything; no other policy may be. */
static void policies_that_look_at_nothing(void **state)
{
    (void)state;
    const struct policy_view nothing = {0};
    size_t count = 0;
    for (const struct policy *const *p = policy_table; *p != NULL; p++) {
        if (!(*p)->looks_at_nothing) {
            continue;
        }
        count++;
        const struct policy_decision want = (*p)->decide(NULL, &nothing);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            const struct policy_decision got = (*p)->decide(NULL, &rows[i].view);
            assert_int_equal(got.want, want.want);
            assert_int_equal(got.give_up, want.give_up);
            assert_true(got.ask_again_at_s == want.ask_again_at_s);
            assert_memory_equal(got.noted, want.noted, sizeof got.noted);
        }
    }
    assert_int_equal(count, 2);
    assert_true(find("wait")->looks_at_nothing && find("on-demand")->looks_at_nothing);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof rows[0] };
    const struct CMUnitTest own[] = {
        cmocka_unit_test(fallback_prefers_what_is_covered),
        cmocka_unit_test(blocks_and_what_comes_then),
        cmocka_unit_test(fallback_sees_the_median_of_its_time),
        cmocka_unit_test(policies_know_which_pools_they_use),
        cmocka_unit_test(only_a_return_leaves_a_working_gang),
        cmocka_unit_test(each_policy_has_a_schema_of_its_own),
        cmocka_unit_test(decisions_are_possible),
        cmocka_unit_test(policies_that_look_at_nothing),
    };
    enum { OWN = sizeof own / sizeof own[0] };
    struct CMUnitTest tests[OWN + ROWS];
    size_t n = OWN;
    memcpy(tests, own, sizeof own);
    for (size_t i = 0; i < ROWS; i++) {
        tests[n++] =
            (struct CMUnitTest){rows[i].name, decision, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    }
    return _cmocka_run_group_tests("policies", tests, n, NULL, NULL);
}
