/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/scenario_text.h"

#include "engine/file.h"
#include "tests/support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scenario_text_init(struct scenario_text *t)
{
    *t = (struct scenario_text){.diagnostics = diagnostics_new()};
    snprintf(t->folder, sizeof(t->folder), "%s/fleetcast-test-XXXXXX", P_tmpdir);
    assert_non_null(mkdtemp(t->folder));
    assert_non_null(t->diagnostics);
}

void scenario_text_release(struct scenario_text *t)
{
    for (size_t i = 0; i < t->path_count; i++)
        free(t->paths[i]);
    scenario_free(t->scenario);
    file_remove_tree(t->folder, t->diagnostics);
    diagnostics_free(t->diagnostics);
}

static char *path_of(const struct scenario_text *t, const char *name)
{
    size_t size = strlen(t->folder) + strlen(name) + 2;
    char *path = malloc(size);

    assert_non_null(path);
    snprintf(path, size, "%s/%s", t->folder, name);
    return path;
}

void scenario_text_write(struct scenario_text *t, const char *name, const char *text, size_t length)
{
    char *path = path_of(t, name);
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
    free(path);
}

void scenario_text_add(struct scenario_text *t, const char *name, const char *text, size_t length)
{
    assert_true(t->path_count < sizeof(t->paths) / sizeof(t->paths[0]));
    scenario_text_write(t, name, text, length);
    t->paths[t->path_count++] = path_of(t, name);
}

static const char *currency_of(void *context, const char *region)
{
    (void)context;
    if (strcmp(region, "nowhere") == 0)
        return NULL;
    return strncmp(region, "cn-", 3) == 0 ? "CNY" : "USD";
}

struct scenario *scenario_text_read(struct scenario_text *t)
{
    const struct scenario_request request = {
        .paths = (const char *const *)t->paths,
        .path_count = t->path_count,
        .sets = t->sets,
        .set_count = t->set_count,
        .strategies = t->strategies,
        .strategy_count = t->strategy_count,
        .currency_of = currency_of,
    };

    t->scenario = scenario_read(&request, t->diagnostics);
    return t->scenario;
}

char *scenario_text_output(struct scenario_text *t)
{
    char *all = NULL, *at;
    size_t size = 0, folder = strlen(t->folder) + 1;
    FILE *f = open_memstream(&all, &size);

    assert_non_null(f);
    diagnostics_write(t->diagnostics, f);
    fclose(f);
    while ((at = strstr(all, t->folder)) != NULL && at[folder - 1] == '/')
        memmove(at, at + folder, strlen(at + folder) + 1);
    return all;
}

struct scenario *scenario_text_of(struct scenario_text *t, const char *text)
{
    scenario_text_init(t);
    scenario_text_add(t, "scenario.yaml", text, strlen(text));
    return scenario_text_read(t);
}
