/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/information_table.h"

#include "engine/information_value.h"
#include "scenarios/study/drawn_inputs.h"
#include "scenarios/study/result_rows.h"

#include <math.h>
#include <stdlib.h>

/* Share of what the best strategy serves that any to choose must serve. */
#define SERVE_AT_LEAST 0.99

/* Costs of the strategies that there are to choose from. */
struct losses {
    const struct run *run;
    size_t n, options;
    double *room, *column; /* [option][world], and one more */
    unsigned char *censored;
    const double **loss;
};

/* Mean share answered or met over the worlds in which there is one; NaN when nothing is asked for.
 */
static double mean_served(struct losses *l, size_t strategy)
{
    const struct results *r = &l->run->results;
    double sum = 0;
    size_t count = 0;
    results_column(r, strategy, r->workloads, METRIC_SERVED_SHARE, l->column, l->censored);
    for (size_t i = 0; i < l->n; i++) {
        sum += isnan(l->column[i]) ? 0 : l->column[i];
        count += isnan(l->column[i]) ? 0 : 1;
    }
    if (count > 0) {
        return sum / (double)count;
    }
    double came = 0, served = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        const struct metric_cells *all = results_cells(r, i, strategy, r->workloads);
        double requests = metric_number(all, METRIC_REQUESTS);
        came += isnan(requests) ? 0 : requests;
        served += isnan(requests) ? 0 : metric_number(all, METRIC_REQUESTS_SERVED);
    }
    return came > 0 ? served / came : (double)NAN;
}

/* Adds the strategy's costs when it may be chosen. */
static void add_option(struct losses *l, size_t strategy, double best_served)
{
    const struct results *r = &l->run->results;
    double *to = l->room + l->options * l->n;
    double served = mean_served(l, strategy);
    size_t cut = results_column(r, strategy, r->workloads, METRIC_COST, to, l->censored);
    if (cut == 0 && !(served < SERVE_AT_LEAST * best_served)) {
        l->loss[l->options++] = to;
    }
}

static bool losses_init(struct losses *l, const struct run *run)
{
    const size_t strategies = run->results.strategies, n = run->results.replications;
    *l = (struct losses){.run = run,
                         .n = n,
                         .room = calloc(strategies * n + 1, sizeof *l->room),
                         .column = calloc(n + 1, sizeof *l->column),
                         .censored = calloc(n + 1, sizeof *l->censored),
                         .loss = calloc(strategies + 1, sizeof *l->loss)};
    if (l->room == NULL || l->column == NULL || l->censored == NULL || l->loss == NULL) {
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
    free(l->column);
    free(l->censored);
    free(l->loss);
}

static void put_row(struct result_rows *rows, const struct losses *l, const char *input,
                    struct information_value v)
{
    char column[64], unit[16];
    const char *currency = l->run->study->scenario->currency;
    rows_next(rows);
    rows_text(rows, input);
    rows_text(rows, metric_column(METRIC_COST, currency, column));
    rows_text(rows, metric_unit(METRIC_COST, currency, unit));
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
