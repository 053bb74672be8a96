/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a scenario holds once it is read; what is refused is in tests/cases. */
#include "engine/civil_time.h"
#include "models/policies/strategy.h"
#include "models/training/training_keys.h"
#include "scenarios/reader/binder.h"
#include "tests/support/scenario_text.h"
#include "tests/support/testing.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "version: 1\nstart: 2026-03-02\nhorizon: 60d\nregion: us-east-1\n"
#define JOB  "workloads: {w: {kind: training, hours: 1h}}\n"
#define BUY                                                                                        \
    "strategies:\n  od: {instance: p4d.24xlarge, nodes: 4, buy: on-demand}\n"                      \
    "  spot: {instance: p4d.24xlarge, nodes: 8, buy: spot}\n"                                      \
    "  third: {instance: p5.48xlarge, nodes: 2, buy: spot}\n"

static const struct training_spec *job(const struct scenario *s, size_t i)
{
    const struct schema_variant_item *items = s->workloads.items;

    assert_true(i < s->workloads.count);
    return items[i].variant.params;
}

static const struct strategy *strategy(const struct scenario *s, size_t i)
{
    assert_true(i < s->strategies.count);
    return (const struct strategy *)s->strategies.items + i;
}

static void assert_no_messages(struct scenario_text *t)
{
    char *output = scenario_text_output(t);

    assert_string_equal(output, "");
    free(output);
}

static void the_least_scenario_has_defaults(void **state)
{
    struct scenario_text t;
    const struct scenario *s = scenario_text_of(&t, HEAD JOB BUY);
    const struct training_spec *w;

    (void)state;
    assert_no_messages(&t);
    assert_non_null(s);
    assert_int_equal(s->version, 1);
    assert_string_equal(s->name, "scenario");
    assert_int_equal(s->start.unix_s, 1772409600);
    assert_near(s->horizon_s, 60 * 86400, 0, "horizon");
    assert_int_equal(s->horizon_unix_s, 1772409600 + 60 * 86400);
    assert_int_equal(s->prices_as_of_unix_s, s->start.unix_s);
    assert_string_equal(s->currency, "USD");
    assert_int_equal(s->replications, 1000);
    assert_false(s->replications_given);
    assert_false(s->precision.given);
    assert_string_equal(s->precision_of, "cost_usd.p90");
    assert_int_equal(s->max_replications, 100000);
    assert_int_equal(s->seed, 1);
    assert_false(s->budget.given);
    assert_null(s->baseline);
    assert_int_equal(s->market.spot.count, 0);
    assert_string_equal(s->folder, t.folder);
    assert_int_equal(s->files.count, 1);
    assert_int_equal(inputs_count(s->inputs), 0);

    w = job(s, 0);
    assert_string_equal(w->item.name, "w");
    assert_near(w->hours.median, 3600, 0, "hours");
    assert_true(w->hours.given);
    assert_false(w->tokens.given);
    assert_false(w->samples.given);
    assert_near(w->epochs.median, 1, 0, "epochs");
    assert_int_equal(w->model.precision, -1);
    assert_false(w->model.parameters.given);
    assert_false(w->mfu.given);
    assert_int_equal(w->throughput.count, 0);
    assert_near(w->scaling.median, 1, 0, "scaling");
    assert_false(w->checkpoint.given);
    assert_int_equal(w->checkpoint.mode, CHECKPOINT_NONE);
    assert_near(variate_planned_mean(&w->boot), 180, 0, "boot");
    assert_false(w->boot.given);
    assert_int_equal(w->on_notice, ON_NOTICE_NOTHING);
    assert_int_equal(w->restart, RESTART_GANG);
    assert_near(w->patience.median, 600, 0, "patience");
    assert_near(w->submit.value, 0, 0, "submit");
    assert_false(w->deadline_given);
    assert_int_equal(w->at_horizon, AT_HORIZON_CUT);
    assert_null(w->labels.owner);
    scenario_text_release(&t);
}

static const char full_job[] =
    HEAD BUY "workloads:\n  fine-tune:\n    kind: training\n    tokens: 20B\n    epochs: 2\n"
             "    model: {parameters: 7B, precision: bf16}\n    mfu: 0.34..0.46\n"
             "    throughput: {p4d.24xlarge: 29000/s, p5.48xlarge: {rate: 60k/s}}\n"
             "    job_throughput: {p4d.24xlarge x 4: 117000/s}\n    scaling: 95 %\n"
             "    checkpoint: {every: auto, write: 90s, restore: 4min, size: 98 GB, final: no}\n"
             "    boot: uniform(2min, 4min)\n    on_notice: checkpoint\n    restart: node\n"
             "    patience: 1h\n    submit: 1d\n    deadline: 1mo\n"
             "    at_horizon: finish-on-demand\n    owner: Vision team\n";

static void a_training_job_is_read(void **state)
{
    struct scenario_text t;
    const struct scenario *s = scenario_text_of(&t, full_job);
    const struct training_spec *w;
    const struct throughput_spec *speeds;

    (void)state;
    assert_no_messages(&t);
    w = job(s, 0);
    assert_near(w->tokens.median, 20e9, 0, "tokens");
    assert_near(w->epochs.median, 2, 0, "epochs");
    assert_near(w->model.parameters.median, 7e9, 0, "parameters");
    assert_int_equal(w->model.precision, PRECISION_BF16);
    assert_int_equal(w->mfu.input, 0);
    assert_string_equal(inputs_at(s->inputs, 0)->name, "workloads.fine-tune.mfu");
    assert_string_equal(inputs_at(s->inputs, 0)->unit, "frac");
    assert_true(w->mfu.median > 0.34 && w->mfu.median < 0.46);
    speeds = w->throughput.items;
    assert_int_equal(w->throughput.count, 2);
    assert_string_equal(speeds[0].item.name, "p4d.24xlarge");
    assert_near(speeds[0].rate.median, 29000, 0, "throughput");
    assert_near(speeds[1].rate.median, 60000, 0, "throughput");
    speeds = w->job_throughput.items;
    assert_string_equal(speeds[0].item.name, "p4d.24xlarge x 4");
    assert_near(w->scaling.median, 0.95, 1e-15, "scaling");
    assert_true(w->checkpoint.given);
    assert_int_equal(w->checkpoint.mode, CHECKPOINT_PERIODIC);
    assert_int_equal(w->checkpoint.every.word, 0);
    assert_near(w->checkpoint.write.median, 90, 0, "write");
    assert_near(variate_planned_mean(&w->checkpoint.restore), 240, 0, "restore");
    assert_near(w->checkpoint.size.median, 98e9, 0, "size");
    assert_false(w->checkpoint.final);
    assert_false(w->checkpoint.restore_from_scratch);
    assert_near(variate_planned_mean(&w->boot), 180, 1e-9, "boot");
    assert_int_equal(inputs_count(s->inputs), 1); /* a variate is no column */
    assert_int_equal(w->on_notice, ON_NOTICE_CHECKPOINT);
    assert_int_equal(w->restart, RESTART_NODE);
    assert_near(w->patience.median, 3600, 0, "patience");
    assert_near(w->submit.value, 86400, 0, "submit");
    assert_true(w->deadline_given);
    assert_int_equal(w->deadline.months, 1);
    assert_int_equal(w->at_horizon, AT_HORIZON_FINISH_ON_DEMAND);
    assert_string_equal(w->labels.owner, "Vision team");
    scenario_text_release(&t);
}

static void checkpoint_words(void **state)
{
    struct scenario_text t;
    const struct scenario *s =
        scenario_text_of(&t, HEAD BUY "workloads:\n"
                                      "  a: {kind: training, hours: 1h, checkpoint: continuous}\n"
                                      "  b: {kind: training, hours: 1h, checkpoint: none}\n"
                                      "  c: {kind: training, hours: 1h, checkpoint: {}}\n"
                                      "  d: {kind: training, hours: 1h, checkpoint: periodic}\n");
    const int modes[] = {CHECKPOINT_CONTINUOUS, CHECKPOINT_NONE, CHECKPOINT_PERIODIC,
                         CHECKPOINT_PERIODIC};

    (void)state;
    assert_no_messages(&t);
    for (size_t i = 0; i < 4; i++) {
        const struct checkpoint_spec *c = &job(s, i)->checkpoint;
        assert_true(c->given);
        assert_int_equal(c->mode, modes[i]);
        assert_true(c->final);
        assert_int_equal(c->every.word, 0);
        assert_false(c->every.given);
    }
    scenario_text_release(&t);
}

static void strategies_are_read(void **state)
{
    struct scenario_text t;
    const struct scenario *s =
        scenario_text_of(&t, HEAD JOB "strategies:\n"
                                      "  a: {instance: p4d.24xlarge, nodes: 1M, buy: on-demand}\n"
                                      "  b:\n    buy: spot\n    zone: us-east-1b\n"
                                      "    policy: {name: fallback, after: 20min, return: yes}\n"
                                      "    workloads: {w: {instance: p5.48xlarge, nodes: 2}}\n"
                                      "baseline: b\n");
    struct strategy_terms terms;
    const void *params;

    (void)state;
    assert_no_messages(&t);
    assert_int_equal(s->strategies.count, 2);
    terms = strategy_terms_for(strategy(s, 0), "w");
    assert_string_equal(strategy(s, 0)->item.name, "a");
    assert_string_equal(terms.instance, "p4d.24xlarge");
    assert_int_equal(terms.nodes, 1000000);
    assert_int_equal(terms.buy, PURCHASE_ON_DEMAND);
    assert_null(terms.zone);
    assert_int_equal(terms.policy.index, -1);
    assert_string_equal(strategy_policy(&terms, &params)->schema->name, "on-demand");

    terms = strategy_terms_for(strategy(s, 1), "w");
    assert_string_equal(terms.item.name, "w");
    assert_string_equal(terms.instance, "p5.48xlarge");
    assert_int_equal(terms.nodes, 2);
    assert_int_equal(terms.buy, PURCHASE_SPOT);
    assert_string_equal(terms.zone, "us-east-1b");
    assert_string_equal(strategy_policy(&terms, &params)->schema->name, "fallback");
    assert_non_null(params);
    terms = strategy_terms_for(strategy(s, 1), "other");
    assert_string_equal(terms.item.name, "b");
    assert_null(terms.instance);
    assert_string_equal(s->baseline, "b");
    scenario_text_release(&t);
}

/* 31 January and a month: the horizon follows the calendar. */
static void the_horizon_counts_calendar_months(void **state)
{
    static const struct {
        const char *start, *horizon;
        double days;
    } rows[] = {{"2026-01-31", "1mo", 28}, {"2028-01-31", "1mo", 29},   {"2026-03-02", "1y", 365},
                {"2027-03-02", "1y", 366}, {"2026-01-01", "10y", 3652}, {"2026-01-01", "36h", 1.5}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct scenario_text t;
        const struct scenario *s;
        char text[1024];
        snprintf(text, sizeof(text),
                 "version: 1\nstart: %s\nhorizon: %s\nregion: us-east-1\n" JOB BUY, rows[i].start,
                 rows[i].horizon);
        s = scenario_text_of(&t, text);
        assert_non_null(s);
        assert_near(s->horizon_s, rows[i].days * 86400, 0, rows[i].horizon);
        assert_int_equal(s->horizon_unix_s - s->start.unix_s, (int64_t)s->horizon_s);
        scenario_text_release(&t);
    }
}

static void the_currency_is_the_regions(void **state)
{
    struct scenario_text t;
    const struct scenario *s =
        scenario_text_of(&t, "version: 1\nstart: 2026-03-02\nhorizon: 60d\nregion: cn-north-1\n"
                             "budget: 5k CNY\nprecision: 1 %\n" JOB BUY);

    (void)state;
    assert_no_messages(&t);
    assert_string_equal(s->currency, "CNY");
    assert_near(s->budget.median, 5000, 0, "budget");
    assert_string_equal(s->precision_of, "cost_cny.p90");
    assert_near(s->precision.median, 0.01, 1e-17, "precision");
    assert_true(s->precision.given);
    scenario_text_release(&t);
}

static void files_are_kept_as_they_were(void **state)
{
    static const char first[] = "\xef\xbb\xbf" HEAD JOB BUY, second[] = "seed: 7\r\nname: Top\r\n";
    struct scenario_text t;
    const struct scenario_file *files;

    (void)state;
    scenario_text_init(&t);
    scenario_text_add(&t, "base.yaml", first, strlen(first));
    scenario_text_add(&t, "top.yaml", second, strlen(second));
    t.sets[t.set_count++] = "budget=5 USD";
    assert_non_null(scenario_text_read(&t));
    files = t.scenario->files.items;
    assert_int_equal(t.scenario->files.count, 2);
    assert_string_equal(files[0].path, t.paths[0]);
    assert_string_equal(files[0].text, first);
    assert_int_equal(files[1].length, strlen(second));
    assert_string_equal(files[1].text, second);
    assert_int_equal(t.scenario->seed, 7);
    assert_string_equal(t.scenario->name, "Top");
    assert_near(t.scenario->budget.median, 5, 0, "budget");
    scenario_text_release(&t);
}

static uint64_t hash_of(const char *name, const char *text, const char *setting)
{
    struct scenario_text t;
    uint64_t hash;

    scenario_text_init(&t);
    scenario_text_add(&t, name, text, strlen(text));
    if (setting != NULL)
        t.sets[t.set_count++] = setting;
    assert_non_null(scenario_text_read(&t));
    hash = t.scenario->hash;
    scenario_text_release(&t);
    return hash;
}

static void the_hash_is_of_content_and_settings(void **state)
{
    uint64_t hash = hash_of("a.yaml", HEAD JOB BUY, NULL);

    (void)state;
    assert_true(hash == hash_of("b.yaml", HEAD JOB BUY, NULL));
    assert_true(hash != hash_of("a.yaml", HEAD JOB BUY "# x\n", NULL));
    assert_true(hash != hash_of("a.yaml", HEAD JOB BUY, "seed=1"));
    assert_true(hash_of("a.yaml", HEAD JOB BUY, "seed=1") !=
                hash_of("a.yaml", HEAD JOB BUY, "seed=2"));
}

/* Which strategies are kept changes no input and no order. */
static void strategies_can_be_chosen(void **state)
{
    static const char text[] = HEAD "workloads: {w: {kind: training, hours: 1h..2h}}\n" BUY;
    struct scenario_text t;

    (void)state;
    scenario_text_init(&t);
    scenario_text_add(&t, "a.yaml", text, strlen(text));
    t.strategies[t.strategy_count++] = "third";
    t.strategies[t.strategy_count++] = "od";
    assert_non_null(scenario_text_read(&t));
    assert_no_messages(&t);
    assert_int_equal(t.scenario->strategies.count, 2);
    assert_string_equal(strategy(t.scenario, 0)->item.name, "od");
    assert_string_equal(strategy(t.scenario, 1)->item.name, "third");
    assert_null(t.scenario->baseline);
    assert_int_equal(inputs_count(t.scenario->inputs), 1);
    scenario_text_release(&t);
}

static void a_lost_baseline_is_replaced(void **state)
{
    static const char text[] = HEAD JOB BUY "baseline: od\n";
    struct scenario_text t;

    (void)state;
    scenario_text_init(&t);
    scenario_text_add(&t, "a.yaml", text, strlen(text));
    t.strategies[t.strategy_count++] = "third";
    t.strategies[t.strategy_count++] = "spot";
    assert_non_null(scenario_text_read(&t));
    assert_string_equal(t.scenario->baseline, "spot");
    assert_no_messages(&t);
    scenario_text_release(&t);
}

static void a_title_comes_from_the_files_name(void **state)
{
    static const struct {
        const char *file, *title;
    } rows[] = {{"medical images.yaml", "medical images"},
                {"v1.2.yml", "v1.2"},
                {"plan", "plan"},
                {".yaml", ".yaml"}};

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct scenario_text t;
        scenario_text_init(&t);
        scenario_text_add(&t, rows[i].file, HEAD JOB BUY, strlen(HEAD JOB BUY));
        assert_non_null(scenario_text_read(&t));
        assert_string_equal(t.scenario->name, rows[i].title);
        scenario_text_release(&t);
    }
}

/* DESIGN invariant 6: what is zero is legal where it means something. */
static void zero_is_legal(void **state)
{
    struct scenario_text t;
    const struct scenario *s =
        scenario_text_of(&t, HEAD BUY "budget: 0 USD\nseed: 0\n"
                                      "workloads: {w: {kind: training, tokens: 0, boot: 0s, "
                                      "patience: 0s, checkpoint: {write: 0s, restore: 0s}}}\n");

    (void)state;
    assert_no_messages(&t);
    assert_true(s->budget.given);
    assert_true(job(s, 0)->tokens.given);
    scenario_text_release(&t);
}

static void places_of_keys_are_known(void **state)
{
    struct scenario_text t;
    const struct scenario *s = scenario_text_of(&t, HEAD JOB BUY);

    (void)state;
    assert_int_equal(scenario_place(s, "region").line, 4);
    assert_int_equal(scenario_place(s, "region").column, 9);
    assert_string_equal(scenario_place(s, "region").file, t.paths[0]);
    assert_int_equal(scenario_place(s, "budget").line, s->item.place.line);
    scenario_text_release(&t);
}

static void shipped_scenarios_are_read(void **state)
{
    glob_t found;

    (void)state;
    assert_int_equal(glob("scenarios/*.yaml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct scenario_text t;
        char *output;
        scenario_text_init(&t);
        t.paths[t.path_count++] = strdup(found.gl_pathv[i]);
        scenario_text_read(&t);
        output = scenario_text_output(&t);
        if (t.scenario == NULL || *output != '\0')
            fail_msg("%s", output);
        free(output);
        scenario_text_release(&t);
    }
    globfree(&found);
}

/* ---- the tables themselves ------------------------------------------------------------------ */

static void check_schema(const struct schema *s, int depth);

static void check_key(const struct schema *s, const struct schema_key *k, int depth)
{
    size_t length = k->help == NULL ? 0 : strlen(k->help);

    if (length == 0 || (k->help[length - 1] != '.' && k->help[length - 1] != '`'))
        fail_msg("%s.%s: the help is a sentence", s->name, k->name);
    if (k->offset >= s->size)
        fail_msg("%s.%s: the offset lies outside of the struct", s->name, k->name);
    if (k->required && k->default_text != NULL)
        fail_msg("%s.%s: required, and yet with a default", s->name, k->name);
    if (k->inner != NULL)
        check_schema(k->inner, depth + 1);
    for (size_t i = 0; k->variants != NULL && k->variants[i] != NULL; i++)
        check_schema(k->variants[i], depth + 1);
}

/* Every default is legal for its own key: none is told as the program's failure. */
static void check_schema(const struct schema *s, int depth)
{
    struct binder b = {
        .arena = arena_new(0), .d = diagnostics_new(), .currency = "USD", .folder = "."};
    void *out = arena_alloc(b.arena, s->size + 1);

    assert_true(depth < 8);
    b.inputs = inputs_new(b.arena);
    binder_fill(&b, s, yaml_tree_map(b.arena, (struct place){"x", 0, 0}), out);
    if (diagnostics_count(b.d, DIAGNOSTIC_FAILURE) > 0)
        fail_msg("%s: a default is not legal", s->name);
    for (size_t i = 0; i < s->key_count; i++)
        check_key(s, &s->keys[i], depth);
    diagnostics_free(b.d);
    arena_free(b.arena);
}

static void all_tables_are_sound(void **state)
{
    (void)state;
    check_schema(&scenario_schema, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_scenario_has_defaults),
        cmocka_unit_test(a_training_job_is_read),
        cmocka_unit_test(checkpoint_words),
        cmocka_unit_test(strategies_are_read),
        cmocka_unit_test(the_horizon_counts_calendar_months),
        cmocka_unit_test(the_currency_is_the_regions),
        cmocka_unit_test(files_are_kept_as_they_were),
        cmocka_unit_test(the_hash_is_of_content_and_settings),
        cmocka_unit_test(strategies_can_be_chosen),
        cmocka_unit_test(a_lost_baseline_is_replaced),
        cmocka_unit_test(a_title_comes_from_the_files_name),
        cmocka_unit_test(zero_is_legal),
        cmocka_unit_test(places_of_keys_are_known),
        cmocka_unit_test(shipped_scenarios_are_read),
        cmocka_unit_test(all_tables_are_sound),
    };

    return cmocka_run_group_tests_name("scenario", tests, NULL, NULL);
}
