/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/schema.h"
#include "tests/support/testing.h"

#include <math.h>
#include <string.h>

/* A small scenario in the manner of the real ones. */
struct checkpoint {
    struct number every;
    struct variate write;
};
static const char *const words[] = {"auto", NULL};
static const char *const buys[] = {"on-demand", "spot", NULL};
static const struct schema_key checkpoint_keys[] = {
    {.name = "every",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = 86400,
     .choices = words,
     .default_text = "auto",
     .offset = offsetof(struct checkpoint, every),
     .help = "useful work between two"},
    {.name = "write",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .high = 0,
     .required = true,
     .offset = offsetof(struct checkpoint, write),
     .help = "time of a | write"},
};
static const struct schema checkpoint_schema = {.name = "checkpoint",
                                                .shorthand = "every",
                                                SCHEMA_KEYS(checkpoint_keys),
                                                .size = sizeof(struct checkpoint),
                                                .help = "When work is saved."};

static const struct schema_key training_keys[] = {
    {.name = "mfu",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "40 %"},
    {.name = "checkpoint", .kind = SCHEMA_SECTION, .inner = &checkpoint_schema},
    {.name = "owner", .kind = SCHEMA_TEXT, .low = 1, .high = 80},
};
static const struct schema_key inference_keys[] = {
    {.name = "owner", .kind = SCHEMA_TEXT},
    {.name = "load", .kind = SCHEMA_NUMBER, .dimension = DIMENSION_RATE, .high = HUGE_VAL},
    {.name = "checkpoint", .kind = SCHEMA_SECTION, .inner = &checkpoint_schema},
};
static const struct schema training = {
    .name = "training", .tag = "kind", SCHEMA_KEYS(training_keys), .help = "A job."};
static const struct schema inference = {
    .name = "inference", .tag = "kind", SCHEMA_KEYS(inference_keys)};
static const struct schema *const workloads[] = {&training, &inference, NULL};

static const struct schema wait = {.name = "wait", .tag = "name", .shorthand = "name"};
static const struct schema *const policies[] = {&wait, NULL};

static const struct schema_key pair_keys[] = {
    {.name = "a", .kind = SCHEMA_TEXT, .required = true},
    {.name = "rho", .kind = SCHEMA_NUMBER, .low = -1, .high = 1},
};
static const struct schema pair = {.name = "correlate", .ordered = true, SCHEMA_KEYS(pair_keys)};

static const struct schema_key root_keys[] = {
    {.name = "horizon", .kind = SCHEMA_QUANTITY, .dimension = DIMENSION_SPAN, .required = true},
    {.name = "start", .kind = SCHEMA_DATE},
    {.name = "replications", .kind = SCHEMA_INTEGER, .low = 1, .high = 1e6, .default_text = "1000"},
    {.name = "quiet", .kind = SCHEMA_FLAG},
    {.name = "buy", .kind = SCHEMA_CHOICE, .choices = buys, .default_text = "spot"},
    {.name = "workloads", .kind = SCHEMA_MAP, .variants = workloads, .low = 1, .high = 64},
    {.name = "policy", .kind = SCHEMA_VARIANT, .variants = policies},
    {.name = "correlate", .kind = SCHEMA_LIST, .inner = &pair},
    {.name = "price_files", .kind = SCHEMA_TEXTS, .list_or_one = true},
};
static const struct schema root = {.name = "scenario", SCHEMA_KEYS(root_keys)};

static void keys_are_found_and_guessed(void **state)
{
    (void)state;
    assert_ptr_equal(schema_find(&root, "buy"), &root_keys[4]);
    assert_null(schema_find(&root, "Buy"));
    assert_null(schema_find(&root, ""));
    assert_string_equal(schema_suggest(&root, "replication"), "replications");
    assert_string_equal(schema_suggest(&root, "Workload"), "workloads");
    assert_string_equal(schema_suggest(&training, "kinds"), "kind"); /* the tag is a key too */
    assert_null(schema_suggest(&root, "zzz"));
    assert_null(schema_suggest(&wait, "x"));
}

static void range_of_two_zeros_is_none(void **state)
{
    static const struct schema_key none = {.name = "x"}, below = {.low = -1, .high = 0},
                                   above = {.low = 0, .high = HUGE_VAL};

    (void)state;
    assert_true(isinf(schema_low(&none)) && schema_low(&none) < 0);
    assert_true(isinf(schema_high(&none)) && schema_high(&none) > 0);
    assert_near(schema_low(&below), -1, 0, "low");
    assert_near(schema_high(&below), 0, 0, "high");
    assert_near(schema_low(&above), 0, 0, "low");
    assert_true(isinf(schema_high(&above)));
}

static void every_kind_has_its_word(void **state)
{
    (void)state;
    for (int kind = SCHEMA_TEXT; kind <= SCHEMA_VARIANT; kind++) {
        struct schema_key k = {.kind = (enum schema_kind)kind, .dimension = DIMENSION_TIME};
        assert_true(strlen(schema_kind_text(&k)) > 0);
    }
    for (int d = DIMENSION_COUNT; d <= DIMENSION_FLOPS; d++) {
        struct schema_key k = {.kind = SCHEMA_QUANTITY, .dimension = (enum dimension)d};
        assert_true(strlen(schema_kind_text(&k)) > 0);
    }
    assert_string_equal(schema_kind_text(&checkpoint_keys[0]), "number");
    assert_string_equal(schema_kind_text(&checkpoint_keys[1]), "variate");
    assert_string_equal(schema_kind_text(&root_keys[0]), "span of time");
}

static void manual_has_one_table_a_section(void **state)
{
    struct text out;

    (void)state;
    text_init(&out, 0);
    schema_write_markdown(&root, &out);
    assert_false(out.overflow);
    assert_string_equal(
        out.data,
        "### scenario\n\n"
        "| key | kind, unit | default | legal | meaning |\n|---|---|---|---|---|\n"
        "| `horizon` | span of time, s | required |  |  |\n"
        "| `start` | date |  |  |  |\n"
        "| `replications` | whole number | `1000` | 1 to 1M |  |\n"
        "| `quiet` | yes or no |  |  |  |\n"
        "| `buy` | choice | `spot` | `on-demand`, `spot` |  |\n"
        "| `workloads` | named sections |  | `training`, `inference`; 1 to 64 items |  |\n"
        "| `policy` | section |  | `wait` |  |\n"
        "| `correlate` | list of sections |  |  |  |\n"
        "| `price_files` | list of text, or one alone |  |  |  |\n"
        "\n### `kind: training`\n\nA job.\n\n"
        "| key | kind, unit | default | legal | meaning |\n|---|---|---|---|---|\n"
        "| `kind` | choice | required | `training` | chooses this section |\n"
        "| `mfu` | number, share | `40 %` | 0 % to 100 % |  |\n"
        "| `checkpoint` | section |  |  |  |\n"
        "| `owner` | text |  | 1 to 80 characters |  |\n"
        "\n### checkpoint\n\nWhen work is saved.\n\n"
        "| key | kind, unit | default | legal | meaning |\n|---|---|---|---|---|\n"
        "| `every` | number, s | `auto` | `auto`; 1 s to 1 d | useful work between two |\n"
        "| `write` | variate, s | required |  | time of a \\| write |\n"
        "\nA plain value in place of the section sets `every`.\n"
        "\n### `kind: inference`\n\n"
        "| key | kind, unit | default | legal | meaning |\n|---|---|---|---|---|\n"
        "| `kind` | choice | required | `inference` | chooses this section |\n"
        "| `owner` | text |  |  |  |\n"
        "| `load` | number, 1/s |  | at least 0/s |  |\n"
        "| `checkpoint` | section |  |  |  |\n"
        "\n### `name: wait`\n\n"
        "| key | kind, unit | default | legal | meaning |\n|---|---|---|---|---|\n"
        "| `name` | choice | required | `wait` | chooses this section |\n"
        "\nA plain value in place of the section sets `name`.\n"
        "\n### correlate\n\n"
        "| key | kind, unit | default | legal | meaning |\n|---|---|---|---|---|\n"
        "| `a` | text | required |  |  |\n"
        "| `rho` | number |  | -1 to 1 |  |\n"
        "\nA list in place of the section gives the keys in this order.\n");
    text_release(&out);
}

static void paths_name_every_key_once(void **state)
{
    struct text out;

    (void)state;
    text_init(&out, 0);
    schema_write_paths(&root, &out);
    assert_false(out.overflow);
    assert_string_equal(out.data, "horizon\n"
                                  "start\n"
                                  "replications\n"
                                  "quiet\n"
                                  "buy\n"
                                  "workloads.NAME.kind\n"
                                  "workloads.NAME.mfu\n"
                                  "workloads.NAME.checkpoint\n"
                                  "workloads.NAME.checkpoint.every\n"
                                  "workloads.NAME.checkpoint.write\n"
                                  "workloads.NAME.owner\n"
                                  "workloads.NAME.load\n"
                                  "policy\n"
                                  "policy.name\n"
                                  "correlate.N.a\n"
                                  "correlate.N.rho\n"
                                  "price_files\n");
    text_release(&out);
}

static void a_table_without_end_is_cut(void **state)
{
    static struct schema loop = {.name = "loop"};
    static struct schema_key key = {.name = "again", .kind = SCHEMA_SECTION, .inner = &loop};
    struct text out;

    (void)state;
    loop.keys = &key;
    loop.key_count = 1;
    text_init(&out, 0);
    schema_write_markdown(&loop, &out);
    assert_false(out.overflow); /* each section once */
    text_clear(&out);
    schema_write_paths(&loop, &out);
    assert_true(out.overflow);
    text_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_found_and_guessed),
        cmocka_unit_test(range_of_two_zeros_is_none),
        cmocka_unit_test(every_kind_has_its_word),
        cmocka_unit_test(manual_has_one_table_a_section),
        cmocka_unit_test(paths_name_every_key_once),
        cmocka_unit_test(a_table_without_end_is_cut),
    };
    return cmocka_run_group_tests_name("schema", tests, NULL, NULL);
}
