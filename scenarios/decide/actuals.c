/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/actuals.h"

#include "engine/civil_time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A plan without doubt has P10 = P90: rounding is no deviation. */
#define ROUNDING 1e-6
#define NO_MONEY 1e-6 /* what rounding to nano-units leaves of a mean */

const char *const actual_verdict_names[] = {"inside",  "above P90", "below P10", "so far",
                                            "to come", "unknown",   NULL};

enum { BASIS, MONTH, PLAN_MEAN, PLAN_P10, PLAN_P90, ACTUAL, DIFFERENCE, DIFFERENCE_FRAC, VERDICT };
const struct column actuals_columns[ACTUALS_COLUMNS] = {
    {"basis", "", "cash: what is invoiced; amortised: commitments spread over what uses them",
     COLUMN_TEXT, 0},
    {"month", "", "Calendar month in UTC", COLUMN_TEXT, 0},
    {"plan_mean", "", "The plan's mean of the month", COLUMN_NUMBER, 2},
    {"plan_p10", "", "Its P10", COLUMN_NUMBER, 2},
    {"plan_p90", "", "Its P90", COLUMN_NUMBER, 2},
    {"actual", "", "Of the bill; empty for months to come", COLUMN_NUMBER, 2},
    {"difference", "", "Actual less the mean, of complete months", COLUMN_NUMBER, 2},
    {"difference_frac", "frac", "The same over the mean", COLUMN_NUMBER, 3},
    {"verdict", "",
     "inside, above P90, below P10; so far: the bill ends within the month; to come; unknown: the "
     "plan does not know",
     COLUMN_TEXT, 0},
};

enum { PART, PLANNED, ACTUAL_COST, PART_DIFFERENCE };
const struct column actual_parts_columns[ACTUAL_PARTS_COLUMNS] = {
    {"part", "", "What is paid for", COLUMN_TEXT, 0},
    {"planned", "", "The plan's mean, amortised, of the complete months", COLUMN_NUMBER, 2},
    {"actual", "", "Of the bill, amortised", COLUMN_NUMBER, 2},
    {"difference", "", "Actual less planned", COLUMN_NUMBER, 2},
};

/* ---- the bill ---- */

bool actuals_begin(struct actuals *a, struct arena *arena, int64_t start_unix_s, double horizon_s)
{
    const int64_t end_unix_s = start_unix_s + (int64_t)horizon_s;
    const int64_t first = civil_month_start(start_unix_s);
    *a = (struct actuals){
        .last_unix_s = INT64_MIN, .start_unix_s = start_unix_s, .end_unix_s = end_unix_s};
    for (int64_t at = first; at < end_unix_s || a->count == 0; at = civil_add_months(at, 1)) {
        a->count++;
    }
    a->months = arena_array(arena, a->count, sizeof *a->months);
    int64_t at = first;
    for (size_t i = 0; a->months != NULL && i < a->count; i++) {
        char date[24];
        struct actual_month *m = &a->months[i];
        *m = (struct actual_month){.start_unix_s = at, .end_unix_s = civil_add_months(at, 1)};
        snprintf(m->name, sizeof m->name, "%.7s", civil_date_text(at, date));
        at = m->end_unix_s;
    }
    return a->months != NULL;
}

bool actuals_add(void *actuals, const struct bill_line *l)
{
    struct actuals *a = actuals;
    a->last_unix_s = l->end_unix_s > a->last_unix_s ? l->end_unix_s : a->last_unix_s;
    if (l->start_unix_s < a->months[0].start_unix_s) {
        a->before += l->billed;
        return true;
    }
    for (size_t i = 0; i < a->count; i++) {
        struct actual_month *m = &a->months[i];
        if (l->start_unix_s < m->end_unix_s) {
            m->billed += l->billed;
            m->effective += l->effective;
            m->node_h += l->node_h;
            m->part[l->part] += l->effective;
            m->lines++;
            a->early += l->start_unix_s < a->start_unix_s ? l->billed : 0;
            a->late += l->start_unix_s >= a->end_unix_s ? l->billed : 0;
            return true;
        }
    }
    a->after += l->billed;
    return true;
}

size_t actuals_complete(const struct actuals *a, int64_t known_until_unix_s)
{
    size_t n = 0;
    while (n < a->count && a->months[n].end_unix_s <= known_until_unix_s) {
        n++;
    }
    return n;
}

/* ---- the plan ---- */

/* The column "NAME_usd"; -1: there is none. */
static int money_column(const struct table *t, const char *name, const char *currency)
{
    char column[64];
    const int n = snprintf(column, sizeof column, "%s_%s", name, currency);
    for (int i = 0; i < n && i < (int)sizeof column - 1; i++) {
        const char c = column[i];
        column[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return table_find(t, column);
}

static double money_of(const struct table *t, size_t row, const char *name, const char *currency)
{
    const int column = money_column(t, name, currency);
    return column < 0 ? (double)NAN : table_number(t, row, (size_t)column);
}

/* The row of the strategy and month; SIZE_MAX: the plan spends nothing there. */
static size_t month_row(const struct actuals_plan *p, const char *month)
{
    const int of_strategy = table_find(p->monthly, "strategy");
    const int of_month = table_find(p->monthly, "month");
    for (size_t i = 0; of_strategy >= 0 && of_month >= 0 && i < table_rows(p->monthly); i++) {
        if (strcmp(table_text(p->monthly, i, (size_t)of_strategy), p->strategy) == 0 &&
            strcmp(table_text(p->monthly, i, (size_t)of_month), month) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* ---- month by month ---- */

static enum actual_verdict judge(double actual, double p10, double p90, bool complete)
{
    if (isnan(p10) || isnan(p90)) {
        return ACTUAL_UNKNOWN;
    }
    const double tolerance = ROUNDING * (1 + fabs(p90));
    if (actual > p90 + tolerance) {
        return ACTUAL_ABOVE;
    }
    return !complete ? ACTUAL_SO_FAR : actual < p10 - tolerance ? ACTUAL_BELOW : ACTUAL_INSIDE;
}

/* Sums of many amounts differ by rounding, which is no difference. */
static double less(double a, double b)
{
    const double difference = a - b;
    return fabs(difference) <= 1e-9 * fmax(fabs(a), fabs(b)) || fabs(difference) <= NO_MONEY
               ? 0
               : difference;
}

static bool add_month(struct table *t, const struct actuals_plan *p, const struct actual_month *m,
                      const char *basis, double actual, int64_t known_until_unix_s)
{
    const size_t row = table_add_row(t), of = month_row(p, m->name);
    char name[3][40];
    if (row == SIZE_MAX) {
        return false;
    }
    snprintf(name[0], sizeof name[0], "%s_mean", basis);
    snprintf(name[1], sizeof name[1], "%s_p10", basis);
    snprintf(name[2], sizeof name[2], "%s_p90", basis);
    double plan[3] = {0};
    for (int i = 0; i < 3 && of != SIZE_MAX; i++) {
        plan[i] = money_of(p->monthly, of, name[i], p->currency);
        plan[i] = fabs(plan[i]) <= NO_MONEY ? 0 : plan[i];
    }
    const bool begun = m->start_unix_s < known_until_unix_s;
    const bool complete = m->end_unix_s <= known_until_unix_s;
    table_set_text(t, row, BASIS, basis);
    table_set_text(t, row, MONTH, m->name);
    table_set_number(t, row, PLAN_MEAN, plan[0]);
    table_set_number(t, row, PLAN_P10, plan[1]);
    table_set_number(t, row, PLAN_P90, plan[2]);
    if (begun) {
        table_set_number(t, row, ACTUAL, actual);
    }
    if (complete) {
        const double difference = less(actual, plan[0]);
        table_set_number(t, row, DIFFERENCE, difference);
        table_set_number(t, row, DIFFERENCE_FRAC, plan[0] > 0 ? difference / plan[0] : (double)NAN);
    }
    const enum actual_verdict v =
        begun ? judge(actual, plan[1], plan[2], complete) : ACTUAL_TO_COME;
    table_set_text(t, row, VERDICT, actual_verdict_names[v]);
    return true;
}

struct table *actuals_table(const struct actuals *a, const struct actuals_plan *p,
                            int64_t known_until_unix_s)
{
    struct table *t = table_new("actuals", actuals_columns, ACTUALS_COLUMNS);
    bool ok = t != NULL;
    for (size_t i = 0; ok && i < a->count; i++) {
        ok = add_month(t, p, &a->months[i], "cash", a->months[i].billed, known_until_unix_s);
    }
    for (size_t i = 0; ok && i < a->count; i++) {
        ok =
            add_month(t, p, &a->months[i], "amortised", a->months[i].effective, known_until_unix_s);
    }
    if (!ok) {
        table_free(t);
        return NULL;
    }
    return t;
}

size_t actuals_gap(const struct actuals *a, const struct table *months, size_t from,
                   int64_t known_until_unix_s)
{
    const size_t complete = actuals_complete(a, known_until_unix_s);
    for (size_t i = from; i < complete; i++) {
        if (a->months[i].lines == 0 && table_number(months, i, PLAN_P10) > 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

bool actuals_bases_agree(const struct table *t)
{
    const size_t half = table_rows(t) / 2;
    for (size_t i = 0; i < half; i++) {
        for (size_t column = PLAN_MEAN; column <= ACTUAL; column++) {
            const double cash = table_number(t, i, column);
            const double amortised = table_number(t, half + i, column);
            if (isnan(cash) != isnan(amortised) ||
                fabs(cash - amortised) > ROUNDING * (1 + fabs(cash))) {
                return false;
            }
        }
    }
    return true;
}

/* ---- what differs ---- */

/* The part of a bill that a category of categories.csv is; BILL_PART_COUNT: of none, since no bill
 * of these months shows it. */
static enum bill_part part_of(const char *category)
{
    static const struct {
        const char *category;
        enum bill_part part;
    } rows[] = {{"on-demand", BILL_PART_ON_DEMAND},
                {"capacity-blocks", BILL_PART_ON_DEMAND},
                {"capacity-reservations", BILL_PART_ON_DEMAND},
                {"spot", BILL_PART_SPOT},
                {"commitments-used", BILL_PART_COMMITTED},
                {"commitments-unused", BILL_PART_UNUSED},
                {"storage", BILL_PART_STORAGE},
                {"transfer", BILL_PART_TRANSFER},
                {"fees", BILL_PART_OTHER},
                {"discount", BILL_PART_CREDIT},
                {"support", BILL_PART_SUPPORT},
                {"tax", BILL_PART_TAX}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(category, rows[i].category) == 0) {
            return rows[i].part;
        }
    }
    return BILL_PART_COUNT;
}

static bool is_complete(const struct actuals *a, const char *month, size_t complete)
{
    for (size_t i = 0; i < complete; i++) {
        if (strcmp(a->months[i].name, month) == 0) {
            return true;
        }
    }
    return false;
}

/* Means by part, over complete months. */
static void plan_parts(const struct actuals *a, const struct actuals_plan *p, size_t complete,
                       double part[BILL_PART_COUNT])
{
    const struct table *t = p->categories;
    const int of_strategy = table_find(t, "strategy"), of_month = table_find(t, "month");
    const int of_category = table_find(t, "category");
    memset(part, 0, BILL_PART_COUNT * sizeof *part);
    if (of_strategy < 0 || of_month < 0 || of_category < 0) {
        return;
    }
    for (size_t i = 0; i < table_rows(t); i++) {
        const enum bill_part k = part_of(table_text(t, i, (size_t)of_category));
        if (k < BILL_PART_COUNT &&
            strcmp(table_text(t, i, (size_t)of_strategy), p->strategy) == 0 &&
            is_complete(a, table_text(t, i, (size_t)of_month), complete)) {
            part[k] += money_of(t, i, "cost_mean", p->currency);
        }
    }
}

static void bill_parts(const struct actuals *a, size_t complete, double part[BILL_PART_COUNT])
{
    memset(part, 0, BILL_PART_COUNT * sizeof *part);
    for (size_t i = 0; i < complete; i++) {
        for (int k = 0; k < BILL_PART_COUNT; k++) {
            part[k] += a->months[i].part[k];
        }
    }
}

/* The part not yet listed whose difference is largest; BILL_PART_COUNT: all are. */
static int next_part(const double *planned, const double *actual, const bool *listed)
{
    int best = BILL_PART_COUNT;
    for (int k = 0; k < BILL_PART_COUNT; k++) {
        const bool there = fabs(planned[k]) > 0 || fabs(actual[k]) > 0 || isnan(planned[k]);
        if (there && !listed[k] &&
            (best == BILL_PART_COUNT ||
             fabs(actual[k] - planned[k]) > fabs(actual[best] - planned[best]))) {
            best = k;
        }
    }
    return best;
}

struct table *actual_parts_table(const struct actuals *a, const struct actuals_plan *p,
                                 int64_t known_until_unix_s)
{
    const size_t complete = actuals_complete(a, known_until_unix_s);
    double planned[BILL_PART_COUNT], actual[BILL_PART_COUNT];
    bool listed[BILL_PART_COUNT] = {false};
    struct table *t = table_new("actual_parts", actual_parts_columns, ACTUAL_PARTS_COLUMNS);
    plan_parts(a, p, complete, planned);
    bill_parts(a, complete, actual);
    for (int k; t != NULL && (k = next_part(planned, actual, listed)) < BILL_PART_COUNT;) {
        const size_t row = table_add_row(t);
        if (row == SIZE_MAX) {
            table_free(t);
            return NULL;
        }
        listed[k] = true;
        table_set_text(t, row, PART, bill_part_names[k]);
        table_set_number(t, row, PLANNED, planned[k]);
        table_set_number(t, row, ACTUAL_COST, actual[k]);
        table_set_number(t, row, PART_DIFFERENCE, less(actual[k], planned[k]));
    }
    return t;
}

/* ---- hours and prices ---- */

/* The plan's mean of node-hours before an instant, from its timeline. */
static double planned_hours(const struct actuals_plan *p, int64_t until_unix_s)
{
    const struct table *t = p->timeline;
    const int of_strategy = table_find(t, "strategy"), of_measure = table_find(t, "measure");
    const int of_time = table_find(t, "time"), of_bucket = table_find(t, "bucket_s");
    const int of_mean = table_find(t, "mean");
    double hours = 0;
    if (of_strategy < 0 || of_measure < 0 || of_time < 0 || of_bucket < 0 || of_mean < 0) {
        return (double)NAN;
    }
    for (size_t i = 0; i < table_rows(t); i++) {
        const char *measure = table_text(t, i, (size_t)of_measure);
        if (strcmp(table_text(t, i, (size_t)of_strategy), p->strategy) != 0 ||
            strstr(measure, "nodes") == NULL) {
            continue;
        }
        const double start_s = table_number(t, i, (size_t)of_time);
        const double bucket_s = table_number(t, i, (size_t)of_bucket);
        const double inside_s = fmin(bucket_s, fmax(0, (double)until_unix_s - start_s));
        hours += table_number(t, i, (size_t)of_mean) * inside_s / 3600;
    }
    return hours;
}

struct actual_hours actual_hours(const struct actuals *a, const struct actuals_plan *p,
                                 int64_t known_until_unix_s)
{
    const size_t complete = actuals_complete(a, known_until_unix_s);
    struct actual_hours h = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    double planned[BILL_PART_COUNT], actual[BILL_PART_COUNT];
    if (complete == 0) {
        return h;
    }
    plan_parts(a, p, complete, planned);
    bill_parts(a, complete, actual);
    h.planned_h = planned_hours(p, a->months[complete - 1].end_unix_s);
    h.actual_h = 0;
    for (size_t i = 0; i < complete; i++) {
        h.actual_h += a->months[i].node_h;
    }
    const double of_plan =
        planned[BILL_PART_ON_DEMAND] + planned[BILL_PART_SPOT] + planned[BILL_PART_COMMITTED];
    const double of_bill =
        actual[BILL_PART_ON_DEMAND] + actual[BILL_PART_SPOT] + actual[BILL_PART_COMMITTED];
    h.planned_per_h = h.planned_h > 0 ? of_plan / h.planned_h : (double)NAN;
    h.actual_per_h = h.actual_h > 0 ? of_bill / h.actual_h : (double)NAN;
    return h;
}
