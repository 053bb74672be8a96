/* SPDX-License-Identifier: GPL-3.0-or-later
 * docs/output.md describes what is written: its tables of columns and metrics are the program's,
 * and every column of usage.csv and key of manifest.json has a place in it. */
#include "engine/gsl_errors.h"
#include "engine/text.h"
#include "scenarios/decide/actuals.h"
#include "scenarios/decide/basis_difference.h"
#include "scenarios/decide/commit_tables.h"
#include "scenarios/decide/difference_table.h"
#include "scenarios/decide/stated_difference.h"
#include "scenarios/output/focus_columns.h"
#include "scenarios/output/manifest.h"
#include "scenarios/output/result_tables.h"
#include "scenarios/output/world_files.h"
#include "tests/support/markdown.h"
#include "tests/support/studies.h"
#include "tests/support/testing.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANUAL "docs/output.md"
#define UPDATE "FLEETCAST_UPDATE_DOCS"

static void add_cell(struct text *out, const char *s)
{
    for (; *s != '\0'; s++) {
        text_add(out, *s == '|' ? "\\|" : (const char[]){*s, '\0'});
    }
}

static void write_columns(struct text *out)
{
    const char *name;
    struct arena *a = arena_new(0);
    for (size_t i = 0; (name = result_layout_name(i)) != NULL; i++) {
        struct result_table_layout layout;
        if (strcmp(name, "replications") == 0) {
            continue; /* its columns are the metrics */
        }
        assert_true(result_table_layout(name, "USD", a, &layout));
        text_format(out, "### %s.csv\n\n| column | unit | meaning |\n|---|---|---|\n", name);
        for (size_t k = 0; k < layout.count; k++) {
            text_format(out, "| `%s` | %s | ", layout.columns[k].name, layout.columns[k].unit);
            add_cell(out, layout.columns[k].meaning);
            text_add(out, " |\n");
        }
        text_add(out, "\n");
    }
    arena_free(a);
}

static void write_focus(struct text *out)
{
    text_add(out, "| column | 1.2 | meaning |\n|---|---|---|\n");
    for (int i = 0; i < FOCUS_COLUMN_COUNT; i++) {
        const struct focus_column_row *c = &focus_column_table[i];
        text_format(out, "| `%s` | %s | ", c->name, c->mandatory ? "mandatory" : "");
        add_cell(out, c->meaning);
        text_add(out, " |\n");
    }
    text_add(out, "\n");
}

static void write_table(struct text *out, const struct column *columns, int count)
{
    text_add(out, "| column | unit | meaning |\n|---|---|---|\n");
    for (int i = 0; i < count; i++) {
        text_format(out, "| `%s` | %s | ", columns[i].name, columns[i].unit);
        add_cell(out, columns[i].meaning);
        text_add(out, " |\n");
    }
    text_add(out, "\n");
}

static void write_differences(struct text *out)
{
    write_table(out, difference_columns, DIFFERENCE_COLUMNS);
}

static void write_differing_assumptions(struct text *out)
{
    write_table(out, assumption_difference_columns, ASSUMPTION_DIFFERENCE_COLUMNS);
}

static void write_differing_inputs(struct text *out)
{
    write_table(out, input_difference_columns, INPUT_DIFFERENCE_COLUMNS);
}

static void write_differing_keys(struct text *out)
{
    write_table(out, stated_difference_columns, STATED_DIFFERENCE_COLUMNS);
}

static void write_actuals(struct text *out)
{
    write_table(out, actuals_columns, ACTUALS_COLUMNS);
}

static void write_portfolios(struct text *out)
{
    write_table(out, commit_portfolio_columns, COMMIT_PORTFOLIO_COLUMNS);
}

static void write_offer_levels(struct text *out)
{
    write_table(out, commit_level_columns, COMMIT_LEVEL_COLUMNS);
}

static void write_metrics(struct text *out)
{
    text_add(out, "| metric | unit | meaning |\n|---|---|---|\n");
    for (int m = 0; m < METRIC_COUNT; m++) {
        char name[64], unit[16];
        bool yes_no = metric_table[m].kind == METRIC_YES_NO;
        text_format(out, "| `%s` | %s | ", metric_column((enum metric)m, "USD", name),
                    yes_no ? "0 or 1" : metric_unit((enum metric)m, "USD", unit));
        add_cell(out, metric_table[m].meaning);
        text_add(out, " |\n");
    }
    text_add(out, "\n");
}

/* What stands between `<!-- NAME: begin -->` and `<!-- NAME: end -->`, compared with what the
 * program says; or written anew. */
static void check_part(const char *name, void (*write)(struct text *out))
{
    char begin[64], end[64];
    struct text want;
    snprintf(begin, sizeof begin, "<!-- %s: begin -->\n", name);
    snprintf(end, sizeof end, "<!-- %s: end -->\n", name);
    char *manual = markdown_read(MANUAL);
    const char *first = strstr(manual, begin);
    const char *last = strstr(manual, end);
    assert_true(first != NULL && last != NULL && first < last);
    first += strlen(begin);
    text_init(&want, 1 << 20);
    text_add(&want, "\n");
    write(&want);
    assert_false(want.overflow);
    size_t length = (size_t)(last - first);
    bool same = length == want.length && memcmp(first, want.data, length) == 0;
    if (getenv(UPDATE) != NULL) {
        FILE *out = fopen(MANUAL, "wb");
        assert_non_null(out);
        fprintf(out, "%.*s%s%s", (int)(first - manual), manual, want.data, last);
        assert_int_equal(fclose(out), 0);
    } else if (!same) {
        fail_msg("the part '%s' of " MANUAL " is not what the program says; run " UPDATE
                 "=1 build/tests/scenarios/test_output_manual to write it anew",
                 name);
    }
    text_release(&want);
    free(manual);
}

static void the_columns_are_those_of_the_result_tables(void **state)
{
    (void)state;
    check_part("columns", write_columns);
}

static void the_metrics_are_those_of_the_study(void **state)
{
    (void)state;
    check_part("metrics", write_metrics);
}

static void the_focus_columns_are_those_of_the_export(void **state)
{
    (void)state;
    check_part("focus", write_focus);
}

static void the_columns_of_comparisons_are_those_of_their_tables(void **state)
{
    (void)state;
    check_part("diff", write_differences);
    check_part("diff assumptions", write_differing_assumptions);
    check_part("diff inputs", write_differing_inputs);
    check_part("diff stated", write_differing_keys);
    check_part("actuals", write_actuals);
    check_part("portfolios", write_portfolios);
    check_part("offer-levels", write_offer_levels);
}

/* ---- what is written row by row -------------------------------------------------------------- */

static const char scenario[] =
    "version: 1\nstart: 2026-03-02\nhorizon: 5d\nregion: us-east-1\nreplications: 2\n"
    "workloads: {job: {kind: training, hours: 3h}}\n"
    "strategies: {plain: {instance: g4dn.xlarge, nodes: 1, buy: on-demand}}\n";

static void assert_described(const char *manual, const char *name)
{
    char code[160];
    snprintf(code, sizeof code, "`%s`", name);
    if (strstr(manual, code) == NULL) {
        fail_msg(MANUAL " does not describe '%s'", name);
    }
}

static char *written(bool (*write)(FILE *out, const struct run *run), const struct run *run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(write(out, run));
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_header_described(const char *manual, char *csv)
{
    csv[strcspn(csv, "\n")] = '\0';
    char *rest = NULL;
    for (char *name = strtok_r(csv, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        assert_described(manual, name);
    }
}

static bool write_manifest(FILE *out, const struct run *run)
{
    static const char *const arguments[] = {"run", "plan.yaml"};
    const struct manifest_request request = {
        .arguments = arguments, .argument_count = 2, .jobs = 1};
    return manifest_write(out, run, &request);
}

/* The keys of an object, and of the objects in it and in its lists. */
static void assert_keys_described(const char *manual, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        assert_described(manual, key);
        json_t *inner = json_is_array(value) ? json_array_get(value, 0) : value;
        const char *inner_key;
        json_t *inner_value;
        json_object_foreach(inner, inner_key, inner_value)
        {
            assert_described(manual, inner_key);
        }
    }
}

static void every_column_and_key_is_described(void **state)
{
    (void)state;
    char *manual = markdown_read(MANUAL);
    struct study *s = study_from_text(scenario, NULL);
    struct run run;
    study_run(&run, s, 1);
    char *usage = written(write_usage, &run);
    char *replications = written(write_replications, &run);
    char *manifest = written(write_manifest, &run);
    assert_header_described(manual, usage);
    assert_header_described(manual, replications);
    json_t *root = json_loads(manifest, 0, NULL);
    assert_non_null(root);
    assert_keys_described(manual, root);
    json_decref(root);
    free(usage);
    free(replications);
    free(manifest);
    run_release(&run);
    study_free(s);
    free(manual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_columns_are_those_of_the_result_tables),
        cmocka_unit_test(the_metrics_are_those_of_the_study),
        cmocka_unit_test(the_focus_columns_are_those_of_the_export),
        cmocka_unit_test(the_columns_of_comparisons_are_those_of_their_tables),
        cmocka_unit_test(every_column_and_key_is_described),
    };
    gsl_errors_install();
    return cmocka_run_group_tests_name("output manual", tests, NULL, NULL);
}
