/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/host_split.h"

#include "scenarios/study/service_metrics.h"

#include <math.h>
#include <stdlib.h>

bool host_split_init(struct host_split *h, size_t workloads)
{
    *h = (struct host_split){.workloads = workloads,
                             .weights = calloc(workloads + 1, sizeof *h->weights),
                             .parts = calloc(workloads + 1, sizeof *h->parts),
                             .scratch = calloc(workloads + 1, sizeof *h->scratch)};
    return h->weights != NULL && h->parts != NULL && h->scratch != NULL;
}

void host_split_release(struct host_split *h)
{
    free(h->weights);
    free(h->parts);
    free(h->scratch);
}

static bool stands_on(const struct work_result *r, size_t host)
{
    return r->hosted && r->host == host;
}

static money_t weight_of(double node_s)
{
    return (money_t)llround(fmin(1e6 * fmax(0, node_s), 9e18));
}

/* By weights that are set, evenly over those who stand on it when all are none. */
static bool split(struct host_split *h, const struct work_result *works, size_t host,
                  money_t amount)
{
    if (money_split(amount, h->weights, h->workloads, h->parts, h->scratch)) {
        return true;
    }
    for (size_t w = 0; w < h->workloads; w++) {
        h->weights[w] = stands_on(&works[w], host);
    }
    return money_split(amount, h->weights, h->workloads, h->parts, h->scratch);
}

static void weigh_by_time(struct host_split *h, const struct work_result *works, size_t host)
{
    for (size_t w = 0; w < h->workloads; w++) {
        h->weights[w] = stands_on(&works[w], host) ? weight_of(works[w].hosted_node_s) : 0;
    }
}

bool host_split_amount(struct host_split *h, const struct work_result *works, size_t host,
                       money_t amount)
{
    weigh_by_time(h, works, host);
    return split(h, works, host, amount);
}

/* ---- in vain ---- */

/* Node-seconds of all who stand on it. */
struct host_time {
    double taken_s, busy_s, loading_s;
};

static struct host_time time_of(const struct work_result *works, size_t count, size_t host)
{
    struct host_time t = {0, 0, 0};
    for (size_t w = 0; w < count; w++) {
        if (stands_on(&works[w], host) && works[w].service != NULL) {
            t.taken_s += works[w].hosted_node_s;
            t.busy_s += works[w].service->busy_node_s;
            t.loading_s += works[w].service->loading_node_s;
        }
    }
    return t;
}

static void add_parts(const struct host_split *h, const struct work_result *works, size_t host,
                      struct metric_cells *cells, enum metric m)
{
    for (size_t w = 0; w < h->workloads; w++) {
        if (stands_on(&works[w], host)) {
            double *to = &cells[w].value[m].number;
            *to = (isnan(*to) ? 0 : *to) + money_to_double(h->parts[w]);
        }
    }
}

static money_t nano_of(double amount)
{
    return (money_t)llround(fmin(amount, 9e9) * 1e9);
}

void host_split_vain(struct host_split *h, const struct work_result *works, size_t host,
                     struct metric_cells *cells)
{
    const struct host_time all = time_of(works, h->workloads, host);
    const struct vain_cost vain = service_metrics_vain(&cells[host], all.busy_s, all.loading_s);
    const money_t boot = nano_of(vain.boot), loading = nano_of(vain.loading),
                  idle = nano_of(vain.idle);
    cells[host].value[METRIC_COLD_START_COST].number = money_to_double(boot + loading);
    cells[host].value[METRIC_IDLE_COST].number = money_to_double(idle);
    if (!host_split_amount(h, works, host, boot)) {
        return; /* nobody bears it */
    }
    add_parts(h, works, host, cells, METRIC_COLD_START_COST);
    for (size_t w = 0; w < h->workloads; w++) {
        const struct work_service *s = works[w].service;
        h->weights[w] = stands_on(&works[w], host) && s != NULL ? weight_of(s->loading_node_s) : 0;
    }
    (void)split(h, works, host, loading);
    add_parts(h, works, host, cells, METRIC_COLD_START_COST);
    const double nobodys_s = fmax(0, vain.up_s - all.taken_s);
    for (size_t w = 0; w < h->workloads; w++) {
        const struct work_service *s = works[w].service;
        const double taken_s = works[w].hosted_node_s;
        h->weights[w] = 0;
        if (stands_on(&works[w], host) && s != NULL) {
            const double own_s = fmax(0, taken_s - s->busy_node_s - s->loading_node_s);
            h->weights[w] =
                weight_of(own_s + (all.taken_s > 0 ? nobodys_s * taken_s / all.taken_s : 0));
        }
    }
    (void)split(h, works, host, idle);
    add_parts(h, works, host, cells, METRIC_IDLE_COST);
}
