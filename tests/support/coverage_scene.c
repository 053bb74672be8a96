/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/coverage_scene.h"

#include "tests/support/testing.h"

#include <stdio.h>
#include <string.h>

void scene_init(struct coverage_scene *s)
{
    memset(s, 0, sizeof *s);
    s->diagnostics = diagnostics_new();
    for (size_t g = 0; g < SCENE_GROUPS; g++) {
        for (size_t c = 0; c < SCENE_COMMITMENTS; c++) {
            s->rates[g][c] = COVERAGE_NOT_ELIGIBLE;
        }
    }
}

void scene_release(struct coverage_scene *s)
{
    coverage_work_free(s->work);
    coverage_free(s->coverage);
    diagnostics_free(s->diagnostics);
}

size_t scene_use(struct coverage_scene *s, const char *type, double instances, double on_demand)
{
    assert_true(s->group_count < SCENE_GROUPS);
    s->us[s->group_count] = (int64_t)(instances * 3.6e9 + 0.5);
    s->groups[s->group_count] = (struct coverage_group){.type = type,
                                                        .region = "us-east-1",
                                                        .zone = "us-east-1a",
                                                        .on_demand_per_hour = DOLLARS(on_demand)};
    return s->group_count++;
}

static size_t add(struct coverage_scene *s, struct commitment c)
{
    assert_true(s->commitment_count < SCENE_COMMITMENTS);
    s->commitments[s->commitment_count] = c;
    return s->commitment_count++;
}

size_t scene_reserve(struct coverage_scene *s, const char *type, int64_t count, double hourly)
{
    struct commitment c = {.name = type,
                           .kind = COMMITMENT_REGIONAL_RESERVED,
                           .term_years = 1,
                           .type = type,
                           .region = "us-east-1"};
    commitment_set_reserved(&c, count, 0, DOLLARS(hourly));
    return add(s, c);
}

size_t scene_reserve_zone(struct coverage_scene *s, const char *type, const char *zone,
                          int64_t count, double hourly)
{
    size_t i = scene_reserve(s, type, count, hourly);
    s->commitments[i].kind = COMMITMENT_ZONAL_RESERVED;
    s->commitments[i].zone = zone;
    return i;
}

static size_t plan(struct coverage_scene *s, enum commitment_kind kind, const char *family,
                   double hourly)
{
    struct commitment c = {.name = "plan",
                           .kind = kind,
                           .term_years = 1,
                           .family = family,
                           .region = family ? "us-east-1" : NULL};
    commitment_set_savings_plan(&c, DOLLARS(hourly));
    return add(s, c);
}

size_t scene_compute_plan(struct coverage_scene *s, double hourly)
{
    return plan(s, COMMITMENT_COMPUTE_SAVINGS, NULL, hourly);
}

size_t scene_instance_plan(struct coverage_scene *s, const char *family, double hourly)
{
    return plan(s, COMMITMENT_INSTANCE_SAVINGS, family, hourly);
}

void scene_rate(struct coverage_scene *s, size_t group, size_t commitment, double rate)
{
    s->rates[group][commitment] = DOLLARS(rate);
}

void scene_build(struct coverage_scene *s)
{
    coverage_work_free(s->work);
    coverage_free(s->coverage);
    for (size_t g = 0; g < s->group_count; g++) {
        s->groups[g].plan_rates = s->rates[g];
    }
    s->coverage = coverage_new(s->groups, s->group_count, s->commitments, s->commitment_count,
                               (struct place){0}, s->diagnostics);
    if (!s->coverage) {
        diagnostics_write(s->diagnostics, stderr);
    }
    assert_non_null(s->coverage);
    s->work = coverage_work_new(s->coverage);
    assert_non_null(s->work);
}

void scene_match(struct coverage_scene *s, int64_t from_us)
{
    int64_t us[SCENE_GROUPS] = {0};
    scene_build(s);
    for (size_t g = 0; g < s->group_count; g++) {
        us[coverage_slot(s->coverage, g)] += s->us[g];
    }
    s->outcome = coverage_match(s->coverage, s->work, us, from_us, from_us + HOUR_US);
    assert_false(s->outcome->overflow);
}

money_t scene_on_demand(const struct coverage_scene *s)
{
    money_t sum = 0;
    for (size_t i = 0; i < coverage_slots(s->coverage); i++) {
        sum += s->outcome->on_demand[i];
    }
    return sum;
}

money_t scene_total(const struct coverage_scene *s)
{
    money_t sum = scene_on_demand(s);
    for (size_t i = 0; i < s->commitment_count; i++) {
        sum += s->outcome->used[i] + s->outcome->unused[i];
    }
    return sum;
}

double scene_covered_h(const struct coverage_scene *s, size_t group, size_t commitment)
{
    double us = 0;
    for (size_t i = 0; i < s->outcome->cover_count; i++) {
        const struct coverage_cover *c = &s->outcome->covers[i];
        if (c->slot == coverage_slot(s->coverage, group) && c->commitment == commitment) {
            us += (double)c->us;
        }
    }
    return us / 3.6e9;
}

double scene_on_demand_h(const struct coverage_scene *s, size_t group)
{
    return (double)s->outcome->on_demand_us[coverage_slot(s->coverage, group)] / 3.6e9;
}
