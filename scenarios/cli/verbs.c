/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/verbs.h"

#include "engine/text.h"
#include "scenarios/import/importer.h"

#include <stdint.h>
#include <string.h>

const char *const show_topics[] = {"instances", "prices", "spot",     "reserved",
                                   "savings",   "blocks", "regions",  "defaults",
                                   "trace",     "models", "requests", NULL};
const char *const help_topics[] = {"keys", "paths", "output", "man", NULL};
static const char *const calibrate_topics[] = {"spot", NULL};
const char *const completion_shells[] = {"bash", NULL};

const struct help_row exit_code_rows[] = {
    {"0", "done"},
    {"1", "failure while running: input or output, memory"},
    {"2", "the command line or the scenario is wrong"},
    {"3", "a limit that was to be kept is broken, or not known to be kept"},
    {"4", "infeasible: it does not fit, or there is no such offer"},
    {"5", "some strategy finished its work in none of the simulated worlds"},
    {"130", "interrupted; all worlds up to that point are written and marked as partial"},
    {NULL, NULL},
};

/* A list of rows; its order is that of enum verb_id. */
const struct verb verb_table[VERB_COUNT] = {
    [VERB_CHECK] =
        {.name = "check",
         .operands = "SCENARIO...",
         .least = 1,
         .most = SIZE_MAX,
         .summary = "validate a scenario and show what it means",
         .text =
             "Reads the scenario, tells all that is wrong with it at once, and shows for every "
             "strategy and workload what will be simulated: nodes, policy, speed, checkpoint "
             "interval, the commitments with what they sign for and how much of them must be "
             "used, the prices found with their date and source, and all that is assumed. "
             "Nothing is simulated and nothing is written. As csv or json: the figures behind each "
             "plan, such as the terms of GPU memory, one a row.",
         .examples = {{"fleetcast check scenarios/quickstart.yaml", "validate one file"},
                      {"fleetcast check base.yaml spring.yaml",
                       "lay the second file over the first"},
                      {"fleetcast check plan.yaml --set start=2025-03-01",
                       "ask what another start would mean"}},
         .run = cmd_check},
    [VERB_RUN] =
        {.name = "run",
         .operands = "SCENARIO...",
         .least = 1,
         .most = SIZE_MAX,
         .summary = "simulate all strategies, compare them, write results and charts",
         .text =
             "Simulates every strategy in the same random worlds, prints how cost and time to "
             "train are distributed and how each strategy compares with the baseline, and writes "
             "all results as CSV files and charts into a directory. Several files are laid over "
             "each other, later ones win; - is standard input.\n\n"
             "The same scenario and seed give the same files, to the last byte, at any number of "
             "threads; timings in manifest.json excepted. After Ctrl-C all complete worlds are "
             "written and marked as partial; a second Ctrl-C ends the program at once.",
         .examples = {{"fleetcast run scenarios/quickstart.yaml", "the results and their charts"},
                      {"fleetcast run plan.yaml --replications 20000 --seed 7 -o results/plan",
                       "more worlds, another seed, another directory"},
                      {"fleetcast run plan.yaml --strategy spot --print cost_usd.p90",
                       "one bare value, for scripts"}},
         .run = cmd_run},
    [VERB_SHOW] =
        {.name = "show",
         .operands = "instances|prices|spot|reserved|savings|blocks|regions|defaults [PATTERN] | "
                     "trace FILE | requests FILE",
         .least = 1,
         .most = 2,
         .words = show_topics,
         .summary = "look into the catalogue, or list the default of every key",
         .text =
             "Prints instance types, on-demand prices, spot prices, offers of reserved instances, "
             "savings-plan rates, prices of capacity blocks, regions or published models of the "
             "catalogue, each row "
             "with its date and "
             "source, or the keys of a scenario with their defaults. Reserved offers, rates "
             "and blocks have beside them the on-demand price and the mean spot price, and the "
             "share of hours "
             "that must be used for the offer to cost less: break_even_frac. A rate whose basis is "
             "as-reserved is not known, but "
             "assumed from the reserved price. A block's price "
             "without a "
             "region was published for most regions at once. "
             "models: the published models that `model:` of a training workload knows by name. "
             "trace: the statistics of a table of observations or lifetimes that `fleetcast "
             "import` "
             "wrote. requests: those of a table of requests: counts, tokens, times between "
             "arrivals. PATTERN "
             "chooses by name: 'p4d*' for instance types or accelerators, 'us-*' for "
             "regions, '*checkpoint*' for keys. A table leaves long columns out, such as "
             "sources and meanings; csv and json have them all.",
         .examples = {{"fleetcast show instances --gpu-memory '>= 40GiB' --region us-east-1",
                       "types with enough memory per GPU, and their prices"},
                      {"fleetcast show prices p5.48xlarge --region us-east-1 --history",
                       "how a price changed"},
                      {"fleetcast show spot 'g5*' --sort mean_per_hour --format csv",
                       "spot prices for a spreadsheet"},
                      {"fleetcast show reserved p4d.24xlarge --region us-east-1 --sort "
                       "break_even_frac",
                       "what can be reserved, and how much of it must be used"},
                      {"fleetcast show blocks 'p5*' --region us-east-2 --date 2026-01-31",
                       "what capacity blocks cost on a day"}},
         .run = cmd_show},
    [VERB_EXPLAIN] =
        {.name = "explain",
         .operands = "SCENARIO...",
         .least = 1,
         .most = SIZE_MAX,
         .summary = "tell what happened in one world, and why it cost what it cost",
         .text =
             "Simulates one strategy in one world and prints what happened, event by event; then "
             "every node with the time it was used, why it ended, and how its use was priced; "
             "then the totals by line, and what each commitment covered, used and cost. --strategy "
             "names the strategy, unless the scenario has "
             "only one. The world is the same as replication K of a run with the same seed.",
         .examples = {{"fleetcast explain scenarios/quickstart.yaml --strategy spot",
                       "the first world"},
                      {"fleetcast explain plan.yaml --strategy spot --replication 421",
                       "another world, such as the plan world that manifest.json names"},
                      {"fleetcast explain plan.yaml --strategy spot --seed 7 --limit 50",
                       "the first 50 events under another seed"}},
         .run = cmd_explain},
    [VERB_EXPORT] =
        {.name = "export",
         .operands = "DIR|SCENARIO...",
         .least = 1,
         .most = SIZE_MAX,
         .summary = "write the charges of one world for cost tools, as a FOCUS file",
         .text =
             "Simulates one strategy in one world and writes its charges as a cost and usage file "
             "in the format of FOCUS, the FinOps specification: usage by node, storage and other "
             "charges with support and tax, purchases of commitments, usage that they cover, and "
             "what of them is unused. BilledCost adds up to the cash cost of that world and "
             "EffectiveCost to its amortised cost; with an account beside the plan they are the "
             "whole account's, and x_PlanBilledCost and x_PlanEffectiveCost add up to the plan's. "
             "Every row says x_Simulated = true: it is no invoice.\n\n"
             "DIR, a directory that `fleetcast run` wrote, gives the plan world of the strategy: "
             "the run is repeated for it from the copies in DIR. A scenario gives the world that "
             "--replication names. What commitments cost after the horizon is in no row; it is "
             "told on standard error.",
         .examples = {{"fleetcast export fleetcast-results/quickstart --focus 1.2 -o focus.csv",
                       "the plan world of the baseline"},
                      {"fleetcast export results/plan --focus 1.2 --strategy spot > spot.csv",
                       "that of another strategy"},
                      {"fleetcast export plan.yaml --focus 1.2 --replication 421 -o focus.csv",
                       "any world of a scenario"}},
         .run = cmd_export},
    [VERB_IMPORT] =
        {.name = "import",
         .operands = "KIND FILE...",
         .least = 2,
         .most = SIZE_MAX,
         .words = importer_names,
         .summary = "turn public traces and price lists into fleetcast's own tables",
         .text =
             "Reads files in a format that others publish and writes a table that scenarios can "
             "name. What is wrong with a file is told with its line, and nothing is written then. "
             "The formats and the tables are described in docs/traces.md.\n\n"
             "availability: what was observed of spot capacity, to a trace table or a table of "
             "lifetimes; --layout names the format. spot-history: what `aws ec2 "
             "describe-spot-price-history` prints as JSON or text, to a trace table. price-list: "
             "AWS price lists in CSV (offers and savings plans), to a price file. instances-json: "
             "dumps of ec2instances.info, to a price file. catalog: SkyPilot's vms.csv, to a price "
             "file. advisor: the Spot Instance Advisor's JSON, to a price file. jobs: traces of "
             "jobs "
             "on GPU clusters, to a table of jobs. requests: traces of requests to language "
             "models (Azure, BurstGPT, Mooncake, any CSV), to a table of requests. What was kept "
             "and "
             "what was skipped is told on standard error.",
         .examples = {{"fleetcast import availability us-west-2a_v100_1.json --layout ticks "
                       "--zone us-west-2a --instance p3.2xlarge -o trace.csv",
                       "a probe's ticks, with the names that the file lacks"},
                      {"fleetcast show trace trace.csv", "what the trace says, in numbers"},
                      {"fleetcast import spot-history page1.json page2.json -o prices.csv",
                       "two pages of a price history, to one table"},
                      {"fleetcast import price-list index.csv --region us-east-1 -o prices.csv",
                       "an AWS offer file, to be named by price_files"}},
         .run = cmd_import},
    [VERB_CALIBRATE] =
        {.name = "calibrate",
         .operands = "spot FILE",
         .least = 2,
         .most = 2,
         .words = calibrate_topics,
         .summary = "fit the market of a scenario to a trace, and tell how well it fits",
         .text =
             "Reads a trace table and prints, for each of its pools, the block of a scenario "
             "that describes its spot capacity: availability, losses and, where several nodes "
             "were observed, the node slope; the season of a trace that is long enough and says "
             "when and where it was taken; the mean price. Beside it stands how long a job of 48 "
             "hours takes "
             "on the trace itself and under the fit: the mean, the spread and the P90, with "
             "the band in which the P90 of windows as long as the trace lies. With -o the share of "
             "up times that last longer than so many hours, of the trace and under the fit without "
             "its season, is written too, and drawn.",
         .examples = {{"fleetcast calibrate spot trace.csv > market.yaml", "all pools of a trace"},
                      {"fleetcast run plan.yaml market.yaml", "lay the block over a scenario"},
                      {"fleetcast calibrate spot trace.csv --zone us-west-2a",
                       "only the pools of a zone"},
                      {"fleetcast calibrate spot trace.csv -o fit", "with a chart of up times"}},
         .run = cmd_calibrate},
    [VERB_PLOT] =
        {.name = "plot",
         .operands = "DIR",
         .least = 1,
         .most = 1,
         .summary = "draw the charts of a result directory again",
         .text = "Reads the tables of a directory that `fleetcast run` wrote and draws its charts "
                 "again, into DIR/charts. GNUPLOT in the environment names the program that "
                 "draws; it is gnuplot otherwise.",
         .examples = {{"fleetcast plot fleetcast-results/quickstart", "draw them all"},
                      {"GNUPLOT=/opt/bin/gnuplot fleetcast plot results/plan",
                       "draw with another gnuplot"},
                      {"fleetcast run plan.yaml --no-charts -o out && fleetcast plot out",
                       "first the numbers, then the charts"}},
         .run = cmd_plot},
    [VERB_DIFF] =
        {.name = "diff",
         .operands = "A B",
         .least = 2,
         .most = 2,
         .summary = "compare two runs, world against world",
         .text =
             "A and B are directories that `fleetcast run` wrote, or scenario files, which are "
             "run. For every strategy that both have, cost, time, chances and obligation stand "
             "side by side with their change and its 95 % interval; where that covers zero "
             "there is no detectable change. With the same seed the worlds are the same and "
             "luck cancels out. --set changes the scenario B alone; --seed, --replications and "
             "--precision change both. Keys, prices, assumptions and uncertain inputs that are not "
             "the same in both are listed. As csv: every metric of every strategy and workload "
             "by its mean, P50 and P90; as json that, and what is listed. With "
             "--fail-on, or where B has limits, the exit code tells a script whether the "
             "change may pass.",
         .examples = {{"fleetcast diff results/monday results/friday", "two runs"},
                      {"fleetcast diff plan.yaml plan.yaml --set start=2026-09-01 --markdown",
                       "what another start would change, for a review"},
                      {"fleetcast diff results/approved plan.yaml --fail-on 'cost_usd.p90 > +10 %'",
                       "stop a change that costs too much"}},
         .run = cmd_diff},
    [VERB_REPORT] =
        {.name = "report",
         .operands = "DIR",
         .least = 1,
         .most = 1,
         .summary = "put the decision on one page, charts and assumptions behind it",
         .text =
             "Reads a directory that `fleetcast run` wrote and writes a paper for those who "
             "decide: "
             "what to sign and by when, the recommended strategy and the second best, what it "
             "saves, the worst case, when it is done, cash by quarter against the budget, the "
             "assumptions that carry the decision and where it turns, what is not included; then "
             "the charts with a sentence each, and the register of assumptions. Every sentence is "
             "computed from the tables. Without a choice (`choose:` in the scenario) it recommends "
             "nothing and says how to ask.\n\n"
             "html is one file without script or outside resource, for screen and paper; md is "
             "Markdown beside the charts of DIR; pdf a deck of slides, drawn by gnuplot; xlsx a "
             "workbook, where the program was built with libxlsxwriter.",
         .examples = {{"fleetcast report fleetcast-results/quickstart", "DIR/report.html"},
                      {"fleetcast report results/plan --lang zh -o plan.html", "in Chinese"},
                      {"fleetcast report results/plan -o - --format md", "to standard output"}},
         .run = cmd_report},
    [VERB_ACTUALS] =
        {.name = "actuals",
         .operands = "DIR BILL...",
         .least = 2,
         .most = SIZE_MAX,
         .summary = "put a real bill beside the plan, month by month",
         .text = "DIR is a directory that `fleetcast run` wrote, BILL a FOCUS cost and usage file "
                 "or a Cost and Usage Report of AWS as CSV. For every month of the plan: the "
                 "plan's mean, P10 and P90, what was really paid, and whether that lies inside; "
                 "then what differs, by what was paid for, by hours of nodes and by the price of "
                 "an hour. Cash is what is invoiced, amortised spreads commitments over what uses "
                 "them. A month in which the bill ends is not judged unless it is above its P90 "
                 "already; --date says that the bill is complete up to a day.",
         .examples = {{"fleetcast actuals results/plan focus-2026-03.csv focus-2026-04.csv",
                       "two months of an account"},
                      {"fleetcast actuals results/plan cur.csv --strategy spot "
                       "--where line_item_usage_account_id=111122223333",
                       "one account of a report"},
                      {"fleetcast actuals results/plan focus.csv --where Tags/project=chat "
                       "--date 2026-05-01 --markdown",
                       "what is tagged, April complete, for a review"}},
         .run = cmd_actuals},
    [VERB_COMMIT] =
        {.name = "commit",
         .operands = "SCENARIO...",
         .least = 1,
         .most = SIZE_MAX,
         .summary = "find how much to sign of each commitment, alone and together",
         .text =
             "Simulates the usage of one strategy, the first that lists commitments or else the "
             "baseline, and rates it under other sizes of what it lists: how many Reserved "
             "Instances, how much an hour of savings plans. A strategy that lists none is rated "
             "under the offers that the catalogue knows for what it runs on demand. Shown are the "
             "best size of each offer alone, and the portfolios of least mean cost, least P90 and "
             "least mean of the dearest tenth of worlds, estimated anew on fresh worlds beside "
             "nothing signed and what the scenario lists. Cost counts all that is signed to the "
             "end "
             "of its term; early ends, growth, the account's own commitments and staged purchases "
             "of the scenario count too. -o writes every size that was looked at, the portfolios, "
             "what is advised as a strategy, and a chart.",
         .examples = {{"fleetcast commit plan.yaml --strategy on-demand",
                       "against all offers that are known"},
                      {"fleetcast commit scenarios/one-year-commitments.yaml --strategy '1 year, "
                       "one node' -o signing",
                       "the sizes of what a strategy lists, every size that was looked at as CSV"},
                      {"fleetcast commit plan.yaml --format csv", "the portfolios for a "
                                                                  "spreadsheet"}},
         .run = cmd_commit},
    [VERB_HELP] =
        {.name = "help",
         .operands = "[VERB|keys|paths|output|man]",
         .least = 0,
         .most = 1,
         .summary = "explain the program, a verb, the keys of a scenario, or the output",
         .text = "keys: the keys of a scenario as Markdown tables. paths: the same as dotted "
                 "paths, one a line, as --set takes them. output: the columns and metrics of the "
                 "result files as Markdown tables. man: the manual page as troff.",
         .examples = {{"fleetcast help run", "explain a verb and its options"},
                      {"fleetcast help keys | less", "all keys, units and defaults"},
                      {"fleetcast help man | man -l -", "the manual page"}},
         .run = cmd_help},
    [VERB_VERSION] = {.name = "version",
                      .operands = "",
                      .least = 0,
                      .most = 0,
                      .summary = "print the version of the program and of its libraries",
                      .text = "The first line is the program's name and version.",
                      .examples = {{"fleetcast version", "all versions"},
                                   {"fleetcast --version", "the same"},
                                   {"fleetcast version | head -n 1", "for scripts"}},
                      .run = cmd_version},
    [VERB_COMPLETION] =
        {.name = "completion",
         .operands = "bash",
         .least = 1,
         .most = 1,
         .words = completion_shells,
         .summary = "print a completion script for the shell",
         .text = "The script completes verbs, options and their values, files, and the keys that "
                 "--set takes.",
         .examples = {{"source <(fleetcast completion bash)", "complete in this shell"},
                      {"fleetcast completion bash >> ~/.bash_completion", "in all that follow"},
                      {"fleetcast completion bash | less", "read it first"}},
         .run = cmd_completion},
    [VERB_OPTIMIZE] =
        {.name = "optimize",
         .operands = "SCENARIO...",
         .least = 1,
         .most = SIZE_MAX,
         .summary = "look for the best plan among many",
         .text =
             "Takes every combination of the values under `search: over:` for a strategy, refuses "
             "what is not legal, does not fit or has no price, and looks for the one that is best "
             "by `choose:`: all plans meet the same worlds, and in every round the worse half is "
             "given up, so that the good ones get most of the budget. Between the values of ranges "
             "a minimiser goes on. What was found is estimated again on worlds that the search has "
             "not seen.\n\n"
             "Prints the chosen plan, the runner-up, how sure the choice is, and the front of cost "
             "and time. DIR holds candidates.csv with every plan and why it is not the one, "
             "front.csv, and chosen.yaml, which is laid over the scenario to run the plan. The "
             "result is the same at any number of threads, unless `time_limit` stopped the search.",
         .examples = {{"fleetcast optimize scenarios/plan-7b-by-june.yaml",
                       "which instance, how many and how bought"},
                      {"fleetcast optimize plan.yaml --set search.budget=200k -o found",
                       "with more worlds"},
                      {"fleetcast run plan.yaml found/chosen.yaml",
                       "simulate the chosen plan beside the scenario's own strategies"}},
         .run = cmd_optimize},
    [VERB_SWEEP] =
        {.name = "sweep",
         .operands = "SCENARIO...",
         .least = 1,
         .most = SIZE_MAX,
         .summary = "simulate a scenario at every point of a grid of settings",
         .text =
             "Every --set with several values, `--set path=a,b,c`, is an axis of the grid; every "
             "value of each is run with every one of the others, at most 1,000 points, in the same "
             "random worlds. A comma inside of brackets or quotes parts nothing, so that "
             "'uniform(2h, 4h)' is one value. A --set with one value holds at every point. A point "
             "that the scenario does not allow is told with its reason, and the others go on; the "
             "exit code is then that of `run` at the first such point.\n\n"
             "Prints cost and time of every strategy at every point. DIR/sweep.csv holds all that "
             "summary.csv would, as csv and json do.",
         .examples = {{"fleetcast sweep plan.yaml --set strategies.spot.nodes=2,4,8",
                       "how many nodes"},
                      {"fleetcast sweep plan.yaml --set workloads.fine-tune.mfu=0.3,0.4,0.5 --set "
                       "strategies.spot.nodes=4,8 -o grid",
                       "six points, with a table to keep and a chart"},
                      {"fleetcast sweep plan.yaml --set 'horizon=30d,60d' --format csv",
                       "all figures, for a spreadsheet"}},
         .run = cmd_sweep},
    [VERB_THRESHOLDS] =
        {.name = "thresholds",
         .operands = "DIR|SCENARIO...",
         .least = 1,
         .most = SIZE_MAX,
         .summary = "find where another strategy becomes the better",
         .text =
             "For every uncertain input, the prices and the spot capacity of the market, or the "
             "keys that --input names, finds the values at which the best strategy loses to each "
             "of the others: the scenario is simulated in the same random worlds with the input "
             "set to one value after the other, and the paired difference is followed to where it "
             "crosses zero. The range is that of the input, P1 to P99, and half to double of a "
             "price. Where the 95 % interval of the difference covers zero, the two are level.\n\n"
             "DIR, a directory that `fleetcast run` wrote, gets the table as DIR/thresholds.csv; "
             "its scenario is taken from the copies in it. At most 500 worlds are simulated at "
             "each value, unless --replications says how many.",
         .examples = {{"fleetcast thresholds scenarios/quickstart.yaml", "all inputs"},
                      {"fleetcast thresholds plan.yaml --input "
                       "'market.spot.p4d.24xlarge.price=5..20 USD/h'",
                       "one key over a range of your own"},
                      {"fleetcast thresholds fleetcast-results/quickstart",
                       "of results, and into their directory"}},
         .run = cmd_thresholds},
};

const struct verb *verb_find(const char *name)
{
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (strcmp(verb_table[i].name, name) == 0) {
            return &verb_table[i];
        }
    }
    return NULL;
}

const char *verb_suggest(const char *name)
{
    const char *names[VERB_COUNT];
    for (size_t i = 0; i < VERB_COUNT; i++) {
        names[i] = verb_table[i].name;
    }
    return text_suggest(name, names, VERB_COUNT);
}
