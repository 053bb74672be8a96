/* SPDX-License-Identifier: GPL-3.0-or-later
 * The binder over a schema of its own that has a key of every kind; how messages read for real keys
 * is in tests/cases. */
#include "scenarios/reader/binder.h"
#include "tests/support/testing.h"
#include "tests/support/yaml_round.h"

#include <math.h>
#include <string.h>

static const char *const colours[] = {"red", "green", NULL};
static const char *const words[] = {"auto", "never", NULL};

struct triple {
    struct schema_item item;
    const char *a, *b;
    struct quantity rho;
};
static const struct schema_key triple_keys[] = {
    {.name = "a", .kind = SCHEMA_TEXT, .required = true, .offset = offsetof(struct triple, a)},
    {.name = "b", .kind = SCHEMA_TEXT, .required = true, .offset = offsetof(struct triple, b)},
    {.name = "rho",
     .kind = SCHEMA_QUANTITY,
     .dimension = DIMENSION_COUNT,
     .low = -1,
     .high = 1,
     .default_text = "0.5",
     .offset = offsetof(struct triple, rho)}};
static const struct schema triple_schema = {
    .name = "triple", .ordered = true, SCHEMA_KEYS(triple_keys), .size = sizeof(struct triple)};

struct part {
    struct schema_item item;
    int mode;
    struct number speed;
    int64_t need;
};
static const struct schema_key part_keys[] = {{.name = "mode",
                                               .kind = SCHEMA_CHOICE,
                                               .choices = colours,
                                               .default_text = "green",
                                               .offset = offsetof(struct part, mode)},
                                              {.name = "speed",
                                               .kind = SCHEMA_NUMBER,
                                               .dimension = DIMENSION_COUNT,
                                               .default_text = "3",
                                               .offset = offsetof(struct part, speed)},
                                              {.name = "need",
                                               .kind = SCHEMA_INTEGER,
                                               .required = true,
                                               .offset = offsetof(struct part, need)}};
static const struct schema part_schema = {
    .name = "part", .shorthand = "mode", SCHEMA_KEYS(part_keys), .size = sizeof(struct part)};

struct car {
    struct schema_item item;
    int64_t wheels;
};
static const struct schema_key car_keys[] = {{.name = "wheels",
                                              .kind = SCHEMA_INTEGER,
                                              .default_text = "4",
                                              .offset = offsetof(struct car, wheels)}};
static const struct schema car_schema = {.name = "car",
                                         .tag = "kind",
                                         .shorthand = "kind",
                                         SCHEMA_KEYS(car_keys),
                                         .size = sizeof(struct car)};
struct ship {
    struct schema_item item;
    struct number draught;
};
static const struct schema_key ship_keys[] = {{.name = "draught",
                                               .kind = SCHEMA_NUMBER,
                                               .dimension = DIMENSION_COUNT,
                                               .required = true,
                                               .offset = offsetof(struct ship, draught)}};
static const struct schema ship_schema = {.name = "ship",
                                          .tag = "kind",
                                          .shorthand = "kind",
                                          SCHEMA_KEYS(ship_keys),
                                          .size = sizeof(struct ship)};
static const struct schema *const vehicles[] = {&car_schema, &ship_schema, NULL};

struct root {
    const char *text;
    int choice, choice_default;
    bool flag, flag_default;
    int64_t integer, integer_default;
    bool integer_given;
    struct quantity span, money;
    struct number number, number_default, absent, every;
    struct variate variate, variate_default, variate_absent;
    struct schema_date date, date_default;
    struct part part, part_default;
    bool part_given, part_default_given;
    struct place integer_place, integer_default_place;
    struct schema_list parts, triples, texts, texts_default, fleet;
    struct schema_variant vehicle, vehicle_default, vehicle_absent;
};

#define KEY(NAME, KIND) .name = #NAME, .kind = KIND, .offset = offsetof(struct root, NAME)

static const struct schema_key root_keys[] = {
    {KEY(text, SCHEMA_TEXT), .low = 1, .high = 10},
    {KEY(choice, SCHEMA_CHOICE), .choices = colours},
    {KEY(choice_default, SCHEMA_CHOICE), .choices = colours, .default_text = "green"},
    {KEY(flag, SCHEMA_FLAG)},
    {KEY(flag_default, SCHEMA_FLAG), .default_text = "yes"},
    {KEY(integer, SCHEMA_INTEGER), .given_offset = offsetof(struct root, integer_given),
     .place_offset = offsetof(struct root, integer_place)},
    {KEY(integer_default, SCHEMA_INTEGER), .low = 1, .high = 100, .default_text = "42",
     .place_offset = offsetof(struct root, integer_default_place)},
    {KEY(span, SCHEMA_QUANTITY), .dimension = DIMENSION_SPAN},
    {KEY(money, SCHEMA_QUANTITY), .dimension = DIMENSION_MONEY},
    {KEY(number, SCHEMA_NUMBER), .dimension = DIMENSION_TIME, .low = 0, .high = 86400},
    {KEY(number_default, SCHEMA_NUMBER), .dimension = DIMENSION_TIME, .default_text = "2min"},
    {KEY(absent, SCHEMA_NUMBER), .dimension = DIMENSION_TIME},
    {KEY(every, SCHEMA_NUMBER), .dimension = DIMENSION_TIME, .choices = words,
     .default_text = "auto"},
    {KEY(variate, SCHEMA_VARIATE), .dimension = DIMENSION_TIME},
    {KEY(variate_default, SCHEMA_VARIATE), .dimension = DIMENSION_TIME, .default_text = "3min"},
    {KEY(variate_absent, SCHEMA_VARIATE), .dimension = DIMENSION_TIME},
    {KEY(date, SCHEMA_DATE)},
    {KEY(date_default, SCHEMA_DATE), .default_text = "2026-03-02"},
    {KEY(part, SCHEMA_SECTION), .inner = &part_schema,
     .given_offset = offsetof(struct root, part_given)},
    {KEY(part_default, SCHEMA_SECTION), .inner = &part_schema,
     .default_text = "{mode: red, need: 1}",
     .given_offset = offsetof(struct root, part_default_given)},
    {KEY(parts, SCHEMA_MAP), .inner = &part_schema, .low = 1, .high = 3},
    {KEY(triples, SCHEMA_LIST), .inner = &triple_schema, .list_or_one = true},
    {KEY(texts, SCHEMA_TEXTS), .list_or_one = true},
    {KEY(texts_default, SCHEMA_TEXTS), .default_text = "[a, b]"},
    {KEY(fleet, SCHEMA_MAP), .variants = vehicles},
    {KEY(vehicle, SCHEMA_VARIANT), .variants = vehicles},
    {KEY(vehicle_default, SCHEMA_VARIANT), .variants = vehicles, .default_text = "car"},
    {KEY(vehicle_absent, SCHEMA_VARIANT), .variants = vehicles}};
static const struct schema root_schema = {
    .name = "root", SCHEMA_KEYS(root_keys), .size = sizeof(struct root)};

struct fixture {
    struct binder binder;
    struct root root;
    bool good;
};

static void bind(struct fixture *f, const char *text)
{
    *f = (struct fixture){
        .binder = {
            .arena = arena_new(0), .d = diagnostics_new(), .currency = "USD", .folder = "."}};
    f->binder.inputs = inputs_new(f->binder.arena);
    f->good = binder_fill(&f->binder, &root_schema,
                          yaml_of_text(f->binder.arena, f->binder.d, "a.yaml", text), &f->root);
    assert_int_equal(f->good, !diagnostics_failed(f->binder.d));
}

static void release(struct fixture *f)
{
    arena_free(f->binder.arena);
    diagnostics_free(f->binder.d);
}

static void absent_keys_take_their_defaults(void **state)
{
    struct fixture f;
    const struct root *r = &f.root;

    (void)state;
    bind(&f, "{}");
    assert_true(f.good);
    assert_null(r->text);
    assert_int_equal(r->choice, -1);
    assert_int_equal(r->choice_default, 1);
    assert_false(r->flag);
    assert_true(r->flag_default);
    assert_int_equal(r->integer, 0);
    assert_false(r->integer_given);
    assert_int_equal(r->integer_default, 42);
    assert_null(r->integer_place.file);
    assert_null(r->integer_default_place.file);
    assert_near(r->number_default.median, 120, 0, "number_default");
    assert_false(r->number_default.given);
    assert_int_equal(r->number_default.input, -1);
    assert_near(r->absent.median, 0, 0, "absent");
    assert_int_equal(r->absent.input, -1);
    assert_int_equal(r->absent.word, -1);
    assert_int_equal(r->every.word, 0);
    assert_false(r->every.given);
    assert_near(variate_planned_mean(&r->variate_default), 180, 0, "variate_default");
    assert_false(r->variate_default.given);
    assert_near(variate_planned_mean(&r->variate_absent), 0, 0, "variate_absent");
    assert_int_equal(r->variate_absent.p[0].input, -1);
    assert_false(r->date.given);
    assert_int_equal(r->date_default.unix_s, 1772409600); /* date -ud 2026-03-02 +%s */
    assert_false(r->date_default.given);
    /* a section without a default is an empty one, and its required keys are not missed */
    assert_int_equal(r->part.mode, 1);
    assert_near(r->part.speed.median, 3, 0, "part.speed");
    assert_int_equal(r->part.need, 0);
    assert_false(r->part_given);
    assert_int_equal(r->part_default.mode, 0);
    assert_int_equal(r->part_default.need, 1);
    assert_false(r->part_default_given);
    assert_int_equal(r->texts_default.count, 2);
    assert_int_equal(r->parts.count, 0);
    assert_int_equal(r->vehicle_default.index, 0);
    assert_int_equal(((const struct car *)r->vehicle_default.params)->wheels, 4);
    assert_int_equal(r->vehicle_absent.index, -1);
    assert_null(r->vehicle_absent.params);
    assert_int_equal(inputs_count(f.binder.inputs), 0);
    release(&f);
}

static void scalars_are_filled(void **state)
{
    struct fixture f;
    const struct root *r = &f.root;

    (void)state;
    bind(&f, "text: \"a b\"\nchoice: red\nflag: TRUE\ninteger: -9007199254740993\n"
             "integer_default: \"7\"\nspan: 3mo\nmoney: 6k USD\nnumber: \"90s\"\nevery: never\n"
             "variate: 2min\ndate: 2026-03-02T08:30Z\n");
    assert_true(f.good);
    assert_string_equal(r->text, "a b");
    assert_int_equal(r->choice, 0);
    assert_true(r->flag);
    assert_int_equal(r->integer, INT64_C(-9007199254740993)); /* 2^53 + 1: no double */
    assert_true(r->integer_given);
    assert_int_equal(r->integer_default, 7);
    assert_string_equal(r->integer_place.file, "a.yaml"); /* of the value */
    assert_int_equal(r->integer_place.line, 4);
    assert_int_equal(r->integer_place.column, 10);
    assert_int_equal(r->integer_default_place.line, 5);
    assert_int_equal(r->span.months, 3);
    assert_near(r->money.value, 6000, 0, "money");
    assert_near(r->number.median, 90, 0, "number");
    assert_true(r->number.given);
    assert_int_equal(r->every.word, 1);
    assert_true(r->every.given);
    assert_near(variate_planned_mean(&r->variate), 120, 0, "variate");
    assert_true(r->variate.given);
    assert_int_equal(r->date.unix_s, 1772409600 + 8 * 3600 + 1800);
    assert_true(r->date.given);
    release(&f);
}

static void sections_and_lists_are_filled(void **state)
{
    struct fixture f;
    const struct root *r = &f.root;
    const struct part *parts;
    const struct triple *triples;
    const struct schema_variant_item *fleet;
    const char *const *texts;

    (void)state;
    bind(&f, "part: {need: 2}\n"
             "parts:\n  a.b: {mode: red, need: 5}\n  \"日\": {speed: 7, need: 1k}\n"
             "triples: [[x, y, 1], {b: q, a: p}, [v, w]]\n"
             "texts: [one, \"2\"]\n"
             "fleet: {v1: {kind: ship, draught: 5}, v2: car, v3: {wheels: 3, kind: car}}\n"
             "vehicle: {kind: ship, draught: 1.5}\n");
    assert_true(f.good);
    assert_true(r->part_given);
    assert_int_equal(r->part.need, 2);
    assert_int_equal(r->part.mode, 1);
    parts = r->parts.items;
    assert_int_equal(r->parts.count, 2);
    assert_string_equal(parts[0].item.name, "a.b");
    assert_int_equal(parts[0].item.place.line, 3);
    assert_int_equal(parts[0].item.place.column, 3);
    assert_int_equal(parts[0].mode, 0);
    assert_string_equal(parts[1].item.name, "日");
    assert_near(parts[1].speed.median, 7, 0, "speed");
    assert_int_equal(parts[1].need, 1000);
    triples = r->triples.items;
    assert_int_equal(r->triples.count, 3);
    assert_string_equal(triples[0].b, "y");
    assert_near(triples[0].rho.value, 1, 0, "rho");
    assert_null(triples[0].item.name);
    assert_int_equal(triples[0].item.place.line, 5);
    assert_string_equal(triples[1].a, "p");
    assert_near(triples[1].rho.value, 0.5, 0, "rho");
    assert_string_equal(triples[2].b, "w");
    texts = r->texts.items;
    assert_int_equal(r->texts.count, 2);
    assert_string_equal(texts[1], "2");
    fleet = r->fleet.items;
    assert_int_equal(r->fleet.count, 3);
    assert_int_equal(fleet[0].variant.index, 1);
    assert_string_equal(fleet[0].item.name, "v1");
    assert_string_equal(((const struct ship *)fleet[0].variant.params)->item.name, "v1");
    assert_near(((const struct ship *)fleet[0].variant.params)->draught.median, 5, 0, "draught");
    assert_int_equal(((const struct car *)fleet[1].variant.params)->wheels, 4);
    assert_int_equal(((const struct car *)fleet[2].variant.params)->wheels, 3);
    assert_int_equal(r->vehicle.index, 1);
    release(&f);
}

static void one_stands_for_a_list(void **state)
{
    struct fixture f;

    (void)state;
    bind(&f, "texts: one\ntriples: {a: x, b: y}\n");
    assert_true(f.good);
    assert_int_equal(f.root.texts.count, 1);
    assert_string_equal(((const char *const *)f.root.texts.items)[0], "one");
    assert_int_equal(f.root.triples.count, 1);
    assert_string_equal(((const struct triple *)f.root.triples.items)->b, "y");
    release(&f);
}

/* Uncertain numbers are named by their path, in file order, names with dots and all. */
static void inputs_are_named_by_path(void **state)
{
    static const char *const want[] = {"parts.a.b.speed", "number", "variate.mean", "part.speed"};
    struct fixture f;
    const struct root *r = &f.root;

    (void)state;
    bind(&f, "parts: {a.b: {speed: 4..9, need: 1}}\n"
             "number: uniform(10s, 20s)\n"
             "variate: exponential(1min..2min)\n"
             "part: {speed: \"uniform(1, 2)\", need: 1}\n");
    assert_true(f.good);
    assert_int_equal(inputs_count(f.binder.inputs), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(inputs_at(f.binder.inputs, i)->name, want[i]);
    assert_string_equal(inputs_at(f.binder.inputs, 1)->unit, "s");
    assert_int_equal(((const struct part *)r->parts.items)->speed.input, 0);
    assert_int_equal(r->number.input, 1);
    assert_near(r->number.median, 15, 1e-9, "median of a uniform");
    assert_int_equal(r->variate.p[0].input, 2);
    assert_near(inputs_at(f.binder.inputs, 1)->distribution.high, 86400, 0, "legal range");
    release(&f);
}

struct row {
    const char *text;
    const char *errors[4]; /* in the order of reading */
};

static const struct row rows[] = {
    {"text: \"\"", {"'text' has 0 characters; it must have between 1 and 10"}},
    {"text: 12345678901", {"'text' has 11 characters; it must have between 1 and 10"}},
    {"text: ééééééééée", {NULL}},
    {"text: \"a\\tb\"", {"'text' has a line break or another control character"}},
    {"text: \"a\\x9bb\"", {"'text' has a line break or another control character"}},
    {"choice: rde", {"'choice' is 'rde'; did you mean 'red'?"}},
    {"choice: blue", {"'choice' is 'blue'; expected 'red' or 'green'"}},
    {"flag: 1", {"'flag' is '1'; expected yes or no"}},
    {"integer: 1.5", {"'integer' is '1.5'; expected a whole number"}},
    {"integer: 1e3", {NULL}},
    {"integer: 9223372036854775807", {NULL}},
    {"integer: -9223372036854775809",
     {"'integer' is '-9223372036854775809'; it must be at most 9223372036854775807"}},
    {"integer: 0x10", {"'integer': '0x10' is not a number: only decimal digits are read"}},
    {"integer_default: 0", {"'integer_default' is '0'; it must be between 1 and 100"}},
    {"integer_default: 0.1k", {NULL}},
    {"integer_default: 1k", {"'integer_default' is '1k'; it must be between 1 and 100"}},
    {"money: 5 EUR", {"'money' is in EUR; this scenario's currency is USD"}},
    {"money: 0", {NULL}},
    {"number: autoo", {"'number': 'autoo' where a duration such as 90s, 4min or 2h is wanted"}},
    {"every: autoo", {"'every' is 'autoo'; did you mean 'auto'?"}},
    {"date: 2026-02-29",
     {"'date' is '2026-02-29'; expected a date such as 2026-03-02 or 2026-03-02T08:00Z"}},
    {"frob: 1\nnumbr: 2", {"unknown key 'frob'", "unknown key 'numbr'; did you mean 'number'?"}},
    {"part: {}", {"missing key 'need' in 'part'; expected a whole number"}},
    {"part: {nede: 1}", {"unknown key 'nede'; did you mean 'need'?"}},
    {"part: red", {"missing key 'need' in 'part'; expected a whole number"}},
    {"part: blue",
     {"'part' is 'blue'; expected 'red' or 'green'",
      "missing key 'need' in 'part'; expected a whole number"}},
    {"part: ", {"'part' is empty; give its keys, or leave it out"}},
    {"part: [red]", {"'part' must be a mapping of keys"}},
    {"parts: {}", {"'parts' needs at least 1 entry"}},
    {"parts: {a: {need: 1}, b: {need: 1}, c: {need: 1}, d: {need: 1}}",
     {"'parts' has 4 entries; at most 3 are allowed"}},
    {"parts: ", {"'parts' must be a mapping of names; it is empty"}},
    {"parts: {a: {need: x}, b: {}}",
     {"'need': 'x' where a number such as 5, 2.5k or 7B is wanted",
      "missing key 'need' in 'parts.b'; expected a whole number"}},
    {"triples: [[a]]", {"missing key 'b' in 'triples.1'; expected text"}},
    {"triples: [[a, b, 2, 3]]", {"'triples.1' has 4 values; expected at most 3"}},
    {"triples: [[a, b, 2]]", {"'rho' is '2'; it must be between -1 and 1"}},
    {"triples: [a]", {"'triples.1' must be a mapping of keys or a list of their values"}},
    {"texts: [[a]]", {"an entry of 'texts' must be text"}},
    {"vehicle: {wheels: 4}", {"missing key 'kind' in 'vehicle'; expected 'car' or 'ship'"}},
    {"vehicle: sihp", {"'vehicle' is 'sihp'; did you mean 'ship'?"}},
    {"vehicle: ship",
     {"missing key 'draught' in 'vehicle'; expected a number such as 5, 2.5k or 7B"}},
    {"vehicle: {kind: train}", {"'kind' is 'train'; expected 'car' or 'ship'"}},
    {"vehicle: {kind: car, draught: 4}",
     {"unknown key 'draught' in 'vehicle'; it belongs in 'fleet.NAME (kind: ship)'"}},
    {"vehicle: {kind: car, knid: 4}", {"unknown key 'knid'; did you mean 'kind'?"}},
    {"fleet: {\"a\\x07\": car}", {"the name 'a\\x07' has a control character"}},
};

static void tells(void **state)
{
    const struct row *row = *state;
    struct fixture f;
    size_t i = 0;

    bind(&f, row->text);
    for (; i < 4 && row->errors[i] != NULL; i++) {
        const char *text = diagnostics_text(f.binder.d, i, NULL, NULL);
        assert_non_null(text);
        assert_string_equal(text, row->errors[i]);
    }
    assert_int_equal(diagnostics_count(f.binder.d, DIAGNOSTIC_ERROR), i);
    release(&f);
}

int main(void)
{
    enum { ROWS = sizeof(rows) / sizeof(rows[0]) };
    struct CMUnitTest tests[16 + ROWS] = {
        cmocka_unit_test(absent_keys_take_their_defaults), cmocka_unit_test(scalars_are_filled),
        cmocka_unit_test(sections_and_lists_are_filled),   cmocka_unit_test(one_stands_for_a_list),
        cmocka_unit_test(inputs_are_named_by_path),
    };
    size_t count = 0;

    while (tests[count].test_func != NULL)
        count++;
    for (size_t i = 0; i < ROWS; i++)
        tests[count++] = (struct CMUnitTest){
            .name = rows[i].text, .test_func = tells, .initial_state = (void *)&rows[i]};
    return _cmocka_run_group_tests("binder", tests, count, NULL, NULL);
}
