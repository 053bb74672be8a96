/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_studies.h"

#include "engine/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What strategies a scenario can have. */
#define MOST_PLANS 64

/* Of the scenario, whatever it says itself: worlds are asked for one by one here, and commitments
 * are rated at no level but their own. */
static const char *const own_settings[] = {"precision=null", "replications=1",
                                           "commitment_levels=[]"};
enum { OWN_SETTINGS = sizeof own_settings / sizeof own_settings[0] };
static const char *const no_levels = "commitment_levels=[]";

static bool out_of_memory(struct search *s)
{
    diagnostics_add(s->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

static const char *currency_of(void *context, const char *region)
{
    const struct region *r = catalogue_region(context, region);
    return r == NULL ? NULL : r->currency;
}

/* The scenario of the request with these plans, and settings of its own behind those given; NULL
 * with the reason in d. */
static struct study *study_with(struct search *s, const struct search_plans *put,
                                const char *const *own, size_t own_count, struct diagnostics *d)
{
    const struct scenario_request *given = s->request;
    const char **all = arena_array(s->arena, given->set_count + own_count + 1, sizeof *all);
    if (all == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < given->set_count; i++) {
        all[i] = given->sets[i];
    }
    for (size_t i = 0; i < own_count; i++) {
        all[given->set_count + i] = own[i];
    }
    const struct scenario_request request = {.paths = given->paths,
                                             .path_count = given->path_count,
                                             .sets = all,
                                             .set_count = given->set_count + own_count,
                                             .plans = put,
                                             .tables = s->tables,
                                             .currency_of = currency_of,
                                             .context = s->base->catalogue};
    struct scenario *scenario = scenario_read(&request, d);
    return scenario == NULL ? NULL : study_new_sharing(scenario, s->base->catalogue, d);
}

/* NULL with the reason in d. */
static struct study *make_study(struct search *s, struct candidate *const *c, size_t count,
                                struct diagnostics *d)
{
    struct search_plan plans[MOST_PLANS];
    for (size_t i = 0; i < count; i++) {
        plans[i] = c[i]->plan;
    }
    const struct search_plans put = {.base = s->base_name,
                                     .sets = c[0]->shared,
                                     .set_count = c[0]->shared_count,
                                     .plans = plans,
                                     .count = count};
    return study_with(s, &put, own_settings, OWN_SETTINGS, d);
}

struct study *search_studies_beside(struct search *s, const struct candidate *c, const char *name,
                                    struct diagnostics *d)
{
    struct search_plan plan = c->plan;
    struct search_plans put = search_as_plans(s, c);
    plan.name = name;
    put.plans = &plan;
    put.beside = true;
    return study_with(s, &put, &no_levels, 1, d);
}

static bool keep_study(struct search *s, struct study *study)
{
    if (s->study_count == s->study_capacity) {
        size_t capacity = s->study_capacity == 0 ? 64 : 2 * s->study_capacity;
        struct study **more = realloc(s->studies, capacity * sizeof *more);
        if (more == NULL) {
            study_free(study);
            return out_of_memory(s);
        }
        s->studies = more;
        s->study_capacity = capacity;
    }
    s->studies[s->study_count++] = study;
    return true;
}

/* The first error; NULL: there is none. */
static const char *first_error(const struct diagnostics *d)
{
    enum diagnostic_kind kind;
    const char *text;
    for (size_t i = 0; (text = diagnostics_text(d, i, &kind, NULL)) != NULL; i++) {
        if (kind == DIAGNOSTIC_ERROR || kind == DIAGNOSTIC_INFEASIBLE) {
            return text;
        }
    }
    return NULL;
}

/* Takes what is known of a study that could not be made. False when the machine failed. */
static bool refuse(struct search *s, struct candidate *c, const struct diagnostics *d)
{
    const char *reason = first_error(d);
    if (reason == NULL || diagnostics_count(d, DIAGNOSTIC_FAILURE) > 0) {
        return out_of_memory(s);
    }
    c->status = CANDIDATE_REFUSED;
    c->reason = arena_string(s->arena, reason);
    return c->reason != NULL || out_of_memory(s);
}

static bool sift(struct search *s, struct candidate **c, size_t count)
{
    if (s->options->interrupted != NULL && atomic_load(s->options->interrupted)) {
        return true;
    }
    struct diagnostics *d = diagnostics_new();
    if (d == NULL) {
        return out_of_memory(s);
    }
    struct study *study = make_study(s, c, count, d);
    bool ok = true;
    if (study != NULL) {
        ok = keep_study(s, study);
        for (size_t i = 0; ok && i < count; i++) {
            c[i]->study = study;
            c[i]->strategy = i;
        }
    } else if (count == 1) {
        ok = refuse(s, c[0], d);
    }
    diagnostics_free(d);
    if (study == NULL && count > 1) { /* at most 6 deep */
        ok = sift(s, c, count / 2) && sift(s, c + count / 2, count - count / 2);
    }
    return ok;
}

static int by_settings(const void *a, const void *b)
{
    const struct candidate *x = *(struct candidate *const *)a, *y = *(struct candidate *const *)b;
    if (x->shared_id != y->shared_id) {
        return x->shared_id < y->shared_id ? -1 : 1;
    }
    return x < y ? -1 : 1;
}

bool search_studies_make(struct search *s)
{
    struct candidate **all = malloc((s->count + 1) * sizeof *all);
    bool ok = all != NULL || out_of_memory(s);
    for (size_t i = 0; ok && i < s->count; i++) {
        all[i] = &s->candidates[i];
    }
    if (ok) {
        qsort(all, s->count, sizeof(struct candidate *), by_settings);
    }
    for (size_t from = 0; ok && from < s->count;) {
        size_t count = 1;
        while (from + count < s->count && count < MOST_PLANS &&
               all[from + count]->shared_id == all[from]->shared_id) {
            count++;
        }
        ok = sift(s, all + from, count);
        from += count;
    }
    free(all);
    return ok;
}

bool search_studies_add(struct search *s, struct candidate *c)
{
    return sift(s, &c, 1);
}

/* ---- reasons ---- */

/* Whether a mark opens or closes quotes: an apostrophe within a word does neither. */
static bool turns_quotes(const char *text, size_t i, bool quoted)
{
    return text[i] == '\'' && (quoted ? !isalnum((unsigned char)text[i + 1])
                                      : i == 0 || !isalnum((unsigned char)text[i - 1]));
}

/* Adds what stands outside quotes and parentheses, numbers as #; up to the first colon. */
static void add_kind(struct text *t, const char *reason)
{
    bool quoted = false, digits = false;
    int depth = 0;
    const char *end = reason + search_studies_short_reason(reason);
    for (const char *p = reason; p < end; p++) {
        if (turns_quotes(reason, (size_t)(p - reason), quoted)) {
            quoted = !quoted;
            text_add(t, quoted && depth == 0 ? "'…'" : "");
            continue;
        }
        depth += !quoted && *p == '(';
        const bool inside = quoted || depth > 0;
        depth -= !quoted && *p == ')' && depth > 0;
        const bool digit = isdigit((unsigned char)*p) ||
                           (digits && (*p == '.' || *p == ',') && isdigit((unsigned char)p[1]));
        if (!inside && digit && !digits) {
            text_add(t, "#");
        } else if (!inside && !digit) {
            text_add_bytes(t, p, 1);
        }
        digits = digit;
    }
}

const char *search_studies_kind_of_reason(struct arena *a, const char *reason)
{
    struct text t;
    text_init(&t, 0);
    add_kind(&t, reason);
    const char *copy = t.overflow ? NULL : arena_copy(a, t.data, t.length);
    text_release(&t);
    return copy;
}

size_t search_studies_short_reason(const char *reason)
{
    bool quoted = false, said = false; /* said: more than a name in quotes */
    size_t i = 0;
    for (; reason[i] != '\0'; i++) {
        if (turns_quotes(reason, i, quoted)) {
            quoted = !quoted;
            continue;
        }
        if (!quoted && (reason[i] == ';' || (reason[i] == ':' && said))) {
            break;
        }
        said = said || (!quoted && reason[i] != ':' && reason[i] != ' ');
    }
    return i;
}
