/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/precision.h"

#include "engine/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "cost_usd.p90" taken apart; the point is where the metric's name ends. */
struct wanted {
    const char *text;
    size_t name_length;
    double quantile;
};

/* "p90", "p99.5": digits with at most one point among them, between 0 and 100. */
static bool parse_percentile(const char *text, double *quantile)
{
    size_t length = strlen(text);
    size_t digits = text[0] == 'p' ? strspn(text + 1, "0123456789.") : 0;
    if (digits == 0 || digits + 1 != length || text[1] == '.' || text[length - 1] == '.' ||
        strchr(text + 1, '.') != strrchr(text + 1, '.')) {
        return false;
    }
    *quantile = strtod(text + 1, NULL) / 100;
    return *quantile > 0 && *quantile < 1;
}

/* The metric's name ends at the first point: none of them holds one. */
static bool take_apart(struct wanted *w, const char *text)
{
    const char *dot = strchr(text, '.');
    *w = (struct wanted){.text = text, .name_length = dot == NULL ? 0 : (size_t)(dot - text)};
    return dot != NULL && parse_percentile(dot + 1, &w->quantile);
}

static int find_metric(const struct wanted *w, const char *currency)
{
    for (int m = 0; m < METRIC_COUNT; m++) {
        char name[64];
        metric_column((enum metric)m, currency, name);
        if (strlen(name) == w->name_length && memcmp(name, w->text, w->name_length) == 0) {
            return m;
        }
    }
    return -1;
}

static void refuse(const struct study *s, struct diagnostics *d, const char *text)
{
    const char *currency = s->scenario->currency;
    char cost[64], time[64];
    diagnostics_add(d, DIAGNOSTIC_ERROR, scenario_place(s->scenario, "precision_of"),
                    "precision_of '%s' is not a metric and its quantile; expected such as "
                    "'%s.p90' or '%s.p50'",
                    text, metric_column(METRIC_COST, currency, cost),
                    metric_column(METRIC_TIME_TO_TRAIN, currency, time));
}

bool precision_target_from(struct precision_target *t, const struct study *s, struct diagnostics *d)
{
    const struct scenario *sc = s->scenario;
    struct wanted w;
    if (sc->precision_of == NULL) {
        *t = (struct precision_target){METRIC_COST, 0.9, sc->precision.median};
        return true;
    }
    if (!take_apart(&w, sc->precision_of)) {
        refuse(s, d, sc->precision_of);
        return false;
    }
    int metric = find_metric(&w, sc->currency);
    if (metric < 0) {
        refuse(s, d, sc->precision_of);
        return false;
    }
    if (metric_table[metric].kind == METRIC_YES_NO) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, scenario_place(sc, "precision_of"),
                        "precision_of '%s': '%s' is yes or no in each world and has no quantiles; "
                        "choose a cost or a time",
                        sc->precision_of, metric_table[metric].name);
        return false;
    }
    *t = (struct precision_target){(enum metric)metric, w.quantile, sc->precision.median};
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
