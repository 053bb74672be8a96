/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/choice_plan.h"

#include "scenarios/study/study.h"

#include <math.h>
#include <string.h>

/* What a plan is made with. */
struct planning {
    const struct scenario *scenario;
    struct objective_names names;
    bool deadlines;
    struct arena *arena;
    struct diagnostics *d;
};

static bool take_names(struct planning *p)
{
    const struct scenario *s = p->scenario;
    const struct schema_variant_item *items = s->workloads.items;
    const char **names = arena_array(p->arena, s->workloads.count + 1, sizeof *names);
    for (size_t w = 0; names != NULL && w < s->workloads.count; w++) {
        names[w] = items[w].item.name;
    }
    p->names = (struct objective_names){s->currency, names, s->workloads.count};
    return names != NULL;
}

/* Of what no world can have nothing can be known. */
static void check_there(const struct planning *p, const struct objective *o, struct place where)
{
    const char *missing = NULL;
    if (o->metric == METRIC_OVER_BUDGET && !p->scenario->budget.given) {
        missing = "the scenario has no 'budget'";
    } else if (o->metric == METRIC_OVER_BUDGET && o->workload != NULL) {
        missing = "the budget is of all workloads together; drop the workload";
    } else if (o->metric == METRIC_LATE && !p->deadlines) {
        missing = "no workload has a 'deadline'";
    } else if (o->metric == METRIC_CANCELLED && p->scenario->project.cancel_place.file == NULL) {
        missing = "the scenario has no 'cancel'";
    }
    if (missing != NULL) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, where, "'%.*s' is not known in any world: %s",
                        (int)o->length, o->text, missing);
    }
}

static struct condition *take_conditions(const struct planning *p, const struct schema_list *list)
{
    const struct condition_spec *specs = list->items;
    struct condition *out = arena_array(p->arena, list->count + 1, sizeof *out);
    for (size_t i = 0; out != NULL && i < list->count; i++) {
        char message[512];
        if (!condition_parse(specs[i].condition, &p->names, false, &out[i], message,
                             sizeof message)) {
            diagnostics_add(p->d, DIAGNOSTIC_ERROR, specs[i].item.place, "%s", message);
        } else {
            check_there(p, &out[i].objective, specs[i].item.place);
        }
    }
    return out;
}

/* Of the least and the largest of some worlds nothing is known but that there are worse. */
static void check_stat(const struct planning *p, const struct objective *o, struct place where)
{
    if (o->stat == OBJECTIVE_MIN || o->stat == OBJECTIVE_MAX) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, where,
                        "'%.*s' cannot be compared: the %s of more worlds is another; choose by a "
                        "quantile, such as .%s",
                        (int)o->length, o->text, o->stat == OBJECTIVE_MIN ? "least" : "largest",
                        o->stat == OBJECTIVE_MIN ? "p5" : "p95");
    }
}

static void take_objective(struct choice_plan *c, const struct planning *p)
{
    const struct choose_spec *spec = &p->scenario->choose;
    char message[512];
    if ((spec->minimise == NULL) == (spec->maximise == NULL)) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, scenario_place(p->scenario, "choose"),
                        spec->minimise == NULL
                            ? "'choose' needs 'minimise' or 'maximise', such as 'minimise: "
                              "cost_usd.p80'"
                            : "'minimise' and 'maximise' exclude each other; drop one");
        return;
    }
    c->maximise = spec->maximise != NULL;
    const char *text = c->maximise ? spec->maximise : spec->minimise;
    /* Of `choose: cost_usd.p80` only the section has a place. */
    struct place where = c->maximise ? spec->maximise_place : spec->minimise_place;
    if (where.file == NULL) {
        where = scenario_place(p->scenario, "choose");
    }
    if (!objective_parse(text, strlen(text), &p->names, &c->objective, message, sizeof message)) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, where, "%s", message);
    } else {
        check_stat(p, &c->objective, where);
        check_there(p, &c->objective, where);
    }
}

/* Of any workload; it is the same under every strategy. */
static bool has_deadline(const struct study *s)
{
    for (size_t w = 0; w < s->workload_count; w++) {
        const struct work_plan *plan = s->strategies[0].plans[w];
        if (plan != NULL && isfinite(plan->deadline_s)) {
            return true;
        }
    }
    return false;
}

bool choice_plan_make(struct choice_plan *c, const struct study *study, struct arena *arena,
                      struct diagnostics *d)
{
    const struct scenario *s = study->scenario;
    struct planning p = {.scenario = s, .deadlines = has_deadline(study), .arena = arena, .d = d};
    *c = (struct choice_plan){.given = s->choose.given,
                              .confidence = s->choose.confidence.value,
                              .serve_at_least = s->choose.serve_at_least.value,
                              .fresh_worlds = (uint32_t)s->choose.fresh_worlds,
                              .fresh_given = s->choose.fresh_given};
    if (!take_names(&p)) {
        return false;
    }
    if (c->given) {
        take_objective(c, &p);
    }
    c->conditions = take_conditions(&p, &s->choose.subject_to);
    c->condition_count = s->choose.subject_to.count;
    c->limits = take_conditions(&p, &s->limits);
    c->limit_count = s->limits.count;
    return c->conditions != NULL && c->limits != NULL;
}
