/* SPDX-License-Identifier: GPL-3.0-or-later
 * The account around the plan, resolved: commitments from before it and the usage of others, for
 * all strategies alike. The plan costs what the account's bill is with it, less what it is without
 * it: an unused part of what is paid anyway makes the plan cheaper, cover that it takes from others
 * is charged to it. Read only after making; safe to share between threads.
 *
 * The account is looked at up to the end of the clock hour that holds the horizon. What the plan
 * finishes later is covered by its own commitments alone, and what these would then cover of
 * others' usage is not counted; `reuse` says what they are worth after the horizon. */
#ifndef FLEETCAST_MODELS_ACCOUNT_PLAN_H
#define FLEETCAST_MODELS_ACCOUNT_PLAN_H

#include "models/commitments/account_keys.h"
#include "models/commitments/commitment.h"
#include "models/commitments/commitment_keys.h"
#include "models/market/market.h"

#include <stdbool.h>
#include <stddef.h>

/* From at_us on, until the next, so many nodes run. */
struct use_step {
    int64_t at_us;
    int64_t count;
};

/* What others run in one pool. */
struct others_use {
    const struct others_use_spec *spec;
    int pool;        /* of the market, on demand */
    int32_t account; /* 0: the plan's */
    /* The first holds at 0, before scaling; each differs from the one before. */
    struct use_step *steps;
    size_t step_count;
};

struct account_plan {
    struct commitment *commitments; /* sunk; in the context's arena */
    const struct sunk_spec *specs;  /* of each */
    money_t *billed_per_hour;       /* of each: what is still to be paid; the rest was, upfront */
    size_t commitment_count;
    struct others_use *uses;
    size_t use_count;
    int64_t until_us; /* the end of the clock hour that holds the horizon */
    money_t sunk;     /* what the commitments cost inside the horizon, upfront parts spread over
                         their terms: the same in every strategy, and in no cost */
};

enum { ACCOUNT_STEPS_MAX = 2000000 };

/* Relative files start in `folder`; they are noted among the context's inputs. Adds pools to the
 * market, so it comes before inputs are prepared. False with errors in the context. */
bool account_plan_make(struct account_plan *a, const struct account_spec *spec, const char *folder,
                       struct market_plan *market, const struct market_context *context);

/* Whether there is anything that could change a bill. */
static inline bool account_matters(const struct account_plan *a)
{
    return a->commitment_count > 0 || a->use_count > 0;
}

/* What was signed, in the keys of a strategy's commitments, as far as rates hang on it. */
struct commitment_spec account_spec_of(const struct sunk_spec *s);

/* What a commitment costs inside the horizon. */
money_t account_sunk(const struct account_plan *a, size_t index, int64_t horizon_us);

#endif
