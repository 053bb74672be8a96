/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/search_rounds.h"

#include "engine/random.h"
#include "plots/text/figures.h"
#include "scenarios/decide/search_screen.h"
#include "scenarios/decide/search_standing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Worlds that are run at a time: what is kept of each is little, what it is made of is not. */
#define CHUNK 250

#define JUDGE_SHARE  0.2
#define REFINE_SHARE 0.2

static bool out_of_memory(const struct search *s)
{
    diagnostics_add(s->diagnostics, DIAGNOSTIC_FAILURE, (struct place){0}, "out of memory");
    return false;
}

/* ---- worlds ---- */

static bool make_room(const struct search *s, struct candidate_worlds *w, uint32_t count)
{
    const size_t measures = search_measures(s);
    if (count <= w->capacity) {
        return true;
    }
    double *values = malloc(measures * count * sizeof *values);
    unsigned char *censored = malloc(measures * count);
    if (values == NULL || censored == NULL) {
        free(values);
        free(censored);
        return out_of_memory(s);
    }
    for (size_t m = 0; m < measures && w->count > 0; m++) {
        memcpy(values + m * count, w->values + m * w->capacity, w->count * sizeof *values);
        memcpy(censored + m * count, w->censored + m * w->capacity, w->count);
    }
    free(w->values);
    free(w->censored);
    w->values = values;
    w->censored = censored;
    w->capacity = count;
    return true;
}

static struct candidate_worlds *worlds_of(struct candidate *c, uint32_t first)
{
    return first == RANDOM_FIRST_JUDGE ? &c->judged : &c->searched;
}

static void keep(const struct search *s, struct candidate *c, uint32_t first,
                 const struct results *r)
{
    struct candidate_worlds *w = worlds_of(c, first);
    for (size_t m = 0; m < search_measures(s); m++) {
        unsigned char *censored = w->censored + m * w->capacity + w->count;
        memset(censored, 0, r->replications);
        objective_column(search_measure(s, m), r, c->strategy,
                         w->values + m * w->capacity + w->count, censored);
    }
    w->count += r->replications;
}

/* One study's part of the candidates, through one chunk of worlds. */
static bool run_chunk(struct search *s, const size_t *candidates, size_t count,
                      const struct study *study, uint32_t first, uint32_t done, uint32_t worlds)
{
    struct results r;
    uint32_t complete = 0;
    bool *selected = calloc(study->strategy_count, sizeof *selected);
    bool ok = world_results_init(&r, study, worlds) && selected != NULL;
    if (!ok) {
        out_of_memory(s);
    }
    for (size_t i = 0; ok && i < count; i++) {
        const struct candidate *c = &s->candidates[candidates[i]];
        if (c->study == study) {
            selected[c->strategy] = true;
        }
    }
    struct run_options options = *s->options;
    options.progress = NULL;
    const struct world_request request = {
        .first = first + done, .count = worlds, .strategies = selected};
    ok = ok && world_runs(&r, study, &request, &options, &complete, s->diagnostics) &&
         complete == worlds;
    for (size_t i = 0; ok && i < count; i++) {
        struct candidate *c = &s->candidates[candidates[i]];
        if (c->study == study) {
            keep(s, c, first, &r);
            s->spent += worlds;
        }
    }
    results_release(&r);
    free(selected);
    return ok;
}

/* Whether any of the candidates stands in this study. */
static bool has_part(const struct search *s, const size_t *candidates, size_t count,
                     const struct study *study)
{
    for (size_t i = 0; i < count; i++) {
        if (s->candidates[candidates[i]].study == study) {
            return true;
        }
    }
    return false;
}

static void show_progress(const struct search *s)
{
    if (s->options->progress != NULL) {
        uint64_t total = (uint64_t)s->spec->budget;
        s->options->progress(s->options->progress_context,
                             (uint32_t)(s->spent < total ? s->spent : total), (uint32_t)total);
    }
}

bool search_rounds_run(struct search *s, const size_t *candidates, size_t count, uint32_t first,
                       uint32_t worlds)
{
    if (count == 0 || worlds == 0) {
        return true;
    }
    const uint32_t done = worlds_of(&s->candidates[candidates[0]], first)->count;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = make_room(s, worlds_of(&s->candidates[candidates[i]], first), done + worlds);
    }
    for (size_t k = 0; ok && k < s->study_count; k++) {
        const bool part = has_part(s, candidates, count, s->studies[k]);
        for (uint32_t from = 0; part && ok && from < worlds; from += CHUNK) {
            uint32_t chunk = worlds - from < CHUNK ? worlds - from : CHUNK;
            ok = run_chunk(s, candidates, count, s->studies[k], first, done + from, chunk);
            show_progress(s);
        }
    }
    return ok;
}

/* ---- the rounds ---- */

static bool any_continuous(const struct search *s)
{
    for (size_t g = 0; g < s->space.grid_count; g++) {
        for (size_t k = 0; k < s->space.grids[g].key_count; k++) {
            if (s->space.grids[g].keys[k].continuous) {
                return true;
            }
        }
    }
    return false;
}

uint64_t search_rounds_refine_budget(const struct search *s)
{
    return s->spec->refine && any_continuous(s) ? (uint64_t)(REFINE_SHARE * (double)s->spec->budget)
                                                : 0;
}

uint64_t search_rounds_judge_budget(const struct search *s)
{
    return (uint64_t)(JUDGE_SHARE * (double)s->spec->budget);
}

/* Until SEARCH_FINALISTS are left, and the round among them. */
static int rounds_for(size_t count)
{
    int rounds = 1;
    while (count > SEARCH_FINALISTS) {
        count = (count + 1) / 2;
        rounds++;
    }
    return rounds;
}

/* Who stays: the better half; the best that may be chosen as it is takes the last place, if none
 * such is among them. */
static size_t halve(const struct search *s, size_t *left, size_t count)
{
    size_t kept = (count + 1) / 2;
    kept = kept > SEARCH_FINALISTS ? kept : SEARCH_FINALISTS;
    kept = kept < count ? kept : count;
    for (size_t i = 0; i < kept; i++) {
        if (s->candidates[left[i]].standing.strict) {
            return kept;
        }
    }
    for (size_t i = kept; i < count; i++) {
        if (s->candidates[left[i]].standing.strict) {
            size_t last = left[kept - 1];
            left[kept - 1] = left[i];
            left[i] = last;
            break;
        }
    }
    return kept;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool too_small(const struct search *s, size_t plans, uint64_t needed)
{
    const struct figure count = figure_count((double)plans),
                        budget = figure_count((double)s->spec->budget);
    diagnostics_add(s->diagnostics, DIAGNOSTIC_ERROR, s->spec->place,
                    "a budget of %s strategy-worlds is too small for %s plans, each of which needs "
                    "%d worlds at first; expected at least %s",
                    budget.text, count.text, SEARCH_LEAST_WORLDS,
                    figure_count((double)needed).text);
    return false;
}

/* What is kept of every strategy-world has to fit into memory. */
static bool too_large(const struct search *s)
{
    const double bytes =
        (double)s->spec->budget * (double)search_measures(s) * (sizeof(double) + 1);
    if (bytes <= RESULTS_MAX_BYTES) {
        return false;
    }
    diagnostics_add(
        s->diagnostics, DIAGNOSTIC_INFEASIBLE, s->spec->place,
        "a budget of %s strategy-worlds may need %.1f GB of memory; at most %.0f GB are "
        "used: lower it",
        figure_count((double)s->spec->budget).text, bytes / 1e9, RESULTS_MAX_BYTES / 1e9);
    return true;
}

/* Worlds of each plan in this round. */
static uint32_t worlds_of_round(uint64_t budget, int rounds_left, size_t plans, uint32_t done)
{
    uint64_t worlds = budget / (uint64_t)rounds_left / plans;
    if (done == 0 && worlds < SEARCH_LEAST_WORLDS) {
        worlds = SEARCH_LEAST_WORLDS;
    }
    if (worlds > SEARCH_MOST_WORLDS - done) {
        worlds = SEARCH_MOST_WORLDS - done;
    }
    return (uint32_t)worlds;
}

static bool run_round(struct search *s, size_t *left, size_t count, uint64_t budget,
                      int rounds_left)
{
    uint32_t done = s->candidates[left[0]].searched.count;
    uint32_t worlds = worlds_of_round(budget, rounds_left, count, done);
    if (!search_rounds_run(s, left, count, RANDOM_FIRST_SEARCH, worlds)) {
        return false;
    }
    s->rounds++;
    for (size_t i = 0; i < count; i++) {
        s->candidates[left[i]].rounds++;
    }
    if (!search_standing_all(s, left, count, false)) {
        return false;
    }
    search_standing_sort(s, left, count);
    return true;
}

static bool halve_down(struct search *s, size_t *left, size_t count, uint64_t budget)
{
    const double begun_s = seconds_now();
    for (int rounds = rounds_for(count); rounds > 0; rounds--) {
        if (s->stopped_early) {
            break;
        }
        if (!run_round(s, left, count, budget - s->spent, rounds) ||
            !search_screen_again(s, left, &count, budget) ||
            !search_standing_hopeless(s, left, count, &s->hopeless)) {
            return false;
        }
        if (s->hopeless) {
            break;
        }
        if (rounds > 1) {
            count = halve(s, left, count);
        }
        s->stopped_early = s->spec->time_limit_given && rounds > 1 &&
                           seconds_now() - begun_s > s->spec->time_limit.value;
    }
    s->finalist_count = count < SEARCH_FINALISTS ? count : SEARCH_FINALISTS;
    for (size_t i = 0; i < s->finalist_count; i++) {
        s->finalists[i] = left[i];
        s->candidates[left[i]].status = CANDIDATE_FINALIST;
    }
    return true;
}

bool search_rounds(struct search *s)
{
    size_t count = 0;
    if (too_large(s)) {
        return false;
    }
    size_t *left = malloc((s->count + 1) * sizeof *left);
    if (left == NULL) {
        return out_of_memory(s);
    }
    for (size_t i = 0; i < s->count; i++) {
        const struct candidate *c = &s->candidates[i];
        if (c->study != NULL && c->status != CANDIDATE_SCREENED) {
            left[count++] = i;
        }
    }
    uint64_t aside = search_rounds_refine_budget(s) + search_rounds_judge_budget(s);
    uint64_t budget = (uint64_t)s->spec->budget - aside;
    uint64_t least = (uint64_t)count * SEARCH_LEAST_WORLDS;
    bool ok = true;
    if (3 * least / 2 > budget) {
        const double share = (double)budget / (double)s->spec->budget;
        ok = too_small(s, count, (uint64_t)ceil(1.5 * (double)least / share));
    } else if (count > 0) {
        ok = search_screen_by_cost(s, left, &count, budget) && halve_down(s, left, count, budget);
    }
    free(left);
    return ok && !(s->options->interrupted != NULL && atomic_load(s->options->interrupted));
}
