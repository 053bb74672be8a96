/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/autoscaling/hpa_behaviour.h"

#include <math.h>
#include <stdio.h>

/* ---- keys ---- */

static const char *const select_names[] = {"max", "min", "disabled", NULL};

static const struct schema_key policy_keys[] = {
    {.name = "pods",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_COUNT,
     .low = 0,
     .high = AUTOSCALER_MOST_REPLICAS,
     .offset = offsetof(struct hpa_policy, pods),
     .help = "Most pods of change within `per`."},
    {.name = "percent",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1e4,
     .offset = offsetof(struct hpa_policy, percent),
     .help = "Most change within `per`, as a share of the pods there were."},
    {.name = "per",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_TIME,
     .low = 1,
     .high = HPA_LONGEST_PERIOD_S,
     .default_text = "15s",
     .offset = offsetof(struct hpa_policy, per),
     .help = "The time within which that is the most (periodSeconds)."},
};

static const struct schema policy_schema = {
    .name = "HPA policy",
    SCHEMA_KEYS(policy_keys),
    .size = sizeof(struct hpa_policy),
    .help = "A rate of change: `pods` or `percent`, `per` a time.",
};

#define HPA_RULE_KEYS(stabilise)                                                                   \
    {.name = "stabilise",                                                                          \
     .kind = SCHEMA_NUMBER,                                                                        \
     .dimension = DIMENSION_TIME,                                                                  \
     .low = 0,                                                                                     \
     .high = HPA_LONGEST_WINDOW_S,                                                                 \
     .default_text = (stabilise),                                                                  \
     .offset = offsetof(struct hpa_rules, window),                                                 \
     .help = "Recommendations of so long a time are looked at, and the least change that any of "  \
             "them wants is made (stabilizationWindowSeconds)."},                                  \
        {.name = "select",                                                                         \
         .kind = SCHEMA_CHOICE,                                                                    \
         .choices = select_names,                                                                  \
         .default_text = "max",                                                                    \
         .offset = offsetof(struct hpa_rules, select),                                             \
         .help = "Which of several policies counts: that of the most change, of the least, or "    \
                 "`disabled`: no change in this direction."},                                      \
    {                                                                                              \
        .name = "policies", .kind = SCHEMA_LIST, .inner = &policy_schema, .list_or_one = true,     \
        .high = 10, .offset = offsetof(struct hpa_rules, policies),                                \
        .help = "Rates of change; absent: up the larger of 100 % and 4 pods in 15 s, down 100 % "  \
                "in 15 s."                                                                         \
    }

static const struct schema_key up_keys[] = {HPA_RULE_KEYS("0s")};
static const struct schema_key down_keys[] = {HPA_RULE_KEYS("5min")};

const struct schema hpa_up_schema = {
    .name = "HPA up",
    SCHEMA_KEYS(up_keys),
    .size = sizeof(struct hpa_rules),
    .help = "How fast the horizontal pod autoscaler may add pods.",
};
const struct schema hpa_down_schema = {
    .name = "HPA down",
    SCHEMA_KEYS(down_keys),
    .size = sizeof(struct hpa_rules),
    .help = "How fast the horizontal pod autoscaler may take pods away.",
};

static const struct hpa_policy default_up[] = {
    {.percent = {.median = 1.0, .input = -1, .word = -1, .given = true},
     .per = NUMBER_CERTAIN(15.0)},
    {.pods = {.median = 4.0, .input = -1, .word = -1, .given = true}, .per = NUMBER_CERTAIN(15.0)},
};
static const struct hpa_policy default_down[] = {
    {.percent = {.median = 1.0, .input = -1, .word = -1, .given = true},
     .per = NUMBER_CERTAIN(15.0)},
};

/* The policies in force, and how many. */
static const struct hpa_policy *policies_of(const struct hpa_rules *r, bool up, size_t *count)
{
    if (r->policies.count > 0) {
        *count = r->policies.count;
        return r->policies.items;
    }
    *count = up ? sizeof default_up / sizeof default_up[0]
                : sizeof default_down / sizeof default_down[0];
    return up ? default_up : default_down;
}

bool hpa_behaviour_check(const struct hpa_behaviour *b, const char *who, char *message, size_t size)
{
    for (int up = 0; up < 2; up++) {
        const struct hpa_rules *r = up ? &b->up : &b->down;
        const struct hpa_policy *p = r->policies.items;
        for (size_t i = 0; i < r->policies.count; i++) {
            if (p[i].pods.given + p[i].percent.given != 1) {
                snprintf(message, size,
                         "policy %zu of '%s' of %s says %s; expected 'pods' or 'percent'", i + 1,
                         up ? "up" : "down", who, p[i].pods.given ? "both" : "neither");
                return false;
            }
        }
    }
    return true;
}

/* ---- memory ---- */

struct memory_entry {
    double at_s;
    double value; /* replicas recommended, or the sum of all changes up to this one */
};

/* A ring; count never exceeds size. */
struct memory_ring {
    uint32_t size, count, next;
};

/* Of what was recommended only that is kept which may still be the least, or the most, of a window:
 * each is behind a smaller one in `lows`, behind a larger one in `highs`. So a step takes the same
 * time however long the windows are and however short the period is. */
struct hpa_memory {
    struct memory_ring lows, highs, changed;
    double forgotten;              /* the sum of the changes before the oldest in `changed` */
    struct memory_entry entries[]; /* of the three rings, in this order */
};

static uint32_t entries_in(double span_s, double every_s)
{
    return (uint32_t)ceil(span_s / every_s) + 2;
}

static double longest_period_s(const struct hpa_behaviour *b)
{
    double longest = 0.0;
    for (int up = 0; up < 2; up++) {
        size_t count = 0;
        const struct hpa_policy *p = policies_of(up ? &b->up : &b->down, up, &count);
        for (size_t i = 0; i < count; i++) {
            longest = fmax(longest, p[i].per.median);
        }
    }
    return longest;
}

size_t hpa_memory_size(const struct hpa_behaviour *b, double every_s)
{
    size_t entries = (size_t)entries_in(b->up.window.median, every_s) +
                     entries_in(b->down.window.median, every_s) +
                     entries_in(longest_period_s(b), every_s);
    return sizeof(struct hpa_memory) + entries * sizeof(struct memory_entry);
}

void hpa_memory_begin(struct hpa_memory *m, const struct hpa_behaviour *b, double every_s)
{
    m->lows = (struct memory_ring){.size = entries_in(b->up.window.median, every_s)};
    m->highs = (struct memory_ring){.size = entries_in(b->down.window.median, every_s)};
    m->changed = (struct memory_ring){.size = entries_in(longest_period_s(b), every_s)};
    m->forgotten = 0.0;
}

/* The k-th newest. */
static struct memory_entry *ring_at(const struct memory_ring *r, struct memory_entry *entries,
                                    uint32_t k)
{
    uint32_t back = k + 1;
    return &entries[r->next >= back ? r->next - back : r->next + r->size - back];
}

static void ring_put(struct memory_ring *r, struct memory_entry *entries, double at_s, double value)
{
    entries[r->next] = (struct memory_entry){at_s, value};
    r->next = r->next + 1 == r->size ? 0 : r->next + 1;
    if (r->count < r->size) {
        r->count++;
    }
}

static void ring_drop_newest(struct memory_ring *r)
{
    r->next = r->next == 0 ? r->size - 1 : r->next - 1;
    r->count--;
}

/* ---- limits ---- */

/* What of a window bounds the change: with sign 1 the least, with -1 the most, of what was
 * recommended in it and is now. */
static double extreme(struct memory_ring *r, struct memory_entry *entries, double sign,
                      double now_s, double window_s, double recommended)
{
    while (r->count > 0 && ring_at(r, entries, r->count - 1)->at_s <= now_s - window_s) {
        r->count--;
    }
    while (r->count > 0 && sign * (ring_at(r, entries, 0)->value - recommended) >= 0) {
        ring_drop_newest(r);
    }
    ring_put(r, entries, now_s, recommended);
    return ring_at(r, entries, r->count - 1)->value;
}

static uint32_t stabilised(const struct hpa_behaviour *b, struct hpa_memory *m, double now_s,
                           uint32_t current, uint32_t recommended)
{
    double lowest =
        extreme(&m->lows, m->entries, 1.0, now_s, b->up.window.median, (double)recommended);
    double highest = extreme(&m->highs, m->entries + m->lows.size, -1.0, now_s,
                             b->down.window.median, (double)recommended);
    if (current < lowest) {
        return (uint32_t)lowest;
    }
    return current > highest ? (uint32_t)highest : current;
}

static struct memory_entry *changes(struct hpa_memory *m)
{
    return m->entries + m->lows.size + m->highs.size;
}

static double all_changes(struct hpa_memory *m)
{
    return m->changed.count > 0 ? ring_at(&m->changed, changes(m), 0)->value : m->forgotten;
}

static void remember_change(struct hpa_memory *m, double now_s, double change)
{
    double sum = all_changes(m) + change;
    if (m->changed.count == m->changed.size) {
        m->forgotten = ring_at(&m->changed, changes(m), m->changed.count - 1)->value;
    }
    ring_put(&m->changed, changes(m), now_s, sum);
}

/* Pods there were when the period began: now, less what was added since, and what was taken away.
 */
static double pods_before(struct hpa_memory *m, double now_s, double period_s, uint32_t current)
{
    uint32_t low = 0, high = m->changed.count; /* the newest that lies before the period */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ring_at(&m->changed, changes(m), middle)->at_s <= now_s - period_s) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    double before =
        low < m->changed.count ? ring_at(&m->changed, changes(m), low)->value : m->forgotten;
    return current - (all_changes(m) - before);
}

/* The furthest that the policies allow to go. */
static double furthest(const struct hpa_rules *r, bool up, struct hpa_memory *m, double now_s,
                       uint32_t current)
{
    if (r->select == HPA_SELECT_DISABLED) {
        return current;
    }
    size_t count = 0;
    const struct hpa_policy *p = policies_of(r, up, &count);
    double sign = up ? 1.0 : -1.0, best = 0.0;
    for (size_t i = 0; i < count; i++) {
        double from = pods_before(m, now_s, p[i].per.median, current);
        double to = p[i].pods.given ? from + sign * p[i].pods.median
                                    : from * (1 + sign * p[i].percent.median);
        /* To whole pods away from where it was: 7.2 pods fewer are 8 fewer. */
        to = up ? ceil(to - 1e-9 * fabs(to)) : floor(to + 1e-9 * fabs(to));
        bool further = sign * (to - best) > 0;
        if (i == 0 || further == (r->select == HPA_SELECT_MAX)) {
            best = to;
        }
    }
    return best;
}

uint32_t hpa_behaviour_limit(const struct hpa_behaviour *b, struct hpa_memory *m, double now_s,
                             uint32_t current, uint32_t recommended, uint32_t minimum,
                             uint32_t maximum)
{
    double wants = stabilised(b, m, now_s, current, recommended);
    if (wants > current) {
        /* A limit below what there is takes nothing away. */
        double limit = fmax(furthest(&b->up, true, m, now_s, current), current);
        wants = fmin(wants, fmin(limit, fmax(maximum, 0)));
    } else if (wants < current) {
        double limit = fmin(furthest(&b->down, false, m, now_s, current), current);
        wants = fmax(wants, fmax(limit, minimum));
    }
    if (wants != current) {
        remember_change(m, now_s, wants - current);
    }
    return wants > 0 ? (uint32_t)wants : 0;
}
