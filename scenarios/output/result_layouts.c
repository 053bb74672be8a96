/* SPDX-License-Identifier: GPL-3.0-or-later
 * A column that ends in _CUR holds money of the scenario's currency: the suffix becomes _usd, _cny
 * … */
#include "scenarios/output/result_layouts.h"

#include "scenarios/output/choice_layouts.h"
#include "scenarios/output/commitment_layouts.h"
#include "scenarios/output/cost_layouts.h"
#include "scenarios/output/job_layouts.h"
#include "scenarios/output/layout_columns.h"
#include "scenarios/output/market_layouts.h"
#include "scenarios/output/search_layouts.h"
#include "scenarios/output/sensitivity_layouts.h"
#include "scenarios/output/service_layouts.h"
#include "scenarios/study/metrics.h"

#include <string.h>

static const struct column summary[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload; `all` for all of them together"),
    TEXT("metric", "Name of the metric, as a column of replications.csv"),
    TEXT("unit", "Unit of all numbers in the row"),
    COUNT("n", "Worlds in which the metric exists"),
    COUNT("censored",
          "Worlds whose work was cut off at the horizon, so that only a lower bound is known"),
    IN_UNIT("mean", "Mean over worlds; empty when any value is censored. Of a yes-or-no metric the "
                    "share of ones: the chance, and with censored worlds the least it can be"),
    IN_UNIT("sd", "Standard deviation over worlds; empty when any value is censored"),
    IN_UNIT("min", "Smallest value; empty when a censored one may be"),
    IN_UNIT("p5", "5 % of worlds are at or below: the smallest value of which that is true; empty "
                  "when censoring makes it unknowable, as all that follow"),
    IN_UNIT("p10", "10 % of worlds are at or below"),
    IN_UNIT("p25", "25 % of worlds are at or below"),
    IN_UNIT("p50", "Half of the worlds are at or below: the median"),
    IN_UNIT("p75", "75 % of worlds are at or below"),
    IN_UNIT("p80", "80 % of worlds are at or below"),
    IN_UNIT("p90", "90 % of worlds are at or below"),
    IN_UNIT("p95", "95 % of worlds are at or below"),
    IN_UNIT("p99", "99 % of worlds are at or below"),
    IN_UNIT("max", "Largest value; empty when any value is censored"),
    IN_UNIT("p50_low", "Lower end of the 95 % order-statistic interval of p50"),
    IN_UNIT("p50_high", "Upper end; empty when open"),
    IN_UNIT("p80_low", "Lower end of the 95 % interval of p80"),
    IN_UNIT("p80_high", "Upper end; empty when open"),
    IN_UNIT("p90_low", "Lower end of the 95 % interval of p90"),
    IN_UNIT("p90_high", "Upper end; empty when open"),
    IN_UNIT("p95_low", "Lower end of the 95 % interval of p95"),
    IN_UNIT("p95_high", "Upper end; empty when open"),
    IN_UNIT("p50_at_least", "Sure lower bound of p50 when p50 itself is unknown"),
    IN_UNIT("p80_at_least", "Sure lower bound of p80 when p80 itself is unknown"),
    IN_UNIT("p90_at_least", "Sure lower bound of p90 when p90 itself is unknown"),
    IN_UNIT("p95_at_least", "Sure lower bound of p95 when p95 itself is unknown"),
    IN_UNIT("p50_at_most",
            "Sure upper bound of p50 when p50 itself is unknown; empty when there is none"),
    IN_UNIT("p80_at_most",
            "Sure upper bound of p80 when p80 itself is unknown; empty when there is none"),
    IN_UNIT("p90_at_most",
            "Sure upper bound of p90 when p90 itself is unknown; empty when there is none"),
    IN_UNIT("p95_at_most",
            "Sure upper bound of p95 when p95 itself is unknown; empty when there is none"),
};

static const struct column comparison[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("baseline", "Name of the strategy it is compared with"),
    TEXT("workload", "Name of the workload; `all` for all of them together"),
    TEXT("metric", "Name of the metric"),
    TEXT("unit", "Unit of the difference"),
    COUNT("n", "Worlds in which both values are known"),
    COUNT("left_out",
          "Worlds in which either is not: cut off at the horizon, or without the metric"),
    IN_UNIT("mean_difference",
            "Mean of strategy minus baseline, world by world; empty when any is left out"),
    IN_UNIT("low", "Lower end of its 95 % Student interval"),
    IN_UNIT("high", "Upper end"),
    NUMBER("win_frac", "frac",
           "Share of all worlds with the metric in which the strategy's value is surely the "
           "smaller: one that was cut off never is; less than one that was cut off, surely"),
    NUMBER("tie_frac", "frac", "Share in which both are known and equal"),
    NUMBER("relative_frac", "frac", "Mean difference over the baseline's mean"),
    IN_UNIT("difference_at_least",
            "Sure lower bound of the mean difference when worlds are left out; empty when the mean "
            "is known, or the baseline was cut off in any"),
    IN_UNIT("difference_at_most",
            "Sure upper bound likewise; empty when the strategy was cut off in any"),
    TEXT("rests_on",
         "`savings-plan rate`: one of the two holds Reserved Instances, the other a savings plan "
         "whose rate is assumed from their price, so that nothing is found out about which is the "
         "cheaper; else empty"),
};

static const struct column distribution[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload; `all` for all of them together"),
    TEXT("metric", "cost or time to train, as in summary.csv"),
    IN_UNIT("value", "A value of the empirical distribution, ascending; at most 1,000 of them"),
    NUMBER("cumulative_frac", "frac",
           "Share of worlds at or below it, the bounds of unfinished work taken for values: the "
           "most that the distribution function can be"),
    COUNT("censored", "1: the work was cut off, the value is only a lower bound"),
    NUMBER("finished_frac", "frac",
           "Share of worlds that are finished and at or below it: the least that the distribution "
           "function can be"),
};

static const struct column usage[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload"),
    COUNT("replication", "Number of the strategy's plan world, from 0"),
    TEXT("zone", "Zone of the node"),
    TEXT("instance_type", "Instance type"),
    TEXT("purchase", "Way to buy: on-demand, spot, capacity-block or owned"),
    COUNT("slot", "Place in the workload's gang, from 0"),
    COUNT("launch", "How many nodes held the slot in this pool before"),
    TIME("start", "Launch (UTC, whole seconds)"),
    TIME("end", "End (UTC, whole seconds)"),
    NUMBER("start_s", "s", "Launch, since the scenario's start"),
    NUMBER("end_s", "s", "End, since the scenario's start"),
    NUMBER("useful_s", "s", "Work that was kept"),
    NUMBER("checkpoint_s", "s", "Writing checkpoints"),
    NUMBER("restore_s", "s", "Reading a checkpoint back"),
    NUMBER("boot_s", "s", "From launch to ready"),
    NUMBER("lost_s", "s", "Work done and thrown away"),
    NUMBER("waiting_s", "s", "Held, but idle: for other nodes of the gang"),
    TEXT("end_reason",
         "finished (the work), interrupted (by the cloud), released (by us), horizon "
         "(cut off), cancelled (with the project), budget (stopped at it), failed (hardware)"),
    COUNT("free", "1: not billed, since the cloud interrupted in the first hour"),
    MONEY("cost_CUR",
          "What the node is charged before commitments and discounts, exact: with the `shared` and "
          "`other` lines of lines.csv it adds up to the plan world's cost"),
    NUMBER("staging_s", "s", "Reading the data set, between boot and ready"),
    NUMBER("evaluation_s", "s", "Work stood still for an evaluation"),
    NUMBER("down_s", "s", "From a failure of hardware until somebody or something acted"),
};

static const struct column oracle[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload"),
    COUNT("n", "Worlds compared: of the first `worlds` those in which this strategy did the work "
               "by the deadline, without one by the horizon"),
    COUNT("worlds", "Worlds for which it was found out what hindsight could have done: the first "
                    "so many"),
    NUMBER("oracle_mean_CUR", "CUR",
           "Mean over the `n` worlds of the least that the nodes of any plan in time cost in that "
           "world, on the market's grid and with all of its future known: a lower bound"),
    NUMBER("nodes_mean_CUR", "CUR",
           "Mean over the same worlds of what the strategy's nodes cost: `on_demand_cost_CUR` and "
           "`spot_cost_CUR` of replications.csv"),
    NUMBER("regret_mean_CUR", "CUR", "Mean of nodes less oracle, world by world"),
    NUMBER("regret_p90_CUR", "CUR", "In 90 % of these worlds the regret is at or below"),
    NUMBER("regret_frac", "frac",
           "Mean regret over the mean cost of the nodes: at most such a "
           "share of it could have been saved"),
};

/* The first columns; the metrics of metrics.c follow, then the inputs drawn. */
static const struct column replications[] = {
    TEXT("strategy", "Name of the strategy"),
    TEXT("workload", "Name of the workload; `all` for all of them together"),
    COUNT("replication", "Number of the world, from 0"),
};

#define OWN(table)                                                                                 \
    {                                                                                              \
#table, table, sizeof table / sizeof table[0]                                              \
    }
#define OF(table, TABLE)                                                                           \
    {                                                                                              \
#table, layout_##table, LAYOUT_##TABLE##_COLUMNS                                           \
    }
/* In the order of the manual. */
static const struct layout {
    const char *name;
    const struct column *columns;
    size_t count;
} layouts[] = {
    OWN(summary),
    OWN(comparison),
    OWN(distribution),
    OF(timeline, TIMELINE),
    OF(monthly, MONTHLY),
    OF(lines, LINES),
    OF(quarters, QUARTERS),
    OF(categories, CATEGORIES),
    OF(commitments, COMMITMENTS),
    OF(split, SPLIT),
    OF(commitment_levels, COMMITMENT_LEVELS),
    OWN(oracle),
    OF(break_even, BREAK_EVEN),
    OF(market, MARKET),
    OF(survival, SURVIVAL),
    OF(plan_world, PLAN_WORLD),
    OF(jobs, JOBS),
    OF(utilisation, UTILISATION),
    OF(services, SERVICES),
    OF(hour_of_week, HOUR_OF_WEEK),
    OF(service_hours, SERVICE_HOURS),
    OF(sensitivity, SENSITIVITY),
    OF(information, INFORMATION),
    OF(thresholds, THRESHOLDS),
    OF(candidates, CANDIDATES),
    OF(front, FRONT),
    OF(choice, CHOICE),
    OF(limits, LIMITS),
    OWN(usage),
    OWN(replications),
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

const char *result_layout_name(size_t index)
{
    return index < LAYOUTS ? layouts[index].name : NULL;
}

/* ---- in a currency ---- */

/* "cost_mean_CUR" -> "cost_mean_usd", wherever CUR stands. */
static const char *with_currency(struct arena *a, const char *text, const char *unit)
{
    const char *found = strstr(text, "CUR");
    if (found == NULL) {
        return text;
    }
    const char *rest = with_currency(a, found + 3, unit); /* as deep as there are CURs */
    return rest == NULL ? NULL : arena_format(a, "%.*s%s%s", (int)(found - text), text, unit, rest);
}

static bool translate(struct column *c, struct arena *a, const char *unit)
{
    c->name = with_currency(a, c->name, unit);
    c->unit = with_currency(a, c->unit, unit);
    c->meaning = with_currency(a, c->meaning, unit);
    return c->name != NULL && c->unit != NULL && c->meaning != NULL;
}

/* ---- the metrics as columns ---- */

static bool metric_as_column(struct column *c, enum metric m, const char *currency, struct arena *a)
{
    char name[64], unit[16];
    bool is_money = metric_table[m].kind == METRIC_MONEY;
    *c = (struct column){
        .name = arena_string(a, metric_column(m, currency, name)),
        .unit = arena_string(a, metric_unit(m, currency, unit)),
        .meaning = metric_table[m].meaning,
        .kind = is_money ? COLUMN_MONEY : COLUMN_NUMBER,
        .decimals = is_money ? 2 : -1,
    };
    return c->name != NULL && c->unit != NULL;
}

static const struct layout *find(const char *name)
{
    for (size_t i = 0; i < LAYOUTS; i++) {
        if (strcmp(layouts[i].name, name) == 0) {
            return &layouts[i];
        }
    }
    return NULL;
}

bool result_table_layout(const char *name, const char *currency, struct arena *a,
                         struct result_table_layout *out)
{
    const struct layout *l = find(name);
    if (l == NULL) {
        return false;
    }
    size_t metrics = l->columns == replications ? METRIC_COUNT : 0;
    char unit[16];
    metric_unit(METRIC_COST, currency, unit);
    *out = (struct result_table_layout){.name = l->name, .count = l->count + metrics};
    out->columns = arena_array(a, out->count, sizeof *out->columns);
    bool ok = out->columns != NULL;
    for (size_t i = 0; ok && i < l->count; i++) {
        out->columns[i] = l->columns[i];
        ok = translate(&out->columns[i], a, unit);
    }
    for (size_t m = 0; ok && m < metrics; m++) {
        ok = metric_as_column(&out->columns[l->count + m], (enum metric)m, currency, a);
    }
    return ok;
}
