/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/options.h"

#include "models/catalogue/catalogue.h"
#include "plots/text/report_words.h"

#include <stddef.h>

#define OF(verb) (1u << VERB_##verb)
#define SIMULATING                                                                                 \
    (OF(COMMIT) | OF(THRESHOLDS) | OF(SWEEP) | OF(DIFF) | OF(OPTIMIZE) | OF(CHECK) | OF(RUN) |     \
     OF(EXPLAIN) | OF(EXPORT))
#define EVERY ((1u << VERB_COUNT) - 1)

static const char *const focus_versions[] = {"1.2", NULL};
static const char *const polarities[] = {"available", "preempted", NULL};
static const char *const clock_units[] = {"s", "ms", "h", NULL};
const char *const format_names[] = {"table", "csv", "json", NULL};
const char *const report_format_names[] = {"html", "md", "pdf", "xlsx", NULL};

const struct option_row option_table[OPTION_COUNT] = {
    [OPTION_SET] = {"set", 0, "PATH=VALUE", VALUE_KEY, NULL, SIMULATING, true, NULL,
                    "set a key of the scenario, such as workloads.fine-tune.mfu=0.4; may be "
                    "repeated, later ones win; of sweep several values, parted by commas"},
    [OPTION_STRATEGY] =
        {"strategy", 0, "NAME", VALUE_PLAIN, NULL, (SIMULATING & ~OF(OPTIMIZE)) | OF(ACTUALS), true,
         "all of them; of export the baseline, of actuals what was chosen, or the baseline",
         "keep only this strategy; may be repeated, but not for export or actuals"},
    [OPTION_REPLICATIONS] = {"replications", 0, "N", VALUE_PLAIN, NULL,
                             OF(COMMIT) | OF(THRESHOLDS) | OF(SWEEP) | OF(DIFF) | OF(CHECK) |
                                 OF(RUN),
                             false, "the scenario's",
                             "simulate N random worlds, whatever the scenario says of precision"},
    [OPTION_PRECISION] = {"precision", 0, "SHARE", VALUE_PLAIN, NULL,
                          OF(CHECK) | OF(RUN) | OF(DIFF), false, "the scenario's",
                          "simulate until the quantile that precision_of names is known this "
                          "well, such as 1%, in place of a fixed number of worlds"},
    [OPTION_SEED] = {"seed", 0, "N", VALUE_PLAIN, NULL, SIMULATING, false, "the scenario's",
                     "choose the random worlds"},
    [OPTION_OUTPUT] =
        {"output", 'o', "PATH", VALUE_FOLDER, NULL,
         OF(COMMIT) | OF(SWEEP) | OF(RUN) | OF(OPTIMIZE) | OF(EXPORT) | OF(IMPORT) | OF(CALIBRATE) |
             OF(REPORT),
         false,
         "fleetcast-results/NAME, NAME being the scenario file's, of optimize NAME-optimize; of "
         "export and import standard output; of calibrate, sweep and commit nothing is written; of "
         "report "
         "DIR/report.html",
         "sweep, commit: write their tables, and sweep its chart, into this directory; calibrate: "
         "write survival.csv, "
         "the up times of the trace and under the fit, and its "
         "chart into this directory; run, optimize: write the results into this directory, which "
         "is made, or "
         "replaced "
         "if fleetcast wrote it; export and import: write this file, which must be new "
         "or one that the same verb wrote; report: write this file, - is standard output"},
    [OPTION_JOBS] = {"jobs", 'j', "N", VALUE_PLAIN, NULL,
                     OF(COMMIT) | OF(THRESHOLDS) | OF(SWEEP) | OF(DIFF) | OF(RUN) | OF(OPTIMIZE),
                     false, "one for each processor",
                     "use N threads; the results are the same at any number"},
    [OPTION_NO_CHARTS] = {"no-charts", 0, NULL, VALUE_NONE, NULL,
                          OF(SWEEP) | OF(RUN) | OF(OPTIMIZE) | OF(COMMIT), false, NULL,
                          "draw no charts"},
    [OPTION_PRINT] = {"print", 0, "METRIC.QUANTILE", VALUE_PLAIN, NULL, OF(RUN), false, NULL,
                      "print nothing but this value of the one strategy, such as cost_usd.p90 or "
                      "late.mean; all files are written all the same"},
    [OPTION_FORMAT] = {"format", 0, "FORMAT", VALUE_WORDS, format_names,
                       OF(COMMIT) | OF(THRESHOLDS) | OF(SWEEP) | OF(DIFF) | OF(CHECK) | OF(RUN) |
                           OF(OPTIMIZE) | OF(SHOW) | OF(ACTUALS) | OF(REPORT),
                       false, "table; of report what --output ends in, else html",
                       "print a table for people, or csv, or json; report: html, md, pdf or xlsx"},
    [OPTION_LANG] = {"lang", 0, "LANGUAGE", VALUE_WORDS, report_language_names, OF(REPORT), false,
                     "en", "the language of the report: English or Chinese"},
    [OPTION_QUIET] = {"quiet", 'q', NULL, VALUE_NONE, NULL,
                      OF(COMMIT) | OF(THRESHOLDS) | OF(SWEEP) | OF(DIFF) | OF(CHECK) | OF(RUN) |
                          OF(OPTIMIZE) | OF(PLOT) | OF(REPORT),
                      false, NULL,
                      "no progress, and no remarks beside the result; warnings and errors stay"},
    [OPTION_REPLICATION] = {"replication", 0, "K", VALUE_PLAIN, NULL, OF(EXPLAIN) | OF(EXPORT),
                            false, "0; of a result directory the plan world",
                            "the world to tell of; manifest.json names each strategy's plan "
                            "world"},
    [OPTION_FOCUS] = {"focus", 0, "VERSION", VALUE_WORDS, focus_versions, OF(EXPORT), false, NULL,
                      "write a FOCUS cost and usage file, of this version of the specification"},
    [OPTION_LIMIT] = {"limit", 0, "N", VALUE_PLAIN, NULL, OF(EXPLAIN), false, "1000",
                      "print at most N events and N usage records"},
    [OPTION_REGION] = {"region", 0, "CODE", VALUE_PLAIN, NULL, OF(SHOW) | OF(IMPORT), false, NULL,
                       "only this region, such as us-east-1; shown instances then come with "
                       "prices"},
    [OPTION_DATE] = {"date", 0, "YYYY-MM-DD", VALUE_PLAIN, NULL,
                     OF(SHOW) | OF(IMPORT) | OF(ACTUALS), false,
                     "the newest; of import the file's; of actuals the end of the last charge",
                     "show: as known on this day; import: the day of prices in a file that does "
                     "not say it; actuals: the bill is complete up to this day"},
    [OPTION_SORT] = {"sort", 0, "COLUMN[:desc]", VALUE_PLAIN, NULL, OF(SHOW), false, NULL,
                     "sort by a column, which csv names in its first row"},
    [OPTION_GPU_MEMORY] = {"gpu-memory", 0, "SIZE", VALUE_PLAIN, NULL, OF(SHOW), false, NULL,
                           "only with this memory per GPU, such as '>= 24GiB'"},
    [OPTION_GPUS] = {"gpus", 0, "N", VALUE_PLAIN, NULL, OF(SHOW), false, NULL,
                     "only with this number of GPUs, such as 8 or '>= 4'"},
    [OPTION_DTYPE] = {"dtype", 0, "PRECISION", VALUE_WORDS, precision_names, OF(SHOW), false, NULL,
                      "only GPUs that compute in this precision, such as bf16"},
    [OPTION_HISTORY] = {"history", 0, NULL, VALUE_NONE, NULL, OF(SHOW), false, NULL,
                        "every dated row, not only the newest"},
    [OPTION_LAYOUT] = {"layout", 0, "FORMAT", VALUE_PLAIN, NULL, OF(IMPORT), false, NULL,
                       "which of the kind's formats the files have; docs/traces.md lists them"},
    [OPTION_ZONE] = {"zone", 0, "ZONE", VALUE_PLAIN, NULL, OF(IMPORT) | OF(CALIBRATE), false,
                     "none", "import: the zone of files that name none; calibrate: only this zone"},
    [OPTION_INSTANCE] = {"instance", 0, "TYPE", VALUE_PLAIN, NULL, OF(IMPORT), false, "none",
                         "of traces the instance type, where files name none; of price lists only "
                         "this type"},
    [OPTION_SOURCE] = {"source", 0, "TEXT", VALUE_PLAIN, NULL, OF(IMPORT), false,
                       "what the file says of itself, or its name",
                       "where the prices come from, which results will show"},
    [OPTION_POLARITY] = {"polarity", 0, "MEANING", VALUE_WORDS, polarities, OF(IMPORT), false, NULL,
                         "what 1 says in the files: available, that a node can be had, or "
                         "preempted, that none can"},
    [OPTION_TICK] = {"tick", 0, "DURATION", VALUE_PLAIN, NULL, OF(IMPORT), false, NULL,
                     "the time between two probes of the files, such as 10min"},
    [OPTION_UNIT] = {"unit", 0, "UNIT", VALUE_WORDS, clock_units, OF(IMPORT), false, NULL,
                     "the unit of times that are bare numbers: s, ms or h"},
    [OPTION_LENGTH] = {"length", 0, "DURATION", VALUE_PLAIN, NULL, OF(IMPORT), false,
                       "up to the last row",
                       "how long was observed from the first row on, such as 17.5h"},
    [OPTION_PRODUCT] = {"product", 0, "NAME", VALUE_PLAIN, NULL, OF(IMPORT), false, "Linux/UNIX",
                        "the product of a price history that is kept"},
    [OPTION_COLUMNS] = {"columns", 0, "TIME,PROMPT,OUTPUT", VALUE_PLAIN, NULL, OF(IMPORT), false,
                        "time,prompt_tokens,output_tokens",
                        "the columns of a file of requests whose layout is csv; the last ones may "
                        "be left out where the file does not count tokens"},
    [OPTION_FAIL_ON] = {"fail-on", 0, "CONDITION", VALUE_PLAIN, NULL, OF(DIFF), true, NULL,
                        "exit with 3 when a strategy that both have meets it, or when that cannot "
                        "be known, such as 'cost_usd.p90 > +10 %' or 'p_late > +5 %'; may be "
                        "repeated"},
    [OPTION_MARKDOWN] = {"markdown", 0, NULL, VALUE_NONE, NULL, OF(DIFF) | OF(ACTUALS), false, NULL,
                         "print the page as Markdown, for a review"},
    [OPTION_INPUT] = {"input", 0, "PATH=LOW..HIGH", VALUE_KEY, NULL, OF(THRESHOLDS), true,
                      "every uncertain input, and prices and capacity of the market",
                      "search this key over this range, such as "
                      "market.spot.p4d.24xlarge.price=5..20 USD/h; may be repeated"},
    [OPTION_WHERE] = {"where", 0, "COLUMN=VALUE", VALUE_PLAIN, NULL, OF(ACTUALS), true, NULL,
                      "only rows of the bill with this value in this column, or with this tag: "
                      "Tags/KEY=VALUE; may be repeated, all must fit"},
    [OPTION_HELP] = {"help", 'h', NULL, VALUE_NONE, NULL, EVERY, false, NULL,
                     "explain the verb, or the program"},
    [OPTION_VERSION] = {"version", 0, NULL, VALUE_NONE, NULL, EVERY, false, NULL,
                        "print the version"},
};

bool option_belongs(enum option_id option, const struct verb *verb)
{
    return (option_table[option].verbs & 1u << (verb - verb_table)) != 0;
}

const char *const *option_words(enum option_id option, const struct verb *verb)
{
    bool of_report = verb != NULL && verb == &verb_table[VERB_REPORT];
    return option == OPTION_FORMAT && of_report ? report_format_names : option_table[option].words;
}
