/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/information_table.h"

#include "engine/information_value.h"
#include "scenarios/output/drawn_inputs.h"
#include "scenarios/output/result_rows.h"
#include "scenarios/study/choice.h"
#include "scenarios/study/objective_estimate.h"
#include "scenarios/study/strategy_gaps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Share of what the best strategy serves that any to choose must serve, without `choose`. */
#define SERVE_AT_LEAST 0.99

/* What the strategies that there are to choose from cost, or whatever the choice is made by; the
 * less the better. */
struct losses {
    const struct run *run;
    struct gap_goal goal; /* a mean */
    char cost[64];        /* its text, where it is not that of `choose` */
    struct choice choice; /* who may be chosen; nothing: all that finish and serve enough */
    size_t n, options;
    double *room; /* [option][world], and one more */
    unsigned char *censored;
    const double **loss;
};

/* Mean share that is met of what is needed by the clock, or answered of requests; NaN when nothing
 * is asked for. */
static double mean_served(struct losses *l, size_t strategy)
{
    const struct results *r = &l->run->results;
    double sum = 0, came = 0, served = 0;
    size_t count = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        const struct metric_cells *all = results_cells(r, i, strategy, r->workloads);
        double share = metric_number(all, METRIC_SERVED_SHARE);
        double requests = metric_number(all, METRIC_REQUESTS);
        sum += isnan(share) ? 0 : share;
        count += isnan(share) ? 0 : 1;
        came += isnan(requests) ? 0 : requests;
        served += isnan(requests) ? 0 : metric_number(all, METRIC_REQUESTS_SERVED);
    }
    return count > 0 ? sum / (double)count : came > 0 ? served / came : (double)NAN;
}

/* Whether it may be chosen at all. */
static bool is_option(struct losses *l, size_t strategy, double best_served)
{
    if (l->choice.one != NULL) {
        return l->choice.one[strategy].rank > 0;
    }
    return !(mean_served(l, strategy) < SERVE_AT_LEAST * best_served);
}

/* Adds the strategy when it may be chosen and is known in all worlds. */
static void add_option(struct losses *l, size_t strategy, double best_served)
{
    const struct objective *o = &l->goal.objective;
    double *to = l->room + l->options * l->n;
    bool known = objective_column(o, &l->run->results, strategy, to, l->censored) == 0 && l->n > 0;
    for (size_t i = 0; i < l->n; i++) {
        known = known && isfinite(to[i]);
        to[i] = l->goal.maximise != o->unfinished ? -to[i] : to[i];
    }
    if (known && is_option(l, strategy, best_served)) {
        l->loss[l->options++] = to;
    }
}

/* The mean that `choose` names; where it names none the mean cost. */
static bool find_goal(struct losses *l)
{
    const struct study *study = l->run->study;
    const struct choice_plan *choose = &study->choice;
    const struct objective_names names = {.currency = study->scenario->currency};
    char message[256];
    if (choose->given && !choice_make(&l->choice, study, &l->run->results)) {
        return false;
    }
    if (choose->given && choose->objective.stat == OBJECTIVE_MEAN) {
        l->goal = (struct gap_goal){.objective = choose->objective, .maximise = choose->maximise};
        return true;
    }
    metric_column(METRIC_COST, names.currency, l->cost);
    return objective_parse(l->cost, strlen(l->cost), &names, &l->goal.objective, message,
                           sizeof message);
}

static bool losses_init(struct losses *l, const struct run *run)
{
    const size_t strategies = run->results.strategies, n = run->results.replications;
    *l = (struct losses){.run = run,
                         .n = n,
                         .room = calloc((strategies + 1) * n + 1, sizeof *l->room),
                         .censored = calloc(n + 1, sizeof *l->censored),
                         .loss = calloc(strategies + 1, sizeof *l->loss)};
    if (l->room == NULL || l->censored == NULL || l->loss == NULL || !find_goal(l)) {
        return false;
    }
    double best = 0;
    for (size_t k = 0; k < strategies; k++) {
        best = fmax(best, mean_served(l, k)); /* fmax passes over NaN */
    }
    for (size_t k = 0; k < strategies; k++) {
        add_option(l, k, best);
    }
    return true;
}

static void losses_release(struct losses *l)
{
    free(l->room);
    free(l->censored);
    free(l->loss);
    choice_release(&l->choice);
}

static void put_row(struct result_rows *rows, const struct losses *l, const char *input,
                    struct information_value v)
{
    char column[64], unit[16];
    const char *currency = l->run->study->scenario->currency;
    rows_next(rows);
    rows_text(rows, input);
    rows_text(rows, metric_column(l->goal.objective.metric, currency, column));
    rows_text(rows, metric_unit(l->goal.objective.metric, currency, unit));
    rows_number(rows, v.value);
    rows_number(rows, v.low);
    rows_number(rows, v.high);
    rows_integer(rows, (int64_t)l->n);
    rows_integer(rows, (int64_t)l->options);
}

static void put_all(struct result_rows *rows, const struct losses *l,
                    const struct drawn_inputs *drawn)
{
    const struct information_losses of = {l->loss, l->options, l->n};
    const struct inputs *inputs = l->run->study->scenario->inputs;
    put_row(rows, l, "all", information_value_of_all(&of));
    for (size_t k = 0; k < drawn->count; k++) {
        put_row(rows, l, inputs_at(inputs, k)->name,
                information_value_of(&of, drawn_input(drawn, k)));
    }
}

struct table *information_table(const struct run *run)
{
    struct result_rows rows;
    struct drawn_inputs drawn;
    struct losses l = {0};
    rows_begin(&rows, "information", run->study->scenario->currency);
    if (!drawn_inputs_init(&drawn, run) || !losses_init(&l, run)) {
        rows_fail(&rows);
    } else if (drawn.count > 0 && l.options > 1 && l.n >= INFORMATION_MIN_WORLDS) {
        put_all(&rows, &l, &drawn);
    }
    losses_release(&l);
    drawn_inputs_release(&drawn);
    return rows_end(&rows);
}
