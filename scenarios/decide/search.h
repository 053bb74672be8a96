/* SPDX-License-Identifier: GPL-3.0-or-later
 * The search for a plan: every combination of the scenario's `search:` is a strategy, all of them
 * meet the same worlds, and the number of worlds that one gets grows as others are given up.
 *
 *   1. search_plans      what is not legal, does not fit or has no price is refused, with the
 *                        reason (search_studies.h); what could not end in time is screened out
 *   2. search_rounds     sequential halving (Karnin, Koren & Somekh, ICML 2013): in each round
 *                        every plan left runs through as many further worlds as the round's equal
 *                        share of the budget gives; then the worse half goes, until 4 are left
 *   3. search_refine     between the values of continuous ranges, by GSL's minimisers
 *   4. search_judge      what was found, and the front of cost and time, on worlds that the search
 *                        has not seen
 *   5. search_confirm    a plan that `run` would pass over is passed over here
 *
 * Worlds are functions of the seed and their ids alone, so that plans are compared pairwise; all is
 * the same at any number of threads. */
#ifndef FLEETCAST_SCENARIOS_SEARCH_H
#define FLEETCAST_SCENARIOS_SEARCH_H

#include "engine/arena.h"
#include "engine/diagnostics.h"
#include "scenarios/reader/search_plans.h"
#include "scenarios/reader/search_space.h"
#include "scenarios/study/eligibility.h"
#include "scenarios/study/objective.h"
#include "scenarios/study/objective_estimate.h"
#include "scenarios/study/study.h"
#include "scenarios/study/world_runs.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SEARCH_FINALISTS = 4,       /* where halving ends */
    SEARCH_LEAST_WORLDS = 10,   /* of every plan in the first round */
    SEARCH_MOST_WORLDS = 20000, /* of one plan */
    SEARCH_MAX_FRONT = 12,
    SEARCH_MAX_CONDITIONS = 64,
    SEARCH_MAX_TRIALS = 40 /* of the minimisers */
};
#define SEARCH_CONFIDENCE 0.95
/* Plans that differ by less than this share of the objective count as equally good. */
#define SEARCH_INDIFFERENCE 0.01

/* What is looked for. */
struct search_goal {
    struct objective objective;
    bool maximise;
    struct condition conditions[SEARCH_MAX_CONDITIONS];
    size_t condition_count;
    double serve_at_least; /* share of what comes; of nodes by the clock of what the best serves */
};

/* What is kept of every world, in this order: the objective, the conditions, and … */
enum search_extra { SEARCH_UNFINISHED, SEARCH_COST, SEARCH_TIME, SEARCH_EXTRAS };
/* … and of each workload what of it was served: requests, or nodes by the clock. */
enum search_service {
    SEARCH_REQUESTS_SERVED,
    SEARCH_REQUESTS,
    SEARCH_NODES_SERVED,
    SEARCH_NODES_NEEDED,
    SEARCH_SERVICES
};

enum candidate_status {
    CANDIDATE_REFUSED,  /* not legal, does not fit, no such offer, no price */
    CANDIDATE_SCREENED, /* ruled out by what it takes or costs at the least */
    CANDIDATE_DROPPED,  /* in some round */
    CANDIDATE_TRIED,    /* by a minimiser, and not better */
    CANDIDATE_FINALIST,
    CANDIDATE_RUNNER_UP,
    CANDIDATE_CHOSEN,
    CANDIDATE_STATUSES
};
extern const char *const candidate_status_names[CANDIDATE_STATUSES];

/* What ruled a plan out before it was simulated: see search_screen.h. */
enum candidate_screen {
    SCREENED_BY_TIME,
    SCREENED_BY_CONDITION,
    SCREENED_BY_COST,
    CANDIDATE_SCREENS
};

/* Every world that a plan has met. */
struct candidate_worlds {
    uint32_t count, capacity;
    double *values;          /* [measure][capacity] */
    unsigned char *censored; /* likewise */
};

/* What the plans so far show on worlds of the search, or of judging. */
struct search_seen {
    double *best_served;   /* by workload, of nodes by the clock */
    unsigned char *valued; /* by world: a plan that may be chosen has a value there */
};

/* How good a plan is, as far as is known. */
struct candidate_standing {
    int tier;    /* 0: may be chosen, as far as its worlds tell; 1: breaks a condition; 2: is not
                    finished too often, or its objective is unknown */
    bool strict; /* it may be chosen on its worlds as they are, without the benefit of the doubt */
    enum choice_status status; /* CHOICE_WORSE: so it is; else why not */
    double unfinished;         /* share of its worlds */
    size_t missing;            /* worlds in which only others have a value */
    double loss;               /* what is minimised; of what is unknown a lower bound */
    double excess;             /* of tier 1: by which share of the bound, summed */
    double served;             /* the share that falls short; NaN: none does */
    int broken;                /* the first condition that it breaks; -1: none */
    struct estimate objective;
};

struct candidate {
    struct search_plan plan;
    const char *const *shared; /* settings of the scenario */
    size_t shared_count;
    size_t shared_id;    /* the same for plans with the same settings of the scenario */
    const char **values; /* by column of the space; NULL: the base strategy's */
    const struct search_grid *grid;
    size_t *indices; /* of the grid's values; NULL of what a minimiser tried */
    enum candidate_status status;
    const char *reason;           /* NULL: none */
    bool passed_over;             /* `run` would: search_confirm.h */
    enum candidate_screen screen; /* of CANDIDATE_SCREENED */
    double *least_cost; /* in the first worlds of the search: search_screen.h; NULL: no bound */
    struct study *study;
    size_t strategy; /* in the study */
    int rounds;      /* that it survived */
    struct candidate_worlds searched, judged;
    struct candidate_standing standing, verdict; /* on the worlds of the search; on fresh ones */
};

/* What `run` says of the plan, in its own worlds, beside the scenario's strategies. */
struct search_confirmed {
    uint32_t worlds; /* 0: it was not asked */
    uint64_t spent;  /* strategy-worlds, of plans that it passes over too; not of the budget */
    enum choice_status status;
    const char *why; /* where it does not choose it, or was not asked; NULL: nothing to say */
};

struct search {
    const struct study *base; /* borrowed, as all that comes from outside */
    const struct scenario_request *request;
    const struct run_options *options;
    struct diagnostics *diagnostics;
    struct arena *arena;
    struct search_goal goal;
    struct search_space space;
    const struct search_spec *spec;
    const char *base_name;
    struct objective extras[SEARCH_EXTRAS];
    struct objective *services; /* [workload][SEARCH_SERVICES] */
    struct search_seen seen[2]; /* on worlds of the search; of judging */
    bool has_time;              /* some workload ends */
    struct candidate *candidates;
    size_t count, capacity;
    struct study **studies;         /* owned */
    struct llm_table_store *tables; /* that they share */
    size_t study_count, study_capacity;
    /* How it went. */
    uint64_t spent, judge_spent, refine_spent; /* strategy-worlds; the first is the sum of all */
    int rounds;
    bool stopped_early; /* by the limit in seconds */
    bool hopeless;      /* ended since no plan that was left may be chosen: search_standing.h */
    size_t finalists[SEARCH_FINALISTS + 1];
    size_t finalist_count;
    size_t chosen, runner_up; /* SIZE_MAX: none */
    struct search_confirmed confirmed;
    size_t *front; /* by rising cost */
    size_t front_count;
    /* See search_confidence.h. */
    double correct, nearly_correct, margin;
    size_t level;
};

/* Number of measures of a world, and the objective behind one. */
size_t search_measures(const struct search *s);
const struct objective *search_measure(const struct search *s, size_t measure);
size_t search_extra(const struct search *s, enum search_extra extra);
size_t search_service(const struct search *s, size_t workload, enum search_service service);

/* Reads the space. False when the scenario has no `search:`, or anything is wrong, told. Otherwise
 * search_release is due, and also after false. */
bool search_init(struct search *s, const struct study *base, const struct scenario_request *request,
                 const struct search_goal *goal, const struct run_options *options, struct arena *a,
                 struct diagnostics *d);
/* All of it. False when it failed or was interrupted; when nothing may be chosen `chosen` is
 * SIZE_MAX. */
bool search_run(struct search *s);
void search_release(struct search *s);

/* A further candidate with these values, by key of the grid; there is room for SEARCH_MAX_TRIALS
 * beside those of the space. NULL when memory is out, told. */
struct candidate *search_add(struct search *s, const struct search_grid *g,
                             const struct search_value *values);

/* Whether it may be chosen by all worlds that it was simulated in. */
bool search_keeps_all(const struct candidate *c);
/* "nodes 8, buy spot": what a plan sets; in the arena. */
const char *search_plan_text(const struct search *s, const struct candidate *c);
/* How the plan is called as a strategy beside the scenario's: by its name, or that with the first
 * number behind it that no strategy is called. In the arena; NULL when memory is out. */
const char *search_strategy_name(const struct search *s, const struct candidate *c);
/* What a plan is as plans of a scenario, for search_plans_fragment. */
struct search_plans search_as_plans(const struct search *s, const struct candidate *c);

#endif
