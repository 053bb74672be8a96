/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs every tests/cases/NAME.case: scenario files and the exact messages expected of them. The
 * format is described in tests/cases/README.md. */
#include "tests/support/scenario_text.h"
#include "tests/support/testing.h"

#include "engine/file.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SECTIONS = 16 };

struct section {
    char *name;
    char *text;
    size_t length;
};

struct case_file {
    const char *path;
    char *text; /* cut up in place */
    struct section sections[MOST_SECTIONS];
    size_t count;
};

static char *read_whole(const char *path, size_t *length)
{
    struct arena *a = arena_new(0);
    struct diagnostics *d = diagnostics_new();
    char *text = file_read(a, path, (size_t)1 << 20, length, d), *copy;

    if (text == NULL)
        fail_msg("cannot read %s", path);
    copy = malloc(*length + 1);
    assert_non_null(copy);
    memcpy(copy, text, *length + 1);
    diagnostics_free(d);
    arena_free(a);
    return copy;
}

/* Cuts the text at its `=== NAME` lines; what stands before the first is the case's comment. */
static void cut(struct case_file *c)
{
    char *line = strncmp(c->text, "=== ", 4) == 0 ? c->text : strstr(c->text, "\n=== ");

    if (line != NULL && *line == '\n')
        line++;
    while (line != NULL) {
        struct section *s = &c->sections[c->count++];
        char *end = strchr(line, '\n'), *next;
        if (c->count == MOST_SECTIONS || end == NULL)
            fail_msg("%s: too many sections, or no line behind one's name", c->path);
        *end = '\0';
        s->name = line + 4;
        s->text = end + 1;
        next = strncmp(s->text, "=== ", 4) == 0 ? s->text : strstr(s->text, "\n=== ");
        if (next != NULL && *next == '\n')
            next++;
        s->length = next == NULL ? strlen(s->text) : (size_t)(next - s->text);
        line = next;
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);

    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Ends the section's text (once its neighbour has been read) and splits it into lines. */
static size_t split_lines(struct section *s, const char **lines, size_t most)
{
    size_t count = 0;
    char *rest = s->text, *line;

    s->text[s->length] = '\0';
    while ((line = strsep(&rest, "\n")) != NULL) {
        if (*line == '\0')
            continue;
        assert_true(count < most);
        lines[count++] = line;
    }
    return count;
}

static void add_file(struct scenario_text *t, const struct section *s)
{
    char path[256], *text;
    size_t length;

    if (!ends_with(s->name, ".yaml")) {
        scenario_text_write(t, s->name, s->text, s->length);
        return;
    }
    if (s->length > 0) {
        scenario_text_add(t, s->name, s->text, s->length);
        return;
    }
    snprintf(path, sizeof(path), "tests/cases/%s", s->name);
    text = read_whole(path, &length);
    scenario_text_add(t, s->name, text, length);
    free(text);
}

/* Only the messages: the quoted source lines and carets are indented. */
static void drop_quotes(char *text)
{
    char *out = text;

    for (char *line = text; *line != '\0';) {
        char *end = strchr(line, '\n');
        size_t length = end == NULL ? strlen(line) : (size_t)(end - line) + 1;
        if (*line != ' ') {
            memmove(out, line, length);
            out += length;
        }
        line += length;
    }
    *out = '\0';
}

static void compare(const struct case_file *c, const struct section *want, struct scenario_text *t)
{
    char *got = scenario_text_output(t);
    const char *expected = want->text;

    if (strcmp(want->name, "output") != 0)
        drop_quotes(got);
    if (strcmp(expected, "ok\n") == 0)
        expected = "";
    if (strcmp(got, expected) != 0)
        fail_msg("%s: expected\n%sgot\n%s", c->path, want->text, *got == '\0' ? "ok\n" : got);
    free(got);
    if ((t->scenario == NULL) != diagnostics_failed(t->diagnostics))
        fail_msg("%s: a scenario without errors is read, one with errors is not", c->path);
}

static void run_case(void **state)
{
    struct case_file c = {.path = *state};
    struct scenario_text t;
    struct section *want = NULL;
    size_t length;

    c.text = read_whole(c.path, &length);
    scenario_text_init(&t);
    cut(&c);
    for (size_t i = c.count;
         i-- > 0;) /* from behind: a section's NUL falls on the next one's name */
        c.sections[i].text[c.sections[i].length] = '\0';
    for (size_t i = 0; i < c.count; i++) {
        struct section *s = &c.sections[i];
        if (strcmp(s->name, "set") == 0)
            t.set_count = split_lines(s, t.sets, 64);
        else if (strcmp(s->name, "strategy") == 0)
            t.strategy_count = split_lines(s, t.strategies, 16);
        else if (strcmp(s->name, "expect") == 0 || strcmp(s->name, "output") == 0)
            want = s;
        else
            add_file(&t, s);
    }
    if (want == NULL || t.path_count == 0)
        fail_msg("%s: a case has a .yaml section and one named expect or output", c.path);
    scenario_text_read(&t);
    compare(&c, want, &t);
    scenario_text_release(&t);
    free(c.text);
}

int main(void)
{
    struct CMUnitTest *tests;
    glob_t found;
    int failed;

    if (glob("tests/cases/*.case", 0, NULL, &found) != 0)
        return 1;
    tests = calloc(found.gl_pathc, sizeof(*tests));
    if (tests == NULL)
        return 1;
    for (size_t i = 0; i < found.gl_pathc; i++)
        tests[i] = (struct CMUnitTest){
            .name = found.gl_pathv[i], .test_func = run_case, .initial_state = found.gl_pathv[i]};
    failed = _cmocka_run_group_tests("cases", tests, found.gl_pathc, NULL, NULL);
    free(tests);
    globfree(&found);
    return failed;
}
