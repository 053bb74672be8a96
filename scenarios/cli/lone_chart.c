/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/lone_chart.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "plots/charts/charts.h"
#include "scenarios/cli/result_charts.h"
#include "scenarios/study/metrics.h"

#include <math.h>

bool lone_chart_frame(struct command *c, const struct study *s, bool converted,
                      struct chart_frame *frame)
{
    const struct scenario *sc = s->scenario;
    const bool shown = converted && sc->report.given;
    const char *currency = shown ? sc->report.code : sc->currency;
    char date[24], cost[64];
    *frame = (struct chart_frame){
        .scenario = arena_string(c->arena, sc->name),
        .currency = arena_string(c->arena, currency),
        .conversion = shown ? result_charts_conversion(c, sc->currency, &sc->report) : NULL,
        .tax_included = study_with_tax(s),
        .cost_metric = arena_string(c->arena, metric_column(METRIC_COST, currency, cost)),
        .replications = s->replications,
        .seed = (uint64_t)sc->seed,
        .budget = (double)NAN,
        .start_unix_s = sc->start.unix_s,
        .prices_as_of = arena_string(c->arena, civil_date_text(sc->prices_as_of_unix_s, date)),
    };
    if (frame->scenario == NULL || frame->currency == NULL || frame->cost_metric == NULL ||
        frame->prices_as_of == NULL || (shown && frame->conversion == NULL)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    return true;
}

bool lone_chart_draw(struct command *c, const char *name, const struct chart_frame *frame,
                     const struct chart_tables *tables, const char *folder)
{
    const char *charts = file_join(c->arena, folder, "charts");
    if (charts == NULL || frame->simulated == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    return charts_draw_one(name, frame, tables, charts, c->d);
}
