/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/reader/scenario_checks.h"

#include "engine/text.h"
#include "models/policies/strategy.h"
#include "scenarios/reader/quote.h"
#include "scenarios/reader/yaml_tree.h"

#include <string.h>

enum { ENOUGH_ERRORS = 200 }; /* beyond them no time is spent on finding what was meant */

static const struct place nowhere = {NULL, 0, 0};

/* ---- names ---------------------------------------------------------------------------------- */

/* "…; did you mean 'x'?" or "". */
static const char *meant(struct arena *a, const char *word, const char *const *names, size_t count)
{
    const char *near = text_suggest(word, names, count);
    const char *text = near == NULL ? "" : arena_format(a, "; did you mean %s?", quote(a, near));

    return text == NULL ? "" : text;
}

/* The names of a mapping's items, each `size` bytes; NULL when memory is out. */
static const char **names_of(struct arena *a, const struct schema_list *list, size_t size)
{
    const char **names = arena_array(a, list->count + 1, sizeof(*names));

    for (size_t i = 0; names != NULL && i < list->count; i++) {
        const struct schema_item *item =
            (const struct schema_item *)(const void *)((const char *)list->items + i * size);
        names[i] = item->name == NULL ? "" : item->name; /* NULL: it was refused already */
    }
    return names;
}

static bool is_among(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return false;
}

static void check_overrides(const struct scenario *s, const struct strategy *strategy,
                            const char *const *workloads, struct diagnostics *d)
{
    const struct strategy_terms *terms = strategy->workloads.items;

    for (size_t i = 0; i < strategy->workloads.count; i++) {
        const char *name = terms[i].item.name;
        if (name == NULL || is_among(name, workloads, s->workloads.count))
            continue;
        diagnostics_add(d, DIAGNOSTIC_ERROR, terms[i].item.place, "no workload is called %s%s",
                        quote(s->arena, name),
                        meant(s->arena, name, workloads, s->workloads.count));
    }
}

static void check_baseline(const struct scenario *s, const char *const *strategies,
                           struct diagnostics *d)
{
    if (s->baseline == NULL || is_among(s->baseline, strategies, s->strategies.count))
        return;
    diagnostics_add(d, DIAGNOSTIC_ERROR, scenario_place(s, "baseline"),
                    "no strategy is called %s%s", quote(s->arena, s->baseline),
                    meant(s->arena, s->baseline, strategies, s->strategies.count));
}

static void check_stopping_rule(const struct scenario *s, struct diagnostics *d)
{
    const char *const needy[] = {"precision_of", "max_replications"};
    const struct yaml_node *precision = yaml_tree_find(s->tree, "precision");

    if (precision != NULL && s->precision.input >= 0)
        diagnostics_add(d, DIAGNOSTIC_ERROR, precision->place,
                        "'precision' must be one certain number");
    if (precision != NULL && yaml_tree_find(s->tree, "replications") != NULL)
        diagnostics_add(d, DIAGNOSTIC_ERROR, precision->key_place,
                        "'precision' and 'replications' exclude each other; drop one");
    for (size_t i = 0; precision == NULL && i < 2; i++) {
        const struct yaml_node *n = yaml_tree_find(s->tree, needy[i]);
        if (n != NULL)
            diagnostics_add(d, DIAGNOSTIC_WARNING, n->key_place,
                            "'%s' has no effect without 'precision'", needy[i]);
    }
}

void scenario_check_names(const struct scenario *s, struct diagnostics *d)
{
    const struct strategy *strategies = s->strategies.items;
    const char **workload_names =
        names_of(s->arena, &s->workloads, sizeof(struct schema_variant_item));
    const char **strategy_names = names_of(s->arena, &s->strategies, sizeof(struct strategy));

    if (workload_names == NULL || strategy_names == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
        return;
    }
    check_stopping_rule(s, d);
    if (s->workloads.count > 0) {
        for (size_t i = 0; i < s->strategies.count; i++)
            check_overrides(s, &strategies[i], workload_names, d);
    }
    if (s->strategies.count > 0)
        check_baseline(s, strategy_names, d);
}

/* ---- correlations --------------------------------------------------------------------------- */

/* "; did you mean 'x'?" among the inputs, or "". */
static const char *meant_input(const struct scenario *s, const char *path,
                               const struct diagnostics *d)
{
    const size_t count = inputs_count(s->inputs);
    const char **names;

    if (diagnostics_count(d, DIAGNOSTIC_ERROR) >= ENOUGH_ERRORS)
        return "";
    names = arena_array(s->arena, count + 1, sizeof(*names));
    if (names == NULL)
        return "";
    for (size_t i = 0; i < count; i++)
        names[i] = inputs_at(s->inputs, i)->name;
    return meant(s->arena, path, names, count);
}

/* The input that a path names: its own, or the only one below it (`boot` for `boot.mean`). -1 with
 * an error. */
static int find_input(const struct scenario *s, const struct correlation_spec *c, const char *path,
                      struct diagnostics *d)
{
    const size_t length = strlen(path);
    int found = inputs_find(s->inputs, path), below = 0;

    if (found >= 0)
        return found;
    for (size_t i = 0; i < inputs_count(s->inputs); i++) {
        const char *name = inputs_at(s->inputs, i)->name;
        if (strncmp(name, path, length) == 0 && name[length] == '.') {
            found = (int)i;
            below++;
        }
    }
    if (below == 1)
        return found;
    if (below > 1)
        diagnostics_add(d, DIAGNOSTIC_ERROR, c->item.place,
                        "%s has several uncertain numbers below it, %s among them; name one",
                        quote(s->arena, path),
                        quote(s->arena, inputs_at(s->inputs, (size_t)found)->name));
    else
        diagnostics_add(d, DIAGNOSTIC_ERROR, c->item.place, "%s is not an uncertain number%s",
                        quote(s->arena, path), meant_input(s, path, d));
    return -1;
}

struct pair {
    int low, high;
};

static bool is_tied(const struct pair *pairs, size_t count, struct pair p)
{
    for (size_t i = 0; i < count; i++) {
        if (pairs[i].low == p.low && pairs[i].high == p.high)
            return true;
    }
    return false;
}

void scenario_correlate(struct scenario *s, struct diagnostics *d)
{
    const struct correlation_spec *specs = s->correlate.items;
    struct pair *pairs = arena_array(s->arena, s->correlate.count + 1, sizeof(*pairs));
    size_t count = 0;

    if (pairs == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
        return;
    }
    for (size_t i = 0; i < s->correlate.count; i++) {
        const struct correlation_spec *c = &specs[i];
        int a = find_input(s, c, c->a, d), b = find_input(s, c, c->b, d);
        const struct pair pair = {a < b ? a : b, a < b ? b : a};
        if (a < 0 || b < 0)
            continue;
        if (a == b) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, c->item.place,
                            "%s cannot be correlated with itself", quote(s->arena, c->a));
        } else if (is_tied(pairs, count, pair)) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, c->item.place, "this pair is correlated twice");
        } else if (inputs_correlate(s->inputs, a, b, c->rho.value)) {
            pairs[count++] = pair;
        } else {
            diagnostics_add(d, DIAGNOSTIC_ERROR, c->item.place,
                            "more than %d numbers are correlated", INPUTS_MAX_CORRELATED);
            return;
        }
    }
}

/* ---- --strategy ----------------------------------------------------------------------------- */

void scenario_keep_strategies(struct scenario *s, const char *const *names, size_t count,
                              struct diagnostics *d)
{
    static const struct place option = {"--strategy", 0, 0};
    const char **all = names_of(s->arena, &s->strategies, sizeof(struct strategy));
    struct strategy *strategies = s->strategies.items;
    size_t kept = 0;

    if (count == 0 || s->strategies.count == 0)
        return;
    if (all == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_among(names[i], all, s->strategies.count))
            diagnostics_add(
                d, DIAGNOSTIC_ERROR, option, "no strategy is called %s%s%s",
                quote(s->arena, names[i]), meant(s->arena, names[i], all, s->strategies.count),
                strchr(names[i], ',') == NULL ? "" : "; give '--strategy' once for each");
    }
    for (size_t i = 0; i < s->strategies.count; i++) {
        if (is_among(all[i], names, count))
            strategies[kept++] = strategies[i];
    }
    if (kept == 0)
        return;
    s->strategies.count = kept;
    if (s->baseline == NULL || is_among(s->baseline, names, count))
        return;
    s->baseline = strategies[0].item.name;
}
