/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/precision.h"

#include "engine/statistics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "cost_usd.p90": the metric's column and a percentile. */
static bool parse(const char *text, const char *currency, enum metric *metric, double *quantile)
{
    const char *dot = strrchr(text, '.');
    if (dot == NULL || dot[1] != 'p') {
        return false;
    }
    char *end = NULL;
    double percent = strtod(dot + 2, &end);
    if (end == dot + 2 || *end != '\0' || !(percent > 0 && percent < 100)) {
        return false;
    }
    *quantile = percent / 100;
    for (int m = 0; m < METRIC_COUNT; m++) {
        char name[64];
        metric_column((enum metric)m, currency, name);
        if (strlen(name) == (size_t)(dot - text) && strncmp(name, text, strlen(name)) == 0) {
            *metric = (enum metric)m;
            return true;
        }
    }
    return false;
}

bool precision_target_from(struct precision_target *t, const struct study *s, struct diagnostics *d)
{
    const struct scenario *sc = s->scenario;
    char fallback[64];
    snprintf(fallback, sizeof fallback, "%s", "");
    const char *text = sc->precision_of;
    if (text == NULL) {
        metric_column(METRIC_COST, sc->currency, fallback);
        strncat(fallback, ".p90", sizeof fallback - strlen(fallback) - 1);
        text = fallback;
    }
    t->share = sc->precision.median;
    if (!parse(text, sc->currency, &t->metric, &t->quantile)) {
        char cost[64];
        diagnostics_add(d, DIAGNOSTIC_ERROR, sc->item.place,
                        "precision_of '%s' is not a metric and its quantile; expected such as "
                        "'%s.p90' or 'time_to_train_h.p50'",
                        text, metric_column(METRIC_COST, sc->currency, cost));
        return false;
    }
    return true;
}

double precision_worst(const struct precision_target *t, const struct results *r)
{
    double *values = malloc((r->replications + 1) * sizeof *values);
    unsigned char *censored = malloc(r->replications + 1);
    double worst = 0;
    for (size_t k = 0; k < r->strategies; k++) {
        struct sample *s = NULL;
        if (values != NULL && censored != NULL) {
            results_column(r, k, r->workloads, t->metric, values, censored);
            s = sample_new(values, censored, r->replications);
        }
        if (s == NULL) {
            worst = HUGE_VAL;
            break;
        }
        struct quantile q = sample_quantile(s, t->quantile, 0.95);
        worst = fmax(worst, quantile_precision(&q));
        sample_free(s);
    }
    free(values);
    free(censored);
    return worst;
}
