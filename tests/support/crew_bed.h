/* SPDX-License-Identifier: GPL-3.0-or-later
 * A fleet in a market written by hand, and crews whose owners write down what they are told: as
 * text, "time name what; …" in the order in which they hear it. */
#ifndef FLEETCAST_TESTS_CREW_BED_H
#define FLEETCAST_TESTS_CREW_BED_H

#include "models/fleet/fleet_pool.h"
#include "tests/support/scripted_market.h"

#include <stddef.h>
#include <stdint.h>

enum { BED_CREWS = 3 };

struct bed;

/* Owners are a, b and c. What one does when told, besides writing it down; may be NULL. */
struct bed_owner {
    const char *name;
    struct bed *bed;
    void (*on_noticed)(struct bed_owner *o, struct crew *c);
    void (*on_lost)(struct bed_owner *o, struct crew *c);
};

struct bed {
    struct market *market;
    struct calendar calendar;
    struct usage_log log;
    struct fleet *fleet;
    struct bed_owner owners[BED_CREWS];
    struct crew *crews[BED_CREWS];
    struct variate boot; /* 100 s; may be changed before crews are added */
    struct random_world world;
    char told[4096];
};

void bed_make(struct bed *b, const struct scripted_pool *pools, size_t pool_count);
void bed_release(struct bed *b);
struct crew *bed_add(struct bed *b, size_t index, int pool, uint32_t size);
void bed_begin(struct bed *b);
/* Everything up to and at this time. */
void bed_run(struct bed *b, double until_s);

/* Schedules one of the handlers below. */
void bed_at(struct bed *b, double t_s, event_handler *handler, struct crew *c);
void bed_ask(void *crew, uint64_t tag);
void bed_release_crew(void *crew, uint64_t tag);
void bed_withdraw(void *crew, uint64_t tag);

/* What was told since the last time. */
void bed_assert_told(struct bed *b, const char *expected);
/* "a 0-3 0..500 interrupted" */
void bed_assert_record(const struct bed *b, size_t index, const char *expected);

/* A spot pool "spot" without limit, and one whose capacity changes once. */
struct scripted_pool bed_spot(void);
struct scripted_pool bed_stepped(double gone_s, uint32_t first, uint32_t then);
/* Life of a launch of crew a in pool "spot": one uniform by index, from a source of the slot's own.
 */
double bed_life_s(const struct bed *b, uint32_t slot, uint32_t ordinal, double hazard_per_s);

#endif
