/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/study/metric_table.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

const struct metric_row metric_table[METRIC_COUNT] = {
    [METRIC_COST] =
        {"cost", NULL, METRIC_MONEY, JOIN_OWN, true,
         "What the plan costs in all: charges that no commitment covers, plus all that its "
         "new commitments sign for"},
    [METRIC_CASH] = {"cash", NULL, METRIC_MONEY, JOIN_OWN, true, "Paid inside the horizon"},
    [METRIC_AMORTISED] = {"amortised", NULL, METRIC_MONEY, JOIN_OWN, true,
                          "Used and unused share of what was bought, inside the horizon"},
    [METRIC_OBLIGATION] = {"obligation", NULL, METRIC_MONEY, JOIN_OWN, false,
                           "Signed in all by new commitments"},
    [METRIC_ON_DEMAND_COST] = {"on_demand_cost", NULL, METRIC_MONEY, JOIN_OWN, true,
                               "Charges for on-demand nodes that no commitment covered"},
    [METRIC_SPOT_COST] = {"spot_cost", NULL, METRIC_MONEY, JOIN_OWN, true,
                          "Charges for spot nodes"},
    [METRIC_TIME_TO_TRAIN] =
        {"time_to_train", "h", METRIC_NUMBER, JOIN_LAST, true,
         "From the scenario's start (whenever the work is submitted) to the end of "
         "the work, waiting included; absent for usage by the clock"},
    [METRIC_FINISHED] = {"finished", "", METRIC_YES_NO, JOIN_ALL, false,
                         "1 when the work was done; the mean is the share of finished worlds; "
                         "absent for usage by the clock"},
    [METRIC_LATE] =
        {"late", "", METRIC_YES_NO, JOIN_ANY, false,
         "1 when the work ended after its deadline, or not at all; absent without deadline"},
    [METRIC_OVER_BUDGET] =
        {"over_budget", "", METRIC_YES_NO, JOIN_OWN, true,
         "1 when the cost of all workloads passed the budget; of a world whose work was cut off "
         "before that it is not known: it counts as 0 and as censored, so that the mean is the "
         "least that the chance can be; absent without budget"},
    [METRIC_INTERRUPTIONS] = {"interruptions", "", METRIC_NUMBER, JOIN_SUM, true,
                              "Nodes that the cloud took back"},
    [METRIC_LAUNCHES] = {"launches", "", METRIC_NUMBER, JOIN_SUM, true, "Nodes launched"},
    [METRIC_LOSSES] = {"losses", "", METRIC_NUMBER, JOIN_SUM, true,
                       "Times a whole gang lost one node or more"},
    [METRIC_RESTARTS] = {"restarts", "", METRIC_NUMBER, JOIN_SUM, true,
                         "Restores of a checkpoint begun after a loss or a move"},
    [METRIC_SWITCHES] = {"switches", "", METRIC_NUMBER, JOIN_SUM, true,
                         "Planned moves of a gang to another pool"},
    [METRIC_CHECKPOINTS] = {"checkpoints", "", METRIC_NUMBER, JOIN_SUM, true,
                            "Checkpoints written in whole"},
    [METRIC_USEFUL] = {"useful_node", "h", METRIC_NUMBER, JOIN_SUM, true,
                       "Node-hours of work that was kept"},
    [METRIC_CHECKPOINT] = {"checkpoint_node", "h", METRIC_NUMBER, JOIN_SUM, true,
                           "Node-hours spent writing checkpoints"},
    [METRIC_RESTORE] = {"restore_node", "h", METRIC_NUMBER, JOIN_SUM, true,
                        "Node-hours spent reading a checkpoint back"},
    [METRIC_BOOT] = {"boot_node", "h", METRIC_NUMBER, JOIN_SUM, true,
                     "Node-hours from launch to ready"},
    [METRIC_LOST] =
        {"lost_node", "h", METRIC_NUMBER, JOIN_SUM, true,
         "Node-hours of work that no checkpoint held when the gang was lost or cut off"},
    [METRIC_WAITING] = {"waiting_node", "h", METRIC_NUMBER, JOIN_SUM, true,
                        "Node-hours held, but idle: for other nodes of the gang"},
    [METRIC_NODE_HOURS] = {"all_node", "h", METRIC_NUMBER, JOIN_SUM, true,
                           "Node-hours held in all, billed or not"},
    [METRIC_SPOT_NODE_HOURS] = {"spot_node", "h", METRIC_NUMBER, JOIN_SUM, true,
                                "Node-hours held on spot, billed or not"},
    [METRIC_FREE_NODE_HOURS] =
        {"free_node", "h", METRIC_NUMBER, JOIN_SUM, true,
         "Node-hours on spot that were free, since the cloud interrupted in the "
         "first hour"},
    [METRIC_IDLE] = {"idle", "h", METRIC_NUMBER, JOIN_SUM, true,
                     "Hours in which nodes were wanted and none was held"},
    [METRIC_GOODPUT] = {"goodput", "frac", METRIC_NUMBER, JOIN_OWN, false,
                        "Share of all node-hours that was useful, up to the horizon where the work "
                        "was cut off; absent when no node ran"},
    [METRIC_COVERED] = {"covered", NULL, METRIC_MONEY, JOIN_OWN, true,
                        "Worth, at on-demand prices, of the usage that commitments covered"},
    [METRIC_COMMITMENT_USED] = {"commitment_used", NULL, METRIC_MONEY, JOIN_OWN, true,
                                "Cost of commitments as far as usage took them up"},
    [METRIC_COMMITMENT_UNUSED] = {"commitment_unused", NULL, METRIC_MONEY, JOIN_OWN, false,
                                  "Cost of commitments inside the horizon that no usage took up"},
    [METRIC_COMMITMENT_LATER] =
        {"commitment_later", NULL, METRIC_MONEY, JOIN_OWN, false,
         "Cost of commitments after the horizon, less the share stated to be "
         "of use elsewhere"},
    [METRIC_OTHER_COST] = {"other_cost", NULL, METRIC_MONEY, JOIN_OWN, true,
                           "Charges beside nodes and commitments: storage, data transfer, NAT, "
                           "fees, support and tax; discounts are not taken off"},
    [METRIC_DISCOUNT] = {"discount", NULL, METRIC_MONEY, JOIN_OWN, true,
                         "Negotiated discounts and credits, taken off all these"},
    [METRIC_BLOCK_USED] = {"block_used", NULL, METRIC_MONEY, JOIN_OWN, true,
                           "Price of capacity blocks as far as nodes ran in them"},
    [METRIC_BLOCK_UNUSED] = {"block_unused", NULL, METRIC_MONEY, JOIN_OWN, false,
                             "Price of capacity blocks in which no node ran: the last half hour, "
                             "and what the work did not need"},
    [METRIC_DISPLACED] =
        {"displaced", NULL, METRIC_MONEY, JOIN_OWN, false,
         "By how much others in the account pay more on demand than without the plan: cover that "
         "it takes from them, less what its own commitments cover of theirs (negative: a saving)"},
    [METRIC_CANCELLED] =
        {"cancelled", "", METRIC_YES_NO, JOIN_ANY, false,
         "1 when the project was cancelled before the work was done: its cost is final, and it has "
         "neither a time nor a lateness, nor does it count as not finished; absent without "
         "`cancel`"},
    [METRIC_NEEDED] =
        {"needed_node", "h", METRIC_NUMBER, JOIN_SUM, false,
         "Node-hours needed by the clock (kinds `usage` and `notebooks`); absent without such a "
         "workload, as the three after it"},
    [METRIC_SERVED] = {"served_node", "h", METRIC_NUMBER, JOIN_SUM, false,
                       "Those of them for which a node had booted and was held"},
    [METRIC_UNMET] = {"unmet_node", "h", METRIC_NUMBER, JOIN_SUM, false,
                      "Those of them for which none was: booting, or not to be had"},
    [METRIC_SERVED_SHARE] = {"served", "frac", METRIC_NUMBER, JOIN_OWN, false,
                             "Served of needed node-hours; absent when none was needed"},
    [METRIC_OWNED_CAPITAL] = {"owned_capital", NULL, METRIC_MONEY, JOIN_OWN, false,
                              "Price of owned hardware, less the share of what is not written off "
                              "at the horizon that is stated to be of use elsewhere"},
    [METRIC_OWNED_POWER] = {"owned_power", NULL, METRIC_MONEY, JOIN_OWN, true,
                            "Power of owned nodes while they ran"},
    [METRIC_OWNED_STAFF] = {"owned_staff", NULL, METRIC_MONEY, JOIN_OWN, false,
                            "People who run owned hardware, up to the horizon"},
    [METRIC_OWNED_COLOCATION] = {"owned_colocation", NULL, METRIC_MONEY, JOIN_OWN, false,
                                 "Space and service for owned hardware, up to the horizon"},
    [METRIC_RESERVATION_IDLE] =
        {"reservation_idle", NULL, METRIC_MONEY, JOIN_OWN, false,
         "Capacity reserved on demand in which nothing ran, at on-demand prices, less what "
         "commitments cover of it"},
    [METRIC_MAKESPAN] =
        {"makespan", "h", METRIC_NUMBER, JOIN_OWN, true,
         "From when the work is handed in (with `after`: what it waits for is done) to its end; of "
         "`all` from when the first of them is handed in to when the last is done; absent for "
         "usage by the clock"},
    [METRIC_BEYOND_TRACE] =
        {"beyond_trace", "", METRIC_YES_NO, JOIN_ANY, false,
         "1 when the work went on after a trace of its pools had ended (`wrap: no`): what happened "
         "then rests on no data; absent where no trace ends"},
    [METRIC_JOBS] = {"jobs", "", METRIC_NUMBER, JOIN_SUM, true,
                     "Jobs that came (`kind: jobs`, `kind: trials`); absent without such a "
                     "workload, as the nine after it"},
    [METRIC_JOBS_DONE] = {"jobs_done", "", METRIC_NUMBER, JOIN_SUM, true,
                          "Those of them that are done; trials that were given up early included"},
    [METRIC_JOBS_WAITED] = {"jobs_waited", "frac", METRIC_NUMBER, JOIN_OWN, false,
                            "Share of them that did not run at once"},
    [METRIC_WAIT_MEAN] =
        {"wait_mean", "h", METRIC_NUMBER, JOIN_OWN, true,
         "Mean time from when a job comes to when it first runs; of those that have not run, up to "
         "the end"},
    [METRIC_WAIT_P50] = {"wait_p50", "h", METRIC_NUMBER, JOIN_OWN, true,
                         "In this world half of the jobs waited no longer; of `all` with several "
                         "such workloads absent, as all quantiles over jobs"},
    [METRIC_WAIT_P95] = {"wait_p95", "h", METRIC_NUMBER, JOIN_OWN, true,
                         "In this world 95 % of the jobs waited no longer"},
    [METRIC_WAIT_MAX] = {"wait_max", "h", METRIC_NUMBER, JOIN_LAST, true, "Longest wait of a job"},
    [METRIC_TURNAROUND_MEAN] = {"turnaround_mean", "h", METRIC_NUMBER, JOIN_OWN, true,
                                "Mean time from when a job comes to when it is done"},
    [METRIC_TURNAROUND_P95] = {"turnaround_p95", "h", METRIC_NUMBER, JOIN_OWN, true,
                               "In this world 95 % of the jobs were done in that time"},
    [METRIC_UTILISATION] =
        {"utilisation", "frac", METRIC_NUMBER, JOIN_OWN, false,
         "Share of the nodes of the strategy's first way to buy, held or not, that jobs ran on, "
         "from the workload's beginning to its end"},
    [METRIC_FAILURES] = {"failures", "", METRIC_NUMBER, JOIN_SUM, true,
                         "Nodes whose hardware failed, which is no interruption; absent where no "
                         "workload has `failures`"},
    [METRIC_STAGING] = {"staging_node", "h", METRIC_NUMBER, JOIN_SUM, true,
                        "Node-hours spent reading the data set before a node is ready"},
    [METRIC_EVALUATION] = {"evaluation_node", "h", METRIC_NUMBER, JOIN_SUM, true,
                           "Node-hours in which work stood still for an evaluation"},
    [METRIC_DOWN] = {"down_node", "h", METRIC_NUMBER, JOIN_SUM, true,
                     "Node-hours from a failure of hardware until somebody or something acted"},
    [METRIC_EFFECTIVE_TIME] =
        {"effective_time", "frac", METRIC_NUMBER, JOIN_ALL, false,
         "Effective training time ratio: useful time of the gang over the time from when "
         "it is handed in to the end of the work, waiting included (up to the horizon where it was "
         "cut "
         "off); of `all` the least of its workloads; absent for usage by the clock, and of "
         "work that took no time"},
    [METRIC_REQUESTS] =
        {"requests", "", METRIC_NUMBER, JOIN_SUM, false,
         "Requests that came to a service (`kind: inference`), as all after it only those from "
         "`measure_from` on; absent without a service, as all after it"},
    [METRIC_REQUESTS_SERVED] = {"requests_served", "", METRIC_NUMBER, JOIN_SUM, false,
                                "Those that were served to their end"},
    [METRIC_REQUESTS_DROPPED] = {"requests_dropped", "", METRIC_NUMBER, JOIN_SUM, false,
                                 "Those that found the queue full"},
    [METRIC_REQUESTS_TIMED_OUT] = {"requests_timed_out", "", METRIC_NUMBER, JOIN_SUM, false,
                                   "Those that waited longer than `timeout`"},
    [METRIC_REQUESTS_LOST] = {"requests_lost", "", METRIC_NUMBER, JOIN_SUM, false,
                              "Those whose replica vanished under them"},
    [METRIC_REQUESTS_LEFT] = {"requests_left", "", METRIC_NUMBER, JOIN_SUM, false,
                              "Those still waiting or served at the end; they, and "
                              "`requests_rejected`, add up to `requests`"},
    [METRIC_RETRIES] = {"request_retries", "", METRIC_NUMBER, JOIN_SUM, false,
                        "Times that a request was sent again"},
    [METRIC_LATENCY_MEAN] = {"latency_mean", "s", METRIC_NUMBER, JOIN_OWN, false,
                             "Mean time from arrival to end of the requests served"},
    [METRIC_LATENCY_P50] = {"latency_p50", "s", METRIC_NUMBER, JOIN_OWN, false,
                            "In this world half of the requests served took no longer; of `all` "
                            "with several services absent, as all quantiles over requests"},
    [METRIC_LATENCY_P90] = {"latency_p90", "s", METRIC_NUMBER, JOIN_OWN, false,
                            "In this world 90 % of them took no longer"},
    [METRIC_LATENCY_P95] = {"latency_p95", "s", METRIC_NUMBER, JOIN_OWN, false,
                            "In this world 95 % of them took no longer"},
    [METRIC_LATENCY_P99] = {"latency_p99", "s", METRIC_NUMBER, JOIN_OWN, false,
                            "In this world 99 % of them took no longer"},
    [METRIC_REQUEST_WAIT_MEAN] = {"request_wait_mean", "s", METRIC_NUMBER, JOIN_OWN, false,
                                  "Mean time from arrival to the begin of service"},
    [METRIC_REQUEST_WAIT_P95] = {"request_wait_p95", "s", METRIC_NUMBER, JOIN_OWN, false,
                                 "In this world 95 % of the requests served waited no longer"},
    [METRIC_REQUESTS_WAITED] = {"requests_waited", "frac", METRIC_NUMBER, JOIN_OWN, false,
                                "Share of the requests served that did not begin at once"},
    [METRIC_SLO_ATTAINED] =
        {"slo_attained", "frac", METRIC_NUMBER, JOIN_OWN, false,
         "Share of all requests that were served within `slo`: one that is dropped, timed out, "
         "lost or left is not; absent where none is stated, or none came"},
    [METRIC_REPLICA_HOURS] = {"replica", "h", METRIC_NUMBER, JOIN_SUM, false,
                              "Hours of replicas that were ready to serve, or ended what they "
                              "served"},
    [METRIC_REPLICA_BUSY] = {"replica_busy", "frac", METRIC_NUMBER, JOIN_OWN, false,
                             "Share of their slots that was busy"},
    [METRIC_REQUESTS_INSIDE] = {"requests_inside", "", METRIC_NUMBER, JOIN_SUM, false,
                                "Requests that wait or are served, on average over time"},
    [METRIC_PER_1000_REQUESTS] =
        {"per_1000_requests", METRIC_UNIT_CURRENCY, METRIC_NUMBER, JOIN_OWN, false,
         "Cost of the workload over the thousands of requests served, at the load that came; "
         "with `measure_from` those before it are not counted, though they cost"},
    [METRIC_RESIZES] = {"resizes", "", METRIC_NUMBER, JOIN_SUM, true,
                        "Times nodes joined or left an elastic job that worked on"},
    [METRIC_MEAN_NODES] =
        {"mean_nodes", "", METRIC_NUMBER, JOIN_SUM, false,
         "Nodes held on average from the submission of the work to its end; absent for usage by "
         "the clock"},
    [METRIC_REQUESTS_REJECTED] = {"requests_rejected", "", METRIC_NUMBER, JOIN_SUM, false,
                                  "Those longer than the cache of any replica, or than `context`, "
                                  "and those that `admission` "
                                  "turned away: refused at once"},
    [METRIC_TTFT_MEAN] =
        {"ttft_mean", "s", METRIC_NUMBER, JOIN_OWN, false,
         "Of a language model: mean time from arrival to the first token of the requests served"},
    [METRIC_TTFT_P50] =
        {"ttft_p50", "s", METRIC_NUMBER, JOIN_OWN, false,
         "In this world half of the requests served had their first token no later"},
    [METRIC_TTFT_P90] =
        {"ttft_p90", "s", METRIC_NUMBER, JOIN_OWN, false,
         "In this world 90 % of the requests served had their first token no later"},
    [METRIC_TTFT_P95] =
        {"ttft_p95", "s", METRIC_NUMBER, JOIN_OWN, false,
         "In this world 95 % of the requests served had their first token no later"},
    [METRIC_TTFT_P99] =
        {"ttft_p99", "s", METRIC_NUMBER, JOIN_OWN, false,
         "In this world 99 % of the requests served had their first token no later"},
    [METRIC_TPOT_MEAN] =
        {"tpot_mean", "s", METRIC_NUMBER, JOIN_OWN, false,
         "Likewise: mean over the requests served of the time of each token after the first"},
    [METRIC_TPOT_P50] =
        {"tpot_p50", "s", METRIC_NUMBER, JOIN_OWN, false,
         "In this world the tokens of half of them took no longer, each on average"},
    [METRIC_TPOT_P90] =
        {"tpot_p90", "s", METRIC_NUMBER, JOIN_OWN, false,
         "In this world the tokens of 90 % of them took no longer, each on average"},
    [METRIC_TPOT_P95] =
        {"tpot_p95", "s", METRIC_NUMBER, JOIN_OWN, false,
         "In this world the tokens of 95 % of them took no longer, each on average"},
    [METRIC_TPOT_P99] =
        {"tpot_p99", "s", METRIC_NUMBER, JOIN_OWN, false,
         "In this world the tokens of 99 % of them took no longer, each on average"},
    [METRIC_PROMPT_TOKENS] =
        {"prompt_tokens", "", METRIC_NUMBER, JOIN_SUM, false,
         "Tokens of the prompts of the requests served, those found in the prefix cache too"},
    [METRIC_OUTPUT_TOKENS] = {"output_tokens", "", METRIC_NUMBER, JOIN_SUM, false,
                              "Tokens of their outputs"},
    [METRIC_OUTPUT_TOKEN_RATE] = {"tokens", "per_s", METRIC_NUMBER, JOIN_SUM, false,
                                  "Tokens of output a second, on average over the time measured"},
    [METRIC_PER_MILLION_OUTPUT_TOKENS] =
        {"per_million_output_tokens", METRIC_UNIT_CURRENCY, METRIC_NUMBER, JOIN_OWN, false,
         "Cost of the workload over the millions of tokens of output, at the load that came"},
    [METRIC_PER_MILLION_TOKENS] = {"per_million_tokens", METRIC_UNIT_CURRENCY, METRIC_NUMBER,
                                   JOIN_OWN, false,
                                   "Likewise over the tokens of prompts and outputs together"},
    [METRIC_EVICTIONS] = {"evictions", "", METRIC_NUMBER, JOIN_SUM, false,
                          "Times a request lost its place in a full cache, and was computed anew"},
    [METRIC_SESSIONS] = {"sessions", "", METRIC_NUMBER, JOIN_SUM, false,
                         "Sessions in which people worked on their machines (`kind: notebooks`); "
                         "absent without such, as all after it of sessions"},
    [METRIC_SESSIONS_FORGOTTEN] = {"sessions_forgotten", "", METRIC_NUMBER, JOIN_SUM, false,
                                   "Those after which the machine was left on"},
    [METRIC_FORGOTTEN_NODE_HOURS] =
        {"forgotten_node", "h", METRIC_NUMBER, JOIN_SUM, false,
         "Node-hours of machines that were left on: what is held beside `useful_node_h` and boots"},
    [METRIC_FORGOTTEN_COST] =
        {"forgotten_cost", METRIC_UNIT_CURRENCY, METRIC_NUMBER, JOIN_SUM, false,
         "What they cost, before what commitments cover: what is `waiting` in lines.csv"},
    [METRIC_SESSION_WAIT_MEAN] = {"session_wait_mean", "s", METRIC_NUMBER, JOIN_OWN, false,
                                  "Mean time of a session that a person waits for the machine"},
    [METRIC_ITEMS] = {"items", "", METRIC_NUMBER, JOIN_SUM, false,
                      "Items to be worked off (`kind: batch`); absent without such, as all after "
                      "it of items"},
    [METRIC_ITEMS_DONE] = {"items_done", "", METRIC_NUMBER, JOIN_SUM, false,
                           "Those that are done, inside the horizon"},
    [METRIC_ITEMS_REDONE] = {"items_redone", "", METRIC_NUMBER, JOIN_SUM, false,
                             "Items worked on in vain, since the node was gone before their chunk "
                             "was done; in node-hours: `lost_node_h`"},
    [METRIC_PER_MILLION_ITEMS] = {"per_million_items", METRIC_UNIT_CURRENCY, METRIC_NUMBER,
                                  JOIN_OWN, false,
                                  "Cost of the workload over the millions of items done"},
    [METRIC_IDLE_COST] =
        {"idle_capacity", METRIC_UNIT_CURRENCY, METRIC_NUMBER, JOIN_OWN, false,
         "What a service's nodes are charged, before commitments and discounts, for time in which "
         "they had booted and served nothing: free slots, replicas that were not wanted, drains. "
         "By the hours, at the average price of the workload's nodes. A shared fleet's (`kind: "
         "fleet`) "
         "is in its own row, and split over its services in theirs (docs/models.md); of `all` it "
         "counts once"},
    [METRIC_COLD_START_COST] =
        {"cold_starts", METRIC_UNIT_CURRENCY, METRIC_NUMBER, JOIN_OWN, false,
         "What a service's nodes are charged while they boot, and while replicas load on them, as "
         "`idle_capacity`"},
    [METRIC_SHARED_NODES_COST] =
        {"shared_nodes", NULL, METRIC_MONEY, JOIN_OWN, false,
         "Of a service on shared nodes (`fleet`): its share of the cost of that workload (`kind: "
         "fleet`), by the time that its replicas took of the nodes; beside its own cost, and in "
         "what "
         "it costs per request and token. The shares add up to that cost"},
    [METRIC_SHARED_NODE_HOURS] =
        {"shared_node", "h", METRIC_NUMBER, JOIN_SUM, false,
         "Node-hours that its replicas took of shared nodes, each by its share of a node; absent "
         "without such"},
    [METRIC_SLO_HOURS] =
        {"slo_hours", "frac", METRIC_NUMBER, JOIN_ALL, false,
         "Share of the hours of the scenario in which the share of a service's requests that `slo` "
         "asks for (`share`, 95 %) was within it, of those in which any ended, however, or in "
         "which more came than could be served; from the first that begins at `measure_from` or "
         "later; of `all` the least of its services; absent where no `slo` is stated"},
    [METRIC_OVERLOADED] =
        {"overloaded", "h", METRIC_NUMBER, JOIN_ANY, false,
         "Hours of the scenario, the same, in which a service was overloaded (as `services.csv` "
         "has "
         "it, for whole hours): latencies of this world are of no steady state where it is not "
         "0; of `all` the most of its services"},
};

static const char *lower_currency(const char *currency, char out[16])
{
    size_t i = 0;
    for (; currency[i] != '\0' && i < 15; i++) {
        out[i] = (char)tolower((unsigned char)currency[i]);
    }
    out[i] = '\0';
    return out;
}

bool metric_in_currency(enum metric m)
{
    return metric_table[m].kind == METRIC_MONEY ||
           strcmp(metric_table[m].unit, METRIC_UNIT_CURRENCY) == 0;
}

const char *metric_unit(enum metric m, const char *currency, char out[16])
{
    if (metric_in_currency(m)) {
        return lower_currency(currency, out);
    }
    snprintf(out, 16, "%s", metric_table[m].unit);
    return out;
}

const char *metric_column(enum metric m, const char *currency, char out[64])
{
    char unit[16];
    metric_unit(m, currency, unit);
    snprintf(out, 64, "%s%s%s", metric_table[m].name, unit[0] != '\0' ? "_" : "", unit);
    return out;
}
