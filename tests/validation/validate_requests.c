/* SPDX-License-Identifier: GPL-3.0-or-later
 * Imported traces of requests against published statistics: `make validate DATA=FOLDER`.
 *
 * FOLDER/traces/stats.json has counts, tokens and times between arrivals of Azure's and Mooncake's
 * traces. Each file is imported, written, read back, and replayed as demand of a service: what the
 * replay gives is printed beside what the file has. The exit code is 1 when something differs. */
#include "models/inference/arrivals.h"
#include "models/inference/request_trace.h"
#include "tests/support/published.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct request_file {
    const char *key, *path; /* of stats.json; below FOLDER/traces */
    const char *layout, *columns;
    double unit_s;
    const char *prompt, *output; /* what stats.json calls them */
};

static const struct request_file files[] = {
    {"azure-llm-2023/code", "azure-llm-2023/AzureLLMInferenceTrace_code.csv", "azure", NULL, 0,
     "context", "generated"},
    {"azure-llm-2023/conv", "azure-llm-2023/AzureLLMInferenceTrace_conv.csv", "azure", NULL, 0,
     "context", "generated"},
    {"mooncake/conversation", "mooncake/conversation_trace_nohash.csv", "csv",
     "timestamp_ms,input_length,output_length", 1e-3, "input", "output"},
    {"mooncake/conversation_trace_first2000", "mooncake/conversation_trace_first2000.jsonl",
     "mooncake", NULL, 0, "input", "output"},
    {"mooncake/synthetic_trace", "mooncake/synthetic_trace.jsonl", "mooncake", NULL, 0, "input",
     "output"},
};

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void gaps_beside(json_t *theirs, const struct request_trace *t)
{
    size_t n = t->count - 1;
    double *gaps = malloc(n * sizeof *gaps);
    for (size_t i = 0; gaps != NULL && i < n; i++) {
        gaps[i] = t->items[i + 1].at_s - t->items[i].at_s;
    }
    if (gaps == NULL) {
        published.differences++;
        return;
    }
    qsort(gaps, n, sizeof *gaps, ascending);
    const struct figure_pair pairs[] = {{"ia_p50", quantile_of(gaps, n, 0.5), 6},
                                        {"ia_p99", quantile_of(gaps, n, 0.99), 5}};
    PAIRS(theirs, pairs);
    free(gaps);
}

static void tokens_beside(json_t *theirs, double sum, double count)
{
    const struct figure_pair pairs[] = {{"sum", sum, 0}, {"mean", sum / count, 4}};
    PAIRS(theirs, pairs);
}

static void statistics_beside(json_t *theirs, const struct request_file *f,
                              const struct request_trace *t)
{
    struct request_statistics s = request_trace_statistics(t);
    json_t *arrivals = json_object_get(theirs, "arrivals");
    const struct figure_pair pairs[] = {{"n", (double)t->count, 0},
                                        {"span_s", s.span_s, 6},
                                        {"rate_per_s", s.rate_per_s, 6},
                                        {"ia_mean_s", s.gap_mean_s, 6},
                                        {"ia_cv", s.gap_cv, 4},
                                        {"ia_zero", s.no_gap, 0},
                                        {"per_min_mean", s.minute_mean, 3},
                                        {"per_min_max", s.minute_most, 0},
                                        {"per_min_var_over_mean", s.minute_variation, 4}};
    PAIRS(arrivals, pairs);
    gaps_beside(arrivals, t);
    printf(" %s\n", f->prompt);
    tokens_beside(json_object_get(theirs, f->prompt), s.prompt_tokens, (double)t->count);
    printf(" %s\n", f->output);
    tokens_beside(json_object_get(theirs, f->output), s.output_tokens, (double)t->count);
}

/* "54559 blocks of prompts, of which a prefix cache without end has a share of 0.289063" */
static void blocks_beside(json_t *theirs, const char *said)
{
    json_t *blocks = json_object_get(theirs, "hash_blocks");
    const char *line = strstr(said, " blocks of prompts"), *of = strstr(said, "a share of ");
    if (blocks == NULL) {
        return;
    }
    while (line != NULL && line > said && line[-1] != '\n') {
        line--;
    }
    beside("hash_blocks", line == NULL ? -1 : strtod(line, NULL), json_number_value(blocks), 0);
    const char *key = "prefix_block_hit_fraction_infinite_cache";
    beside("leading blocks cached", of == NULL ? -1 : strtod(of + strlen("a share of "), NULL),
           json_number_value(json_object_get(theirs, key)), 6);
}

/* As `demand: {trace: …}` meets it: as many requests and tokens, at the same times. */
static bool replay_beside(const struct request_trace *t)
{
    struct demand_spec spec = {.trace = "trace.csv",
                               .requests = *t,
                               .scale = NUMBER_CERTAIN(1),
                               .growth = NUMBER_CERTAIN(0)};
    struct demand_plan plan;
    struct market_context c = {.horizon_s = 1e9};
    struct arrivals a;
    double requests = 0, prompt = 0, output = 0, off_s = 0;
    double ours_prompt = 0, ours_output = 0;
    c.diagnostics = diagnostics_new();
    c.arena = arena_new(0);
    spec.events.count = 0;
    bool good = demand_plan_make(&plan, &spec, "replay", NULL, &c) && arrivals_init(&a, "replay");
    if (good) {
        const double drawn[1] = {0};
        arrivals_begin(&a, &plan, (struct random_world){.seed = 1}, drawn);
        for (; isfinite(a.next_s) && requests < (double)t->count; arrivals_next(&a)) {
            const struct traced_request *of = &t->items[(size_t)requests++];
            off_s = fmax(off_s, fabs(a.next_s - (of->at_s - t->items[0].at_s)));
            ours_prompt += a.prompt_tokens;
            ours_output += a.output_tokens;
            prompt += of->prompt_tokens;
            output += of->output_tokens;
        }
        good = !isfinite(a.next_s);
        arrivals_release(&a);
    }
    printf(" replayed\n");
    beside("requests", requests, (double)t->count, 0);
    beside("prompt tokens", ours_prompt, prompt, 0);
    beside("output tokens", ours_output, output, 0);
    beside("largest shift in time", off_s, 0, 6);
    diagnostics_free(c.diagnostics);
    arena_free(c.arena);
    return good;
}

static bool validate_file(const struct request_file *f, json_t *theirs, struct diagnostics *d)
{
    struct arena *arena = arena_new(0);
    struct request_trace t;
    struct text said;
    text_init(&said, 0);
    struct import_request r = {.layout = f->layout,
                               .columns = f->columns,
                               .unit_s = f->unit_s,
                               .said = &said,
                               .arena = arena,
                               .d = d};
    bool good = arena != NULL && published_import("requests", f->path, r) &&
                request_trace_read(&t, published.table, NULL, arena, d);
    if (good) {
        statistics_beside(theirs, f, &t);
        blocks_beside(theirs, said.data);
        good = replay_beside(&t);
    }
    text_release(&said);
    arena_free(arena);
    return good;
}

static char table_path[] = "/tmp/fleetcast-validate-XXXXXX";

int main(int argc, char **argv)
{
    char path[4096];
    const char *folder = argc > 1 ? argv[1] : "";
    snprintf(path, sizeof path, "%s/traces/stats.json", folder);
    published = (struct published){.folder = folder, .table = table_path};
    if (folder[0] == '\0' || access(path, R_OK) != 0) {
        printf("validate-requests skipped: give DATA=FOLDER, with FOLDER/traces/stats.json\n");
        return 0;
    }
    json_t *all = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    int table = mkstemp(table_path);
    if (all == NULL || table < 0) {
        printf("%s cannot be read, or %s not be written\n", path, table_path);
        return 1;
    }
    close(table);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct diagnostics *d = diagnostics_new();
        printf("%s\n  %-24s %20s %20s\n", files[i].key, "", "ours", "theirs");
        if (!validate_file(&files[i], json_object_get(all, files[i].key), d)) {
            printf("  was not imported  differs\n");
            published.differences++;
        }
        diagnostics_write(d, stdout);
        diagnostics_free(d);
    }
    unlink(table_path);
    json_decref(all);
    printf("validate-requests: %zu files, %zu numbers, %zu differences\n",
           sizeof files / sizeof files[0], published.numbers, published.differences);
    return published.differences > 0;
}
