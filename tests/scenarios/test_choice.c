/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which strategy is chosen, which never is, and what is said of the others. */
#include "engine/gsl_errors.h"
#include "scenarios/study/choice_words.h"
#include "scenarios/study/run.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The hours are the same in each world: b costs 3.912 / 3.06 of a, c four times as much; d hardly
 * ever ends in time. */
#define SCENARIO                                                                                   \
    "version: 1\nstart: 2026-01-30\nhorizon: 60h\nregion: us-east-1\nreplications: 200\n"          \
    "budget: 80 USD\n"                                                                             \
    "workloads: {job: {kind: training, hours: 20..28h, boot: 0s, deadline: 30h,\n"                 \
    "                  checkpoint: {every: 1h}}}\n"                                                \
    "market: {spot: {p3.2xlarge: {price: 1 USD/h, availability: 30 %}}}\n"                         \
    "strategies:\n"                                                                                \
    "  a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"                                      \
    "  b: {instance: g4dn.12xlarge, nodes: 1, buy: on-demand}\n"                                   \
    "  c: {instance: p3.8xlarge, nodes: 1, buy: on-demand}\n"                                      \
    "  d: {instance: p3.2xlarge, nodes: 1, buy: spot}\n"
enum { A, B, C, D };

static void run_with(struct run *run, struct study **study, const char *text,
                     const char *const *sets)
{
    *study = study_from_text(text, sets);
    study_run(run, *study, 2);
}

static void release(struct run *run, struct study *study)
{
    run_release(run);
    study_free(study);
}

static void assert_says(const struct run *run, size_t strategy, const char *part)
{
    struct text t;
    text_init(&t, 0);
    choice_reason(&t, &run->choice, run->study, strategy);
    if (strstr(t.data, part) == NULL) {
        fail_msg("\"%s\" is said of strategy %zu, without \"%s\"", t.data, strategy, part);
    }
    text_release(&t);
}

/* d would be the cheapest by far, with what it has cost up to the horizon. */
static void the_best_that_can_be_chosen(void **state)
{
    (void)state;
    static const char *const sets[] = {"choose=cost_usd.p80", NULL};
    struct study *s;
    struct run run;
    run_with(&run, &s, SCENARIO, sets);
    const struct choice *c = &run.choice;
    assert_int_equal(c->chosen, A);
    assert_int_equal(c->runner_up, B);
    assert_int_equal(c->one[A].status, CHOICE_CHOSEN);
    assert_int_equal(c->one[B].status, CHOICE_WORSE);
    assert_int_equal(c->one[C].status, CHOICE_WORSE);
    assert_int_equal(c->one[D].status, CHOICE_UNFINISHED);
    assert_int_equal(c->one[A].rank, 1);
    assert_int_equal(c->one[B].rank, 2);
    assert_int_equal(c->one[C].rank, 3);
    assert_int_equal(c->one[D].rank, 0);
    assert_true(c->one[D].unfinished > 0.5);
    assert_true(isnan(c->one[A].difference) && isnan(c->one[D].difference));
    const double dearer = c->one[A].value.value * (3.912 / 3.06 - 1);
    assert_near(c->one[B].difference, dearer, 0.01, "difference");
    assert_true(c->one[B].low > 0.9 * dearer && c->one[B].low < dearer);
    assert_true(c->one[B].high < 1.1 * dearer && c->one[B].high > dearer);
    assert_true(c->sure > 0.999);
    assert_int_equal(c->level, 0);
    assert_says(&run, A, "lowest P80 of cost_usd: ");
    assert_says(&run, A, "told from every other that can be chosen, at a confidence of more than");
    assert_says(&run, B, "worse than 'a': P80 of cost_usd is 2");
    assert_says(&run, D, "of futures, more than 1 %");
    release(&run, s);
}

/* Worlds of its own, as many as asked for, and the same at any number of threads. */
static void the_winner_is_estimated_anew(void **state)
{
    (void)state;
    static const char *const sets[] = {"choose={minimise: cost_usd.p80, fresh_worlds: 150}", NULL};
    static const char *const none[] = {"choose={minimise: cost_usd.p80, fresh_worlds: 0}", NULL};
    struct study *s, *t;
    struct run run, again;
    run_with(&run, &s, SCENARIO, sets);
    const struct choice *c = &run.choice;
    const struct choice_fresh *a = &c->one[A].fresh, *b = &c->one[B].fresh;
    assert_int_equal(c->fresh_worlds, 150);
    assert_true(a->given && b->given && !c->one[C].fresh.given && !c->one[D].fresh.given);
    assert_int_equal(a->value.n, 150);
    assert_true(a->value.value < c->one[A].value.value || a->value.value > c->one[A].value.value);
    assert_near(a->value.value, c->one[A].value.value, 6, "about the same");
    assert_near(b->difference, a->value.value * (3.912 / 3.06 - 1), 0.01, "difference");
    struct text words;
    text_init(&words, 0);
    choice_fresh_words(&words, c, s);
    assert_non_null(strstr(words.data, "in 150 fresh futures the P80 of cost_usd of 'a' is "));
    assert_non_null(strstr(words.data, "the runner-up 'b' is worse, by "));
    t = study_from_text(SCENARIO, sets);
    study_run(&again, t, 1);
    assert_memory_equal(&again.choice.one[A].fresh.value, &a->value, sizeof a->value);
    release(&again, t);
    /* Nothing else depends on it. */
    run_with(&again, &t, SCENARIO, none);
    assert_int_equal(again.choice.fresh_worlds, 0);
    assert_false(again.choice.one[A].fresh.given);
    for (uint32_t i = 0; i < 200; i++) {
        assert_memory_equal(results_cells(&again.results, i, B, 0),
                            results_cells(&run.results, i, B, 0), 2 * sizeof(struct metric_cells));
    }
    text_clear(&words);
    choice_fresh_words(&words, &again.choice, t);
    assert_int_equal(words.length, 0);
    text_release(&words);
    release(&again, t);
    release(&run, s);
}

/* The winner of many equals was lucky; on fresh worlds it is as good as the others. Two dozen
 * strategies that differ in nothing but the luck of their own launches. */
static void a_lucky_winner_loses_its_luck(void **state)
{
    (void)state;
    enum { STUDIES = 20 };
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 60d\nregion: us-east-1\nreplications: 60\n"
        "choose: {minimise: cost_usd, fresh_worlds: 60}\n"
        "workloads: {job: {kind: training, hours: 10h, boot: exponential(4h)}}\n"
        "strategies:\n"
        "  p: {instance: p3.2xlarge, nodes: 1, buy: on-demand, zone: us-east-1a}\n"
        "  q: {instance: p3.2xlarge, nodes: 1, buy: on-demand, zone: us-east-1b}\n"
        "  r: {instance: p3.2xlarge, nodes: 1, buy: on-demand, zone: us-east-1c}\n"
        "  s: {instance: p3.2xlarge, nodes: 1, buy: on-demand, zone: us-east-1d}\n";
    double gain = 0, squares = 0;
    for (int i = 0; i < STUDIES; i++) {
        char seed[32];
        const char *const sets[] = {seed, NULL};
        struct study *s;
        struct run run;
        snprintf(seed, sizeof seed, "seed=%d", i + 1);
        run_with(&run, &s, text, sets);
        const struct choice_one *won = &run.choice.one[run.choice.chosen];
        const double luck = won->fresh.value.value - won->value.value;
        gain += luck / STUDIES;
        squares += luck * luck / STUDIES;
        release(&run, s);
    }
    const double error = sqrt((squares - gain * gain) / STUDIES);
    assert_true(gain > 2 * error);
}

static void equals_are_level(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 60h\nregion: us-east-1\nreplications: 100\n"
        "choose: time_to_train_h.p90\n"
        "workloads: {job: {kind: training, hours: 20..28h}}\n"
        "strategies:\n"
        "  one: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"
        "  two: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n";
    struct study *s;
    struct run run;
    run_with(&run, &s, text, NULL);
    assert_int_equal(run.choice.chosen, 0);
    assert_int_equal(run.choice.one[1].status, CHOICE_LEVEL);
    assert_int_equal(run.choice.one[1].rank, 2);
    assert_near(run.choice.one[1].difference, 0, 0, "difference");
    assert_near(run.choice.sure, 0, 0, "sure");
    assert_says(&run, 0, "1 other cannot be told from it");
    assert_says(&run, 1, "cannot be told from 'one': P90 of time_to_train_h is the same");
    release(&run, s);
}

struct limited {
    const char *condition;
    enum choice_status of_a;
    const char *says;
};

static const struct limited limited[] = {
    {"p_late <= 5 %", CHOICE_CHOSEN, "lowest"},
    {"cost_usd.p80 <= 70 USD", CHOICE_BREAKS_LIMIT,
     "'cost_usd.p80 <= 70 USD' does not hold: P80 of cost_usd is "},
    {"time_to_train_h.p50 <= 10h", CHOICE_BREAKS_LIMIT,
     "does not hold: P50 of time_to_train_h is 23."},
    {"ttft_p99_s <= 5s", CHOICE_BREAKS_LIMIT,
     "'ttft_p99_s <= 5s' is not known to hold: no future has 'ttft_p99'"},
    {"job:cost_usd >= 1000 USD", CHOICE_BREAKS_LIMIT,
     "'job:cost_usd >= 1000 USD' does not hold: mean of cost_usd of 'job' is "},
};

static void conditions_exclude(void **state)
{
    const struct limited *l = *state;
    char set[200];
    const char *const sets[] = {set, NULL};
    struct study *s;
    struct run run;
    snprintf(set, sizeof set, "choose={minimise: cost_usd.p80, subject_to: ['%s']}", l->condition);
    run_with(&run, &s, SCENARIO, sets);
    assert_int_equal(run.choice.one[A].status, l->of_a);
    assert_true((run.choice.chosen == A) == (l->of_a == CHOICE_CHOSEN));
    assert_says(&run, A, l->says);
    release(&run, s);
}

/* "Is 90 %" beside "'>= 90 %' does not hold" reads as a mistake. */
static void a_value_that_reads_like_its_bound_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *condition;
        double value;
        const char *says;
    } rows[] = {
        {"slo_attained_frac >= 90 %", 0.8999999,
         "' does not hold: mean of slo_attained_frac is "
         "just under 90 %"},
        {"slo_attained_frac >= 90 %", 0.9, "' holds: mean of slo_attained_frac is 90 %"},
        {"cost_usd.p90 < 70 USD", 70.0001, "' does not hold: P90 of cost_usd is just over 70"},
        {"cost_usd.p90 < 70 USD", 71, "' does not hold: P90 of cost_usd is 71"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct objective_names names = {.currency = "USD"};
        const double v = rows[i].value;
        const struct estimate e = {.n = 10, .known = true, .value = v, .at_least = v, .at_most = v};
        struct condition c;
        struct text t;
        char message[200];
        text_init(&t, 0);
        assert_true(condition_parse(rows[i].condition, &names, false, &c, message, sizeof message));
        condition_words(&t, &c, &e, "USD");
        if (strstr(t.data, rows[i].says) == NULL) {
            fail_msg("'%s' lacks \"%s\"", t.data, rows[i].says);
        }
        text_release(&t);
    }
}

/* What some cut off worlds leave open satisfies no condition, and makes no mean. */
#define HALF                                                                                       \
    "version: 1\nstart: 2026-01-30\nhorizon: 60h\nregion: us-east-1\nreplications: 2000\n"         \
    "budget: 170 USD\n"                                                                            \
    "workloads: {job: {kind: training, hours: normal(40h; 8.2h), boot: 0s}}\n"                     \
    "strategies:\n"                                                                                \
    "  a: {instance: p3.2xlarge, nodes: 1, buy: on-demand}\n"

static void what_is_unknown_never_wins(void **state)
{
    (void)state;
    static const char *const mean[] = {"choose=cost_usd", NULL};
    static const char *const p80[] = {"choose=cost_usd.p80", NULL};
    static const char *const p999[] = {"choose=cost_usd.p99.9", NULL};
    struct study *s;
    struct run run;
    run_with(&run, &s, HALF, p80);
    assert_true(run.choice.one[0].unfinished > 0 && run.choice.one[0].unfinished < 0.01);
    assert_int_equal(run.choice.chosen, 0);
    assert_says(&run, 0, "the only one of 1 that can be chosen");
    release(&run, s);
    run_with(&run, &s, HALF, mean);
    assert_int_equal(run.choice.chosen, CHOICE_NONE);
    assert_int_equal(run.choice.one[0].status, CHOICE_UNKNOWN);
    assert_says(&run, 0, "mean of cost_usd is not known: ");
    assert_says(&run, 0, "of 2,000 futures are cut off at the horizon");
    release(&run, s);
    run_with(&run, &s, HALF, p999);
    assert_int_equal(run.choice.one[0].status, CHOICE_UNKNOWN);
    release(&run, s);
}

/* 1.5 requests a second find one server of 1 s and no queue: most are dropped. */
static void a_service_must_serve(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2026-01-30\nhorizon: 1h\nregion: us-east-1\nreplications: 20\n"
        "choose: cost_usd\n"
        "workloads: {web: {kind: inference, mode: requests, demand: 1.5/s, timeout: 2s, boot: 0s,\n"
        "                  service: {any: {time: exponential(1s)}}}}\n"
        "strategies:\n"
        "  small: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}\n"
        "  large: {instance: g4dn.xlarge, nodes: 6, buy: on-demand}\n";
    static const char *const less[] = {"choose={minimise: cost_usd, serve_at_least: 30 %}", NULL};
    struct study *s;
    struct run run;
    run_with(&run, &s, text, NULL);
    assert_int_equal(run.choice.chosen, 1);
    assert_int_equal(run.choice.one[0].status, CHOICE_BREAKS_LIMIT);
    assert_says(&run, 0, "% of the requests of 'web', less than 99 %");
    /* Never "99 %, less than 99 %". */
    assert_true(run.choice.one[0].service.short_of);
    run.choice.one[0].service.share = 0.98996;
    assert_says(&run, 0, "answers 98.996 % of the requests of 'web', less than 99 %");
    run.choice.one[0].service.share = 0.9899999;
    assert_says(&run, 0, "answers 98.99999 % of the requests of 'web', less than 99 %");
    release(&run, s);
    run_with(&run, &s, text, less);
    assert_int_equal(run.choice.chosen, 0);
    release(&run, s);
}

/* More is better, of a quantile counted from the other end. */
static void the_most_may_be_wanted(void **state)
{
    (void)state;
    static const char *const sets[] = {"choose={maximise: cost_usd.p80, fresh_worlds: 0}", NULL};
    struct study *s;
    struct run run;
    run_with(&run, &s, SCENARIO, sets);
    assert_int_equal(run.choice.chosen, C);
    assert_int_equal(run.choice.one[A].rank, 3);
    assert_near(run.choice.one[B].difference,
                run.choice.one[C].value.value - run.choice.one[B].value.value, 1e-9, "difference");
    assert_says(&run, C, "highest P80 of cost_usd: ");
    assert_says(&run, B, " USD less");
    release(&run, s);
}

/* Which of the two is the cheaper was decided by an assumption: it decides nothing here. */
static void an_assumed_rate_decides_nothing(void **state)
{
    (void)state;
    static const char text[] =
        "version: 1\nstart: 2025-12-01\nhorizon: 10d\nregion: us-east-1\nreplications: 100\n"
        "choose: cost_usd.p80\n"
        "workloads: {job: {kind: training, hours: 100h, boot: 0s}}\n"
        "strategies:\n"
        "  reserved: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments:\n"
        "    {kind: reserved-instances, instance: p4d.24xlarge, count: 2, term: 1y,\n"
        "     payment: no-upfront}}\n"
        "  plan: {instance: p4d.24xlarge, nodes: 2, buy: on-demand, commitments:\n"
        "    {kind: ec2-instance-savings-plan, family: p4d, hourly: 20 USD/h, term: 1y,\n"
        "     rate: as-reserved}}\n";
    struct study *s;
    struct run run;
    run_with(&run, &s, text, NULL);
    const size_t other = 1 - run.choice.chosen;
    assert_int_equal(run.choice.one[other].status, CHOICE_LEVEL);
    assert_true(run.choice.one[other].doubted);
    assert_true(isinf(run.choice.one[other].high));
    assert_near(run.choice.sure, 0, 0, "sure");
    assert_says(&run, other, "which is the cheaper rests on an assumed savings-plan rate");
    release(&run, s);
}

static void without_the_key_nothing_is_chosen(void **state)
{
    (void)state;
    struct study *s;
    struct run run;
    run_with(&run, &s, SCENARIO, NULL);
    assert_null(run.choice.one);
    assert_int_equal(run.limits.count, 0);
    release(&run, s);
}

/* ---- limits ---- */

static void limits_are_of_the_chosen_one(void **state)
{
    (void)state;
    static const char *const chosen[] = {"choose=cost_usd.p80",
                                         "limits=[p_late <= 5 %, cost_usd.p90 <= 60 USD]", NULL};
    static const char *const all[] = {"limits=p_unfinished <= 1 %", NULL};
    static const char *const none[] = {
        "choose={minimise: cost_usd.p80, subject_to: cost_usd <= 1 USD}", "limits=p_late <= 5 %",
        NULL};
    struct study *s;
    struct run run;
    struct text words;
    text_init(&words, 0);
    run_with(&run, &s, SCENARIO, chosen);
    assert_int_equal(run.limits.count, 2);
    assert_int_equal(run.limits.broken, 1);
    assert_int_equal(run.limits.items[0].answer, LIMIT_KEPT);
    assert_int_equal(run.limits.items[1].answer, LIMIT_BROKEN);
    limit_check_words(&words, &run.limits.items[1], s);
    assert_non_null(strstr(words.data, "strategy 'a': limit 'cost_usd.p90 <= 60 USD' does not "
                                       "hold: P90 of cost_usd is "));
    release(&run, s);
    run_with(&run, &s, SCENARIO, all); /* d alone is unfinished */
    assert_int_equal(run.limits.count, 4);
    assert_int_equal(run.limits.broken, 1);
    assert_int_equal(run.limits.items[3].answer, LIMIT_BROKEN);
    release(&run, s);
    run_with(&run, &s, SCENARIO, none);
    assert_int_equal(run.limits.broken, 1);
    text_clear(&words);
    limit_check_words(&words, &run.limits.items[0], s);
    assert_string_equal(words.data, "no strategy can be chosen, and so none keeps limit 'p_late "
                                    "<= 5 %'");
    text_release(&words);
    release(&run, s);
}

/* ---- what is refused ---- */

static void refusals_say_what_is_meant(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *says;
    } rows[] = {
        {"choose: cost_us.p80\n", ":10:9: error: unknown metric 'cost_us'; did you mean "},
        {"choose: {minimise: job:cost_usd, maximise: late}\n", "exclude each other; drop one"},
        {"choose: {confidence: 90 %}\n", "'choose' needs 'minimise' or 'maximise'"},
        {"choose: {minimise: cost_usd.max}\n",
         "'cost_usd.max' cannot be compared: the largest of "},
        {"choose: {minimise: cost_usd, subject_to: [p_unfinished <= 5 USD]}\n",
         "the value of 'p_unfinished'"},
        {"limits: [p_unfinished <= 5 %,\n  cost_usd <= 5 CNY]\n",
         ":11:3: error: the value is in CNY, but 'cost_usd' is in USD"},
        {"limits: [jbo:p_late <= 5 %]\n", "no workload is called 'jbo'; did you mean 'job'?"},
        {"choose: {minimize: cost_usd}\n", "did you mean 'minimise'?"},
        {"choose: {minimise: cost_usd, subject_to: p_late <= 5 %}\n",
         "'p_late' is not known in any world: no workload has a 'deadline'"},
        {"limits: [p_cancelled <= 5 %]\n", "the scenario has no 'cancel'"},
        {"limits: [job:p_over_budget <= 5 %]\n", "the budget is of all workloads together"},
        {"limits: [p_over_budget <= 5]\n", "which is a share; write 5 %"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[2000];
        int code;
        snprintf(text, sizeof text, "%s%s", HALF, rows[i].keys);
        char *errors = study_errors(text, &code);
        if (strstr(errors, rows[i].says) == NULL) {
            fail_msg("%s is answered by\n%s", rows[i].keys, errors);
        }
        assert_int_equal(code, 2);
        free(errors);
    }
}

int main(void)
{
    gsl_errors_install();
    enum { LIMITED = sizeof limited / sizeof limited[0], OTHERS = 12 };
    struct CMUnitTest tests[LIMITED + OTHERS] = {
        cmocka_unit_test(the_best_that_can_be_chosen),
        cmocka_unit_test(the_winner_is_estimated_anew),
        cmocka_unit_test(a_lucky_winner_loses_its_luck),
        cmocka_unit_test(equals_are_level),
        cmocka_unit_test(a_value_that_reads_like_its_bound_says_so),
        cmocka_unit_test(what_is_unknown_never_wins),
        cmocka_unit_test(a_service_must_serve),
        cmocka_unit_test(the_most_may_be_wanted),
        cmocka_unit_test(an_assumed_rate_decides_nothing),
        cmocka_unit_test(without_the_key_nothing_is_chosen),
        cmocka_unit_test(limits_are_of_the_chosen_one),
        cmocka_unit_test(refusals_say_what_is_meant),
    };
    for (size_t i = 0; i < LIMITED; i++) {
        tests[OTHERS + i] = (struct CMUnitTest){.name = limited[i].condition,
                                                .test_func = conditions_exclude,
                                                .initial_state = (void *)(uintptr_t)&limited[i]};
    }
    return _cmocka_run_group_tests("choice", tests, LIMITED + OTHERS, NULL, NULL);
}
