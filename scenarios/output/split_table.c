/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/split_table.h"

#include "models/billing/cost_split.h"
#include "scenarios/output/result_rows.h"
#include "scenarios/output/world_quantiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Who is in a row. */
enum split_part { PART_STATED, PART_NONE, PART_SHARED };
static const char *const part_names[] = {"stated", "none", "shared"};

/* A split under way. */
struct splitting {
    const struct run *run;
    const struct cost_holders *holders;
    const char *tag; /* NULL: by owner */
    size_t strategy, cut;
    double *values; /* by world */
};

static const char *value_of(const struct splitting *s, size_t holder)
{
    const struct label_spec *l = s->holders->labels[holder];
    return l == NULL ? NULL : label_value(l, s->tag);
}

static bool is_in(const struct splitting *s, size_t holder, enum split_part part, const char *value)
{
    const bool kept = holder + 1 == s->holders->count;
    const char *own = value_of(s, holder);
    switch (part) {
    case PART_SHARED:
        return kept;
    case PART_NONE:
        return !kept && own == NULL;
    case PART_STATED:
        break;
    }
    return own != NULL && strcmp(own, value) == 0;
}

static money_t amount_in(const struct splitting *s, uint32_t world, enum split_part part,
                         const char *value)
{
    const money_t *held = results_holders(&s->run->results, world, s->strategy);
    money_t sum = 0;
    for (size_t i = 0; i < s->holders->count; i++) {
        sum += is_in(s, i, part, value) ? held[i] : 0; /* parts of a total that fits */
    }
    return sum;
}

/* Of work that was cut off neither its own cost nor its share is known, nor on which side of what
 * is known so far it lies. */
static void put_row(struct result_rows *rows, struct splitting *s, enum split_part part,
                    const char *value)
{
    const struct results *r = &s->run->results;
    const uint32_t plan = s->run->plan_worlds[s->strategy];
    struct world_quantiles q = {(double)NAN, (double)NAN, (double)NAN,
                                (double)NAN, (double)NAN, (double)NAN};
    for (uint32_t i = 0; i < r->replications; i++) {
        s->values[i] = money_to_double(amount_in(s, i, part, value));
    }
    if (s->cut == 0 && !world_quantiles(&q, s->values, NULL, r->replications)) {
        rows_fail(rows);
        return;
    }
    rows_next(rows);
    rows_text(rows, study_strategy_name(s->run->study, s->strategy));
    rows_text(rows, s->tag == NULL ? "owner" : "tag");
    rows_text(rows, s->tag == NULL ? "" : s->tag);
    rows_text(rows, part_names[part]);
    rows_text(rows, value);
    rows_number(rows, q.mean);
    rows_money(rows, plan == UINT32_MAX ? COLUMN_MISSING_INTEGER : amount_in(s, plan, part, value));
    rows_number(rows, q.p10);
    rows_number(rows, q.p90);
    rows_integer(rows, (int64_t)s->cut);
}

static bool anybody(const struct splitting *s, enum split_part part)
{
    for (size_t i = 0; i < s->holders->count; i++) {
        if (is_in(s, i, part, NULL)) {
            return true;
        }
    }
    return false;
}

static bool said_before(const struct splitting *s, size_t holder, const char *value)
{
    for (size_t i = 0; i < holder; i++) {
        if (is_in(s, i, PART_STATED, value)) {
            return true;
        }
    }
    return false;
}

/* Values in the order in which they are stated. */
static void put_split(struct result_rows *rows, struct splitting *s)
{
    for (size_t i = 0; i < s->holders->count; i++) {
        const char *value = value_of(s, i);
        if (value != NULL && !said_before(s, i, value)) {
            put_row(rows, s, PART_STATED, value);
        }
    }
    if (anybody(s, PART_NONE)) {
        put_row(rows, s, PART_NONE, "");
    }
    if (s->run->study->scenario->shared == SPLIT_KEEP) {
        put_row(rows, s, PART_SHARED, "");
    }
}

static bool any_owner(const struct cost_holders *h)
{
    for (size_t i = 0; i < h->count; i++) {
        if (h->labels[i] != NULL && h->labels[i]->owner != NULL) {
            return true;
        }
    }
    return false;
}

/* True when a holder before this tag of this holder has the tag too. */
static bool tagged_before(const struct cost_holders *h, size_t holder, const char *tag)
{
    for (size_t i = 0; i < holder; i++) {
        if (h->labels[i] != NULL && label_value(h->labels[i], tag) != NULL) {
            return true;
        }
    }
    return false;
}

static void put_strategy(struct result_rows *rows, struct splitting *s)
{
    const struct cost_holders *h = s->holders;
    s->tag = NULL;
    if (any_owner(h)) {
        put_split(rows, s);
    }
    for (size_t i = 0; i < h->count; i++) {
        const struct tag_spec *tags = h->labels[i] == NULL ? NULL : h->labels[i]->tags.items;
        for (size_t k = 0; tags != NULL && k < h->labels[i]->tags.count; k++) {
            s->tag = tags[k].item.name;
            if (!tagged_before(h, i, s->tag)) {
                put_split(rows, s);
            }
        }
    }
}

struct table *split_table(const struct run *run)
{
    const struct results *r = &run->results;
    struct result_rows rows;
    struct splitting s = {.run = run, .holders = &run->study->holders};
    s.values = malloc(((size_t)r->replications + 1) * sizeof *s.values);
    rows_begin(&rows, "split", run->study->scenario->currency);
    if (s.values == NULL) {
        rows_fail(&rows);
    }
    for (; s.values != NULL && r->holders > 0 && s.strategy < r->strategies; s.strategy++) {
        s.cut = 0;
        for (uint32_t i = 0; i < r->replications; i++) {
            s.cut += metric_cut(results_cells(r, i, s.strategy, r->workloads));
        }
        put_strategy(&rows, &s);
    }
    free(s.values);
    return rows_end(&rows);
}
