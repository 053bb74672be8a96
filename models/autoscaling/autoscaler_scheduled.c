/* SPDX-License-Identifier: GPL-3.0-or-later
 * `scheduled`: at stated times of the week limits or the number of replicas are set (EC2 Auto
 * Scaling User Guide, "Scheduled scaling": minimum, maximum and desired capacity, each optional).
 * Times are UTC, or of a fixed offset from it; daylight saving is not modelled. What the last
 * action before the scenario's start has set is in force at its start. */
#include "models/autoscaling/autoscaler_rows.h"

#include <math.h>
#include <stdio.h>

#define DAY_S  86400.0
#define WEEK_S 604800.0
/* 1970-01-01 was a Thursday: so far before it was a Monday, 00:00. */
#define MONDAY_S 259200.0

enum { EVERY_DAY, WEEKDAYS, WEEKENDS, FIRST_DAY };
static const char *const day_names[] = {"every-day", "weekdays",  "weekends", "monday",
                                        "tuesday",   "wednesday", "thursday", "friday",
                                        "saturday",  "sunday",    NULL};

struct scheduled_action {
    struct schema_item item;
    struct number at; /* since midnight */
    int days;
    struct number replicas, minimum, maximum;
};

static const struct schema_key action_keys[] = {
    {.name = "at",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S - 1,
     .required = true,
     .offset = offsetof(struct scheduled_action, at),
     .help = "Time of day, since midnight: `8h`, `7.5h`, `450min`."},
    {.name = "days",
     .kind = SCHEMA_CHOICE,
     .choices = day_names,
     .default_text = "every-day",
     .offset = offsetof(struct scheduled_action, days),
     .help = "On which days of the week."},
    {.name = "replicas",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = AUTOSCALER_MOST_REPLICAS,
     .offset = offsetof(struct scheduled_action, replicas),
     .help = "Replicas from then on, until something else changes them; within the limits that are "
             "in force then, as EC2 Auto Scaling demands."},
    {.name = "min",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = AUTOSCALER_MOST_REPLICAS,
     .offset = offsetof(struct scheduled_action, minimum),
     .help = "Fewest replicas from then on."},
    {.name = "max",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = AUTOSCALER_MOST_REPLICAS,
     .offset = offsetof(struct scheduled_action, maximum),
     .help = "Most replicas from then on."},
};

static const struct schema action_schema = {
    .name = "scheduled action",
    SCHEMA_KEYS(action_keys),
    .size = sizeof(struct scheduled_action),
    .help = "At a time of day: `replicas`, `min`, `max`, one or several.",
};

struct scheduled_params {
    struct schema_item item;
    struct schema_list actions;
    struct number offset;
};

struct scheduled_state {
    bool looked;
    double looked_at_unix_s;
};

static const struct schema_key keys[] = {
    {.name = "actions",
     .kind = SCHEMA_LIST,
     .inner = &action_schema,
     .list_or_one = true,
     .low = 1,
     .high = 200,
     .required = true,
     .offset = offsetof(struct scheduled_params, actions),
     .help = "What is done when; of two at one instant the later of the list holds."},
    {.name = "utc_offset",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_OFFSET,
     .low = -DAY_S,
     .high = DAY_S,
     .default_text = "0h",
     .offset = offsetof(struct scheduled_params, offset),
     .help =
         "Of the clock that `at` and `days` mean: `8h` in Beijing, `-5h` in New York in winter."},
};

const struct schema autoscaler_scheduled_schema = {
    .name = "scheduled",
    .tag = "name",
    .shorthand = "name",
    SCHEMA_KEYS(keys),
    .size = sizeof(struct scheduled_params),
    .help = "Scheduled actions: numbers and limits by the time of the week.",
};

static bool check(const void *params, char *message, size_t size)
{
    const struct scheduled_params *p = params;
    const struct scheduled_action *a = p->actions.items;
    for (size_t i = 0; i < p->actions.count; i++) {
        if (!a[i].replicas.given && !a[i].minimum.given && !a[i].maximum.given) {
            snprintf(message, size,
                     "action %zu of scheduled sets nothing; expected 'replicas', 'min' or 'max'",
                     i + 1);
            return false;
        }
        if (a[i].minimum.given && a[i].maximum.given && a[i].minimum.median > a[i].maximum.median) {
            snprintf(message, size, "action %zu of scheduled sets a 'min' above its 'max'", i + 1);
            return false;
        }
    }
    return true;
}

static double period_s(const void *params)
{
    (void)params;
    return 60.0;
}

static uint32_t highest_limit(const void *params)
{
    const struct scheduled_params *p = params;
    const struct scheduled_action *a = p->actions.items;
    double highest = 0;
    for (size_t i = 0; i < p->actions.count; i++) {
        highest = a[i].minimum.given ? fmax(highest, a[i].minimum.median) : highest;
        highest = a[i].maximum.given ? fmax(highest, a[i].maximum.median) : highest;
    }
    return (uint32_t)highest;
}

static size_t state_size(const void *params)
{
    (void)params;
    return sizeof(struct scheduled_state);
}

static bool on_day(int days, int day_of_week)
{
    bool weekend = day_of_week >= 5;
    return days == EVERY_DAY || (days == WEEKDAYS && !weekend) || (days == WEEKENDS && weekend) ||
           days - FIRST_DAY == day_of_week;
}

/* Seconds ago that the action was last due, at this time of a week that begins on Monday; +infinity
 * never, which cannot be. */
static double due_before_s(const struct scheduled_action *a, double of_week_s)
{
    int today = (int)(of_week_s / DAY_S);
    for (int back = 0; back <= 7; back++) {
        int day = (today - back + 14) % 7;
        double ago_s = of_week_s - today * DAY_S + back * DAY_S - a->at.median;
        if (ago_s >= 0 && on_day(a->days, day)) {
            return ago_s;
        }
    }
    return HUGE_VAL;
}

static struct autoscaler_decision decide(const void *params, void *state,
                                         const struct autoscaler_view *view)
{
    const struct scheduled_params *p = params;
    struct scheduled_state *s = state;
    double week_s = view->unix_s + p->offset.median + MONDAY_S;
    /* Before the first look lies all of the last week, else what came since the last. */
    double since_s = s->looked ? view->unix_s - s->looked_at_unix_s : HUGE_VAL;
    week_s -= floor(week_s / WEEK_S) * WEEK_S;
    s->looked = true;
    s->looked_at_unix_s = view->unix_s;

    struct autoscaler_decision d = {.says = AUTOSCALER_NOTHING};
    const struct scheduled_action *a = p->actions.items;
    double replicas_ago_s = HUGE_VAL, minimum_ago_s = HUGE_VAL, maximum_ago_s = HUGE_VAL;
    for (size_t i = 0; i < p->actions.count; i++) {
        double ago_s = due_before_s(&a[i], week_s);
        if (ago_s >= since_s) {
            continue;
        }
        if (a[i].replicas.given && ago_s <= replicas_ago_s) {
            d.says = AUTOSCALER_SET;
            d.replicas = (uint32_t)a[i].replicas.median;
            replicas_ago_s = ago_s;
        }
        if (a[i].minimum.given && ago_s <= minimum_ago_s) {
            d.sets_minimum = true;
            d.minimum = (uint32_t)a[i].minimum.median;
            minimum_ago_s = ago_s;
        }
        if (a[i].maximum.given && ago_s <= maximum_ago_s) {
            d.sets_maximum = true;
            d.maximum = (uint32_t)a[i].maximum.median;
            maximum_ago_s = ago_s;
        }
    }
    return d;
}

const struct autoscaler autoscaler_scheduled = {
    .schema = &autoscaler_scheduled_schema,
    .by_clock = true,
    .check = check,
    .period_s = period_s,
    .highest_limit = highest_limit,
    .state_size = state_size,
    .decide = decide,
};
