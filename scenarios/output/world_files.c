/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/output/world_files.h"

#include "engine/arena.h"
#include "engine/csv_writer.h"
#include "engine/text.h"
#include "models/billing/rating.h"
#include "scenarios/output/report_tables.h"
#include "scenarios/output/result_layouts.h"
#include "scenarios/study/launches.h"
#include "scenarios/study/simulation.h"

#include <errno.h>
#include <stdlib.h>

/* Ends the file; ok false: memory was out on the way. */
static bool finish(struct csv_writer *w, bool ok)
{
    bool written = csv_writer_finish(w);
    if (written && !ok) {
        errno = ENOMEM;
    }
    return written && ok;
}

/* ---- replications.csv ---- */

/* The columns of a layout, as the beginning of a header; `added`: those that its money has in the
 * report's currency instead, if there is one. False when out of memory. */
static bool put_columns(struct csv_writer *w, const char *layout, const struct scenario *sc,
                        bool added)
{
    struct arena *a = arena_new(0);
    struct result_table_layout l;
    bool ok = a != NULL && result_table_layout(layout, sc->currency, a, &l);
    size_t own = ok ? l.count : 0;
    ok = ok && report_layout(&l, sc->currency, sc->report.given ? sc->report.code : NULL, a);
    for (size_t i = added ? own : 0; ok && i < (added ? l.count : own); i++) {
        csv_put_text(w, l.columns[i].name);
    }
    arena_free(a);
    return ok;
}

/* In the report's currency; nothing when there is none. */
static void put_converted(struct csv_writer *w, const struct scenario *sc, money_t amount)
{
    if (sc->report.given) {
        csv_put_number(w, sc->report.rate * money_to_double(amount));
    }
}

static bool put_header(struct csv_writer *w, const struct scenario *sc)
{
    bool ok = put_columns(w, "replications", sc, false);
    for (size_t i = 0; ok && i < inputs_count(sc->inputs); i++) {
        const struct input *in = inputs_at(sc->inputs, i);
        struct text name;
        text_init(&name, 0);
        text_format(&name, "%s%s%s", in->name, in->unit[0] != '\0' ? "_" : "", in->unit);
        csv_put_text(w, name.data);
        ok = !name.overflow;
        text_release(&name);
    }
    ok = ok && put_columns(w, "replications", sc, true);
    csv_end_row(w);
    return ok;
}

static void put_world(struct csv_writer *w, const struct run *run, size_t strategy, size_t workload,
                      uint32_t replication, const double *drawn)
{
    const struct study *s = run->study;
    const struct results *r = &run->results;
    const struct metric_cells *c = results_cells(r, replication, strategy, workload);
    csv_put_text(w, study_strategy_name(s, strategy));
    csv_put_text(w, study_workload_name(s, workload));
    csv_put_integer(w, replication);
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (metric_table[m].kind == METRIC_MONEY) {
            csv_put_money(w, c->value[m].money);
        } else {
            csv_put_number(w, c->value[m].number);
        }
    }
    for (size_t i = 0; i < inputs_count(s->scenario->inputs); i++) {
        csv_put_number(w, drawn[i]);
    }
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (s->scenario->report.given && metric_in_currency((enum metric)m)) {
            csv_put_number(w, s->scenario->report.rate * metric_number(c, (enum metric)m));
        }
    }
    csv_end_row(w);
}

bool write_replications(FILE *out, const struct run *run)
{
    const struct study *s = run->study;
    const struct scenario *sc = s->scenario;
    const struct results *r = &run->results;
    double *drawn = calloc(inputs_count(sc->inputs) + 1, sizeof *drawn);
    struct csv_writer w;
    if (drawn == NULL || !csv_writer_init(&w, out)) {
        free(drawn);
        errno = ENOMEM;
        return false;
    }
    bool ok = put_header(&w, sc);
    for (size_t k = 0; ok && k < r->strategies; k++) {
        for (size_t workload = 0; workload <= r->workloads; workload++) {
            for (uint32_t i = 0; i < r->replications && w.error == 0; i++) {
                /* Drawn again rather than kept: a function of seed and replication. */
                inputs_draw(sc->inputs, (struct random_world){(uint64_t)sc->seed, i}, drawn);
                put_world(&w, run, k, workload, i, drawn);
            }
        }
    }
    free(drawn);
    return finish(&w, ok);
}

/* ---- usage.csv ---- */

static double seconds(int64_t us)
{
    return (double)us / (double)MICROSECONDS;
}

static void put_record(struct csv_writer *w, const struct study *s, struct market *market,
                       size_t strategy, uint32_t replication, const struct usage *u, uint32_t twin,
                       uint32_t launch)
{
    const struct pool_info *pool = market_pool_info(s->market, u->pool);
    int64_t start = s->scenario->start.unix_s;
    csv_put_text(w, study_strategy_name(s, strategy));
    csv_put_text(w, study_workload_name(s, u->workload));
    csv_put_integer(w, replication);
    csv_put_text(w, pool->zone);
    csv_put_text(w, pool->type->name);
    csv_put_text(w, purchase_names[pool->purchase]);
    csv_put_integer(w, (int64_t)u->slot + twin);
    csv_put_integer(w, launch);
    csv_put_time(w, start + u->start_us / MICROSECONDS);
    csv_put_time(w, start + u->end_us / MICROSECONDS);
    csv_put_number(w, seconds(u->start_us));
    csv_put_number(w, seconds(u->end_us));
    for (int a = 0; a <= ACTIVITY_WAITING; a++) {
        csv_put_number(w, seconds(u->activity_us[a]));
    }
    csv_put_text(w, end_reason_names[u->reason]);
    csv_put_integer(w, rating_is_free(market, u));
    money_t cost = rating_pieces(market, u, start, NULL, NULL);
    csv_put_money(w, cost);
    for (int a = ACTIVITY_WAITING + 1; a < ACTIVITY_COUNT; a++) {
        csv_put_number(w, seconds(u->activity_us[a]));
    }
    put_converted(w, s->scenario, cost);
    csv_end_row(w);
}

static bool put_plan_world(struct csv_writer *w, const struct run *run, struct simulation *sim,
                           size_t strategy)
{
    const struct study *s = run->study;
    const struct simulation_outputs nothing = {0};
    uint32_t world = run->plan_worlds[strategy];
    struct launch_counts launches;
    if (world == UINT32_MAX) {
        return true;
    }
    /* The world ran before, so only memory can fail. */
    if (!launch_counts_init(&launches, s, strategy) || !simulation_begin_world(sim, world) ||
        !simulation_run_strategy(sim, strategy, &nothing)) {
        launch_counts_release(&launches);
        return false;
    }
    const struct usage_log *log = simulation_usage(sim);
    for (size_t i = 0; i < log->count; i++) {
        const struct usage *u = &log->records[i];
        for (uint32_t twin = 0; twin <= u->twins && w->error == 0; twin++) {
            put_record(w, s, simulation_market(sim), strategy, world, u, twin,
                       launch_counts_next(&launches, u, twin));
        }
    }
    launch_counts_release(&launches);
    return true;
}

bool write_usage(FILE *out, const struct run *run)
{
    const struct study *s = run->study;
    struct simulation *sim = simulation_new(s);
    struct csv_writer w;
    if (sim == NULL || !csv_writer_init(&w, out)) {
        simulation_free(sim);
        errno = ENOMEM;
        return false;
    }
    bool ok =
        put_columns(&w, "usage", s->scenario, false) && put_columns(&w, "usage", s->scenario, true);
    csv_end_row(&w);
    for (size_t k = 0; ok && k < s->strategy_count; k++) {
        ok = put_plan_world(&w, run, sim, k);
    }
    simulation_free(sim);
    return finish(&w, ok);
}
