/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/scenario.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "scenarios/reader/binder.h"
#include "scenarios/reader/scenario_checks.h"
#include "scenarios/reader/scenario_sources.h"
#include "scenarios/reader/search_plans.h"

#include <ctype.h>
#include <string.h>

/* Far above what the limits of files, names and items let a scenario take. */
static const size_t MEMORY_LIMIT = (size_t)512 << 20;

/* "medical" of "plans/medical.yaml". */
static const char *title_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(base, '.');
    size_t length = dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base);
    const char *title = strcmp(path, "-") == 0 ? "scenario" : arena_copy(a, base, length);

    return title == NULL ? "scenario" : title;
}

/* Money is read in the region's currency, so this comes before all else is bound. */
static const char *find_currency(const struct scenario_request *request,
                                 const struct yaml_node *root)
{
    const struct yaml_node *region = yaml_tree_find(root, "region");
    const char *currency = NULL;

    if (region != NULL && region->kind == YAML_TEXT && request->currency_of != NULL)
        currency = request->currency_of(request->context, region->text);
    return currency == NULL ? "USD" : currency;
}

/* "cost_cny.p90": the default speaks of dollars. */
static void localise_metric(struct scenario *s)
{
    char unit[8];
    size_t i = 0;

    if (yaml_tree_find(s->tree, "precision_of") != NULL || strcmp(s->currency, "USD") == 0)
        return;
    for (; s->currency[i] != '\0' && i + 1 < sizeof(unit); i++)
        unit[i] = (char)tolower((unsigned char)s->currency[i]);
    unit[i] = '\0';
    s->precision_of = arena_format(s->arena, "cost_%s.p90", unit);
}

static void derive(struct scenario *s, const struct scenario_request *request)
{
    const int64_t months_end = civil_add_months(s->start.unix_s, s->horizon.months);

    s->horizon_s = (double)(months_end - s->start.unix_s) + s->horizon.value;
    s->horizon_unix_s = s->start.unix_s + (int64_t)s->horizon_s;
    s->prices_as_of_unix_s = s->prices_as_of.given ? s->prices_as_of.unix_s : s->start.unix_s;
    if (s->name == NULL)
        s->name = title_of(s->arena, request->paths[0]);
    s->fiscal_year = s->fiscal_year % 12 + 1;
    localise_metric(s);
}

/* Reads into a scenario that owns its arena; all that is wrong is told in d. */
static void read_all(struct scenario *s, const struct scenario_request *request,
                     struct diagnostics *d)
{
    struct scenario_sources sources;
    struct binder binder = {.arena = s->arena, .inputs = s->inputs, .d = d};
    const size_t before = diagnostics_count(d, DIAGNOSTIC_ERROR);

    if (!scenario_sources_read(&sources, request, s->arena, d))
        return;
    if (request->plans != NULL && !search_plans_put(sources.root, request->plans, s->arena, d))
        return;
    s->files = sources.files;
    s->hash = sources.hash;
    s->tree = sources.root;
    s->item.place = sources.root->place;
    s->currency = arena_string(s->arena, find_currency(request, sources.root));
    s->folder =
        strcmp(request->paths[0], "-") == 0 ? "." : file_folder(s->arena, request->paths[0]);
    if (s->currency == NULL || s->folder == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){NULL, 0, 0}, "out of memory");
        return;
    }
    binder.currency = s->currency;
    if (!report_currency_find(s->tree, s->currency, &binder.other_currency, &binder.other_rate))
        binder.other_currency = NULL;
    binder.folder = s->folder;
    binder_fill(&binder, &scenario_schema, sources.root, s);
    report_currency_check(&s->report, s->currency, scenario_place(s, "report_currency"), d);
    scenario_check_names(s, d);
    if (diagnostics_count(d, DIAGNOSTIC_ERROR) == before)
        scenario_correlate(s, d);
    scenario_keep_strategies(s, request->strategies, request->strategy_count, d);
    if (diagnostics_count(d, DIAGNOSTIC_ERROR) == before)
        derive(s, request);
}

struct scenario *scenario_read(const struct scenario_request *request, struct diagnostics *d)
{
    struct arena *a = arena_new(MEMORY_LIMIT);
    struct scenario *s = a == NULL ? NULL : arena_alloc(a, sizeof(*s));
    const size_t wrong = diagnostics_count(d, DIAGNOSTIC_ERROR);
    const size_t failed = diagnostics_count(d, DIAGNOSTIC_FAILURE);

    if (s != NULL) {
        s->arena = a;
        s->inputs = inputs_new(a);
        s->tables = request->tables;
    }
    if (s == NULL || s->inputs == NULL)
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){NULL, 0, 0}, "out of memory");
    else
        read_all(s, request, d);
    if (diagnostics_count(d, DIAGNOSTIC_ERROR) == wrong &&
        diagnostics_count(d, DIAGNOSTIC_FAILURE) == failed)
        return s;
    arena_free(a);
    return NULL;
}

struct place scenario_place(const struct scenario *s, const char *key)
{
    const struct yaml_node *n = yaml_tree_find(s->tree, key);

    return n == NULL ? s->item.place : n->place;
}

void scenario_free(struct scenario *s)
{
    if (s != NULL)
        arena_free(s->arena);
}
