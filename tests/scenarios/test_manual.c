/* SPDX-License-Identifier: GPL-3.0-or-later
 * The manual says what the program does: its key tables are those of the schema, and every example
 * of a scenario in it is read, planned and priced, or refused in just the words that it shows.
 *
 * A yaml block begins with a line that says what it is:
 *     # a whole scenario    read alone
 *     # laid over it        over the last whole scenario before it
 *     # refused             the same, and the next block, of text, is what is said to it
 * A csv block with a name behind (```csv prices.csv) is a file beside them. */
#include "engine/file.h"
#include "engine/gsl_errors.h"
#include "engine/text.h"
#include "models/catalogue/catalogue.h"
#include "scenarios/reader/scenario_keys.h"
#include "scenarios/study/study.h"
#include "tests/support/markdown.h"
#include "tests/support/scenario_text.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANUAL "docs/scenario.md"
#define UPDATE "FLEETCAST_UPDATE_DOCS"

/* ---- the key tables ------------------------------------------------------------------------- */

static void assert_same_lines(const char *got, const char *want)
{
    int line = 1;
    const char *start = want;
    if (strcmp(got, want) == 0) {
        return;
    }
    for (; *got != '\0' && *got == *want; got++, want++) {
        if (*got == '\n') {
            line++;
            start = want + 1;
        }
    }
    fail_msg("the key tables of " MANUAL " differ from the program's keys, first in line %d of the "
             "tables:\n%.*s\nrun %s=1 %s to write them anew",
             line, (int)strcspn(start, "\n"), start, UPDATE, "build/tests/scenarios/test_manual");
}

static void the_key_tables_are_the_schema(void **state)
{
    static const char begin[] = "<!-- keys: begin -->\n", end[] = "<!-- keys: end -->\n";
    (void)state;
    char *manual = markdown_read(MANUAL);
    const char *first = strstr(manual, begin);
    const char *last = strstr(manual, end);
    assert_true(first != NULL && last != NULL && first < last);
    first += strlen(begin);
    struct text tables;
    text_init(&tables, 1 << 20);
    text_add(&tables, "\n");
    schema_write_markdown(&scenario_schema, &tables);
    text_add(&tables, "\n");
    assert_false(tables.overflow);
    if (getenv(UPDATE) != NULL) {
        FILE *out = fopen(MANUAL, "wb");
        assert_non_null(out);
        fprintf(out, "%.*s%s%s", (int)(first - manual), manual, tables.data, last);
        assert_int_equal(fclose(out), 0);
    } else {
        char *got = strndup(first, (size_t)(last - first));
        assert_non_null(got);
        assert_same_lines(got, tables.data);
        free(got);
    }
    text_release(&tables);
    free(manual);
}

/* ---- examples ------------------------------------------------------------------------------- */

enum example_kind { WHOLE, PART, REFUSED, UNKNOWN };

static const char *const firsts[] = {"# a whole scenario\n", "# laid over it\n", "# refused\n"};

struct example {
    char name[80]; /* "docs/scenario.md:31" */
    const char *path;
    enum example_kind kind;
    char *text;
    char *whole;    /* what it is laid over; NULL for a whole one */
    char *expected; /* of a refused one */
};

/* A csv file that examples of a document name. */
struct attachment {
    const char *path; /* of the document */
    char *name, *text;
};

struct examples {
    struct markdown_files files;
    struct example examples[256];
    size_t count;
    struct attachment attachments[64];
    size_t attachment_count;
};

static enum example_kind kind_of(const char *text)
{
    enum example_kind k = WHOLE;
    while (k < UNKNOWN && strncmp(text, firsts[k], strlen(firsts[k])) != 0) {
        k++;
    }
    return k;
}

static void collect_from(struct examples *all, const char *path)
{
    char *file = markdown_read(path);
    const char *at = file;
    struct example *whole = NULL, *last = NULL;
    struct markdown_block b;
    while (markdown_next_block(file, &at, &b)) {
        if (markdown_is(&b, "csv") && b.info_length > strlen("csv ")) {
            assert_true(all->attachment_count < 64);
            all->attachments[all->attachment_count++] = (struct attachment){
                path, strndup(b.info + 4, b.info_length - 4), markdown_copy(&b)};
        }
        if (markdown_is(&b, "text") && last != NULL && last->kind == REFUSED) {
            free(last->expected);
            last->expected = markdown_copy(&b);
        }
        last = NULL;
        if (!markdown_is(&b, "yaml")) {
            continue;
        }
        assert_true(all->count < 256);
        last = &all->examples[all->count++];
        snprintf(last->name, sizeof last->name, "%.60s:%d", path, b.line);
        last->path = path;
        last->text = markdown_copy(&b);
        last->kind = kind_of(last->text);
        if (last->kind == WHOLE) {
            whole = last;
        } else if (whole != NULL) {
            last->whole = whole->text;
        }
    }
    free(file);
}

static const char *currency_of(void *context, const char *region)
{
    const struct region *r = catalogue_region(context, region);
    return r == NULL ? NULL : r->currency;
}

/* Reads the files of t and makes a study of them; all that is wrong is in t's diagnostics. */
static void plan(struct scenario_text *t)
{
    struct catalogue *c = catalogue_load(NULL, NULL, 0, t->diagnostics);
    assert_non_null(c);
    const struct scenario_request request = {.paths = (const char *const *)t->paths,
                                             .path_count = t->path_count,
                                             .currency_of = currency_of,
                                             .context = c};
    struct scenario *s = scenario_read(&request, t->diagnostics);
    if (s != NULL && s->price_files.count > 0) {
        const char *const *names = s->price_files.items;
        const char **paths = arena_array(s->arena, s->price_files.count, sizeof *paths);
        assert_non_null(paths);
        for (size_t i = 0; i < s->price_files.count; i++) {
            paths[i] = file_join(s->arena, s->folder, names[i]);
        }
        catalogue_free(c);
        c = catalogue_load(NULL, paths, s->price_files.count, t->diagnostics);
        assert_non_null(c);
    }
    if (s == NULL) {
        catalogue_free(c);
        return;
    }
    study_free(study_new(s, c, t->diagnostics));
}

static struct examples examples;

static void an_example_is_read_and_planned(void **state)
{
    const struct example *e = *state;
    struct scenario_text t;
    if (e->kind == UNKNOWN) {
        fail_msg("%s: a yaml block must begin with %s, %s or %s", e->name, firsts[WHOLE],
                 firsts[PART], firsts[REFUSED]);
    }
    scenario_text_init(&t);
    for (size_t i = 0; i < examples.attachment_count; i++) {
        const struct attachment *a = &examples.attachments[i];
        if (strcmp(a->path, e->path) == 0) {
            scenario_text_write(&t, a->name, a->text, strlen(a->text));
        }
    }
    if (e->kind != WHOLE) {
        assert_non_null(e->whole);
        scenario_text_add(&t, "plan.yaml", e->whole, strlen(e->whole));
    }
    scenario_text_add(&t, e->kind == WHOLE ? "plan.yaml" : "patch.yaml", e->text, strlen(e->text));
    plan(&t);
    char *said = scenario_text_output(&t);
    if (e->kind == REFUSED) {
        assert_non_null(e->expected);
        assert_string_equal(said, e->expected);
    } else if (said[0] != '\0') {
        fail_msg("%s is not read without a remark:\n%s", e->name, said);
    }
    free(said);
    scenario_text_release(&t);
}

static void free_examples(void)
{
    for (size_t i = 0; i < examples.count; i++) {
        free(examples.examples[i].text);
        free(examples.examples[i].expected);
    }
    for (size_t i = 0; i < examples.attachment_count; i++) {
        free(examples.attachments[i].name);
        free(examples.attachments[i].text);
    }
    markdown_free_files(&examples.files);
}

int main(void)
{
    gsl_errors_install();
    markdown_find(&examples.files);
    for (size_t i = 0; i < examples.files.count; i++) {
        collect_from(&examples, examples.files.paths[i]);
    }
    struct CMUnitTest tests[257] = {cmocka_unit_test(the_key_tables_are_the_schema)};
    for (size_t i = 0; i < examples.count; i++) {
        tests[i + 1] =
            (struct CMUnitTest){examples.examples[i].name, an_example_is_read_and_planned, NULL,
                                NULL, &examples.examples[i]};
    }
    int failed = _cmocka_run_group_tests("manual", tests, examples.count + 1, NULL, NULL);
    free_examples();
    return failed;
}
