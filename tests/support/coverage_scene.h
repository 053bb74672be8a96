/* SPDX-License-Identifier: GPL-3.0-or-later
 * A small account for the tests of coverage: groups of usage and commitments put together one by
 * one, then matched for one hour or run over time. */
#ifndef FLEETCAST_TESTS_COVERAGE_SCENE_H
#define FLEETCAST_TESTS_COVERAGE_SCENE_H

#include "models/commitments/coverage_run.h"

enum { SCENE_GROUPS = 64, SCENE_COMMITMENTS = 24 };

#define DOLLARS(x) ((money_t)((x)*1e9 + 0.5))

struct coverage_scene {
    struct coverage_group groups[SCENE_GROUPS];
    money_t rates[SCENE_GROUPS][SCENE_COMMITMENTS];
    int64_t us[SCENE_GROUPS]; /* usage of the hour, by group */
    size_t group_count;
    struct commitment commitments[SCENE_COMMITMENTS];
    size_t commitment_count;

    struct diagnostics *diagnostics;
    struct coverage *coverage;
    struct coverage_work *work;
    const struct coverage_outcome *outcome;
};

void scene_init(struct coverage_scene *s);
void scene_release(struct coverage_scene *s);
/* Index of the new group: `instances` whole hours of usage in us-east-1a, account 0. */
size_t scene_use(struct coverage_scene *s, const char *type, double instances, double on_demand);
/* Index of the new commitment, in force for a year from 0; amounts are for each instance. */
size_t scene_reserve(struct coverage_scene *s, const char *type, int64_t count, double hourly);
size_t scene_reserve_zone(struct coverage_scene *s, const char *type, const char *zone,
                          int64_t count, double hourly);
size_t scene_compute_plan(struct coverage_scene *s, double hourly);
size_t scene_instance_plan(struct coverage_scene *s, const char *family, double hourly);
void scene_rate(struct coverage_scene *s, size_t group, size_t plan, double rate);

/* Builds what coverage_new makes of it; fails the test when that is not possible. Again: anew. */
void scene_build(struct coverage_scene *s);
/* Builds, and matches the hour that begins at from_us (kept in outcome). */
void scene_match(struct coverage_scene *s, int64_t from_us);

money_t scene_total(const struct coverage_scene *s); /* used + unused + on demand */
money_t scene_on_demand(const struct coverage_scene *s);
/* Instance-hours of a group covered by a commitment. */
double scene_covered_h(const struct coverage_scene *s, size_t group, size_t commitment);
double scene_on_demand_h(const struct coverage_scene *s, size_t group);

#endif
