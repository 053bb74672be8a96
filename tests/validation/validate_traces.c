/* SPDX-License-Identifier: GPL-3.0-or-later
 * The importers against published statistics of public traces: `make validate DATA=FOLDER`.
 *
 * FOLDER/traces/stats.json has an object for each file below FOLDER/traces. Every file that
 * `fleetcast import availability` or `spot-history` reads is imported, written, read back, and its
 * numbers are printed beside those of stats.json; "differs" stands behind those that are not the
 * same when rounded as theirs. The exit code is 1 when there is one. */
#include "engine/civil_time.h"
#include "models/market/lifetimes.h"
#include "models/market/trace.h"
#include "models/market/trace_statistics.h"
#include "scenarios/import/step_clock.h"
#include "tests/support/published.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HOUR_S 3600.0
#define DAY_S  86400.0

struct validation {
    const char *name; /* of the file, as stats.json has it */
    json_t *theirs;
    struct import_request request; /* arena and diagnostics only */
};

static bool import_traces(const struct validation *v, const char *kind, struct import_request r,
                          struct trace_set *set)
{
    r.arena = v->request.arena;
    r.d = v->request.d;
    return published_import(kind, v->name, r) &&
           trace_read(set, r.arena, published.table, NULL, r.d);
}

static bool import_one(const struct validation *v, struct import_request r,
                       struct trace_statistics *s, struct trace *t)
{
    struct trace_set set;
    if (!import_traces(v, "availability", r, &set) || set.count != 1 ||
        !trace_statistics(&set.items[0], s)) {
        return false;
    }
    *t = set.items[0];
    return true;
}

/* ---- tick traces and timestamps ---- */

static void level_beside(json_t *theirs, const struct level_statistics *l, double tick_s)
{
    const struct figure_pair pairs[] = {
        {"thr", (double)l->nodes, 0},
        {"avail", l->availability, 6},
        {"avail_ticks", l->up_s / tick_s, 0},
        {"up_runs", (double)l->up.count, 0},
        {"down_runs", (double)l->down.count, 0},
        {"up_to_down", (double)l->interruptions, 0},
        {"down_to_up", (double)l->returns, 0},
        {"interruptions_per_day", l->interruptions_per_day, 4},
        {"first_tick_up", l->begins_up, 0},
        {"last_tick_up", l->ends_up, 0},
    };
    const struct figure_pair up[] = {{"up_mean_h", l->up.mean_s / HOUR_S, 4},
                                     {"up_median_h", l->up.median_s / HOUR_S, 4},
                                     {"up_max_h", l->up.longest_s / HOUR_S, 4}};
    const struct figure_pair down[] = {{"down_mean_h", l->down.mean_s / HOUR_S, 4},
                                       {"down_median_h", l->down.median_s / HOUR_S, 4},
                                       {"down_max_h", l->down.longest_s / HOUR_S, 4}};
    PAIRS(theirs, pairs);
    if (l->up.count > 0) {
        PAIRS(theirs, up);
    }
    if (l->down.count > 0) {
        PAIRS(theirs, down);
    }
}

static bool validate_ticks(const struct validation *v)
{
    struct trace_statistics s;
    struct trace t;
    json_t *full = json_object_get(v->theirs, "full"), *price = json_object_get(v->theirs, "price");
    if (!import_one(v, (struct import_request){.layout = "ticks"}, &s, &t)) {
        return false;
    }
    const struct figure_pair pairs[] = {{"ticks", s.observed_s / t.tick_s, 0},
                                        {"gap_s", t.tick_s, 3},
                                        {"days", s.observed_s / DAY_S, 4},
                                        {"max", (double)s.most_nodes, 0},
                                        {"mean", s.mean_nodes, 6}};
    /* Theirs divides by days that are rounded already. */
    double days = round(s.observed_s / DAY_S * 1e4) / 1e4;
    const struct figure_pair losses[] = {{"node_losses_per_day", (double)s.nodes_lost / days, 3}};
    const struct figure_pair prices[] = {{"mean", s.mean_price, 6},
                                         {"min", money_to_double(s.least_price), EXACTLY},
                                         {"max", money_to_double(s.most_price), EXACTLY},
                                         {"first", money_to_double(s.first_price), EXACTLY},
                                         {"last", money_to_double(s.last_price), EXACTLY},
                                         {"changes", (double)s.price_changes, 0},
                                         {"changes_per_day", s.price_changes_per_day, 3},
                                         {"mean_while_up", s.mean_price_while_up, 6},
                                         {"integral_usd", s.price_integral, 4}};
    PAIRS(v->theirs, pairs);
    level_beside(json_object_get(v->theirs, "any"), &s.any, t.tick_s);
    if (full != NULL) {
        level_beside(full, &s.full, t.tick_s);
        PAIRS(v->theirs, losses);
    }
    if (price != NULL) {
        PAIRS(price, prices);
    }
    return true;
}

static void times_beside(json_t *theirs, const struct trace *t, double last_s)
{
    char ours[24];
    const double at_s[] = {t->steps[0].at_s, last_s};
    const char *const keys[] = {"first", "last"};
    for (size_t i = 0; i < 2; i++) {
        const char *text = json_string_value(json_object_get(theirs, keys[i]));
        civil_time_text(t->start_unix_s + llround(at_s[i]), ours);
        time_beside(keys[i], ours, text == NULL ? "" : text);
    }
}

/* Their statistics take the probes for 600 s apart, which are a little more: our times, true to the
 * second, are put back on their ticks first. */
static bool validate_timestamps(const struct validation *v)
{
    struct trace_statistics s;
    struct trace t;
    const double tick_s = 600;
    double rows = json_number_value(json_object_get(v->theirs, "rows"));
    if (!import_one(v,
                    (struct import_request){
                        .layout = "timestamps", .polarity = "preempted", .tick_s = tick_s},
                    &s, &t)) {
        return false;
    }
    times_beside(v->theirs, &t, t.end_s - tick_s);
    beside("holes", s.hole_s, json_number_value(json_object_get(v->theirs, "gaps_over_660s")), 0);
    double gap_s = (t.end_s - tick_s) / (rows - 1);
    beside("gap_mean_s", gap_s, json_number_value(json_object_get(v->theirs, "gap_mean_s")), 1);
    for (size_t i = 0; i < t.count; i++) {
        t.steps[i].at_s = round(t.steps[i].at_s / gap_s) * tick_s;
    }
    t.end_s = rows * tick_s;
    if (!trace_statistics(&t, &s)) {
        return false;
    }
    level_beside(json_object_get(v->theirs, "any_600s"), &s.any, tick_s);
    return true;
}

/* ---- price histories ---- */

static const struct {
    const char *file, *zone, *from, *to;
    double cost; /* of a node held throughout */
} windows[] = {
    {"us-east-1/p3.2xlarge", "us-east-1b", "2020-01-10", "2020-01-20", 264.393469},
    {"us-east-1/p3.2xlarge", "us-east-1d", "2020-01-15T06:30:00Z", "2020-01-17T08:45:30Z",
     48.123524},
    {"us-east-1/p2.8xlarge", "us-east-1c", "2020-01-01", "2020-02-01", 1934.983024},
    {"us-west-2/p3.16xlarge", "us-west-2b", "2020-01-10", "2020-01-20", 1762.56},
    {"us-east-2/p2.xlarge", "us-east-2a", "2020-01-10T12:00:00Z", "2020-01-12T12:00:00Z",
     16.627475},
};

static double cost_between(const struct trace *t, double from_s, double to_s)
{
    double cost = 0;
    for (size_t i = 0; i < t->count; i++) {
        double begin = fmax(from_s, t->steps[i].at_s);
        double end = fmin(to_s, i + 1 < t->count ? t->steps[i + 1].at_s : t->end_s);
        cost += end > begin ? (end - begin) / HOUR_S * money_to_double(t->steps[i].price) : 0;
    }
    return cost;
}

/* The fixed windows of the description that stands beside stats.json, which leaves them out. */
static void windows_beside(const struct validation *v, const struct trace *t)
{
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        int64_t from, to;
        if (strstr(v->name, windows[i].file) != NULL && strcmp(t->zone, windows[i].zone) == 0 &&
            civil_parse(windows[i].from, &from) && civil_parse(windows[i].to, &to)) {
            beside(
                "cost of a window",
                cost_between(t, (double)(from - t->start_unix_s), (double)(to - t->start_unix_s)),
                windows[i].cost, 6);
        }
    }
}

static bool validate_prices(const struct validation *v)
{
    struct trace_set set;
    json_t *zones = json_object_get(v->theirs, "az");
    size_t singles = 0;
    if (!import_traces(v, "spot-history", (struct import_request){.product = NULL}, &set)) {
        return false;
    }
    for (size_t i = 0; i < set.count; i++) {
        const struct trace *t = &set.items[i];
        json_t *theirs = json_object_get(zones, t->zone);
        struct trace_statistics s;
        if (!trace_statistics(t, &s)) {
            return false;
        }
        if (theirs == NULL && s.observed_s <= 2 * LAST_CHANGE_S) {
            singles++;
            continue;
        }
        printf(" %s\n", t->zone);
        const struct figure_pair pairs[] = {{"days", s.observed_s / DAY_S, 3},
                                            {"tw_mean", s.mean_price, 6},
                                            {"min", money_to_double(s.least_price), EXACTLY},
                                            {"max", money_to_double(s.most_price), EXACTLY},
                                            {"value_changes", (double)s.price_changes, 0},
                                            {"changes_per_day", s.price_changes_per_day, 3},
                                            {"integral_usd", s.price_integral, 4}};
        times_beside(theirs, t, t->end_s - LAST_CHANGE_S);
        PAIRS(theirs, pairs);
        windows_beside(v, t);
    }
    printf(" all zones, but %zu of one record that theirs leaves out\n", singles);
    beside("zones", (double)(set.count - singles), (double)json_object_size(zones), 0);
    return true;
}

/* ---- step traces and event lists ---- */

/* What a step function's rows say in the order of the file; a trace keeps the last of an instant.
 */
struct row_counts {
    double first, last, least, most, lost, gained, loss_steps;
    bool begun;
};

static void count_row(struct row_counts *c, double nodes)
{
    if (!c->begun) {
        *c = (struct row_counts){.first = nodes, .least = nodes, .most = nodes, .begun = true};
    } else if (nodes < c->last) {
        c->lost += c->last - nodes;
        c->loss_steps++;
    } else {
        c->gained += nodes - c->last;
    }
    c->last = nodes;
    c->least = fmin(c->least, nodes);
    c->most = fmax(c->most, nodes);
}

static bool count_rows(const struct validation *v, struct row_counts *rows,
                       struct row_counts *instants)
{
    double time, nodes, last_time = 0, last_nodes = 0;
    bool any = false;
    FILE *in =
        fopen(arena_format(v->request.arena, "%s/traces/%s", published.folder, v->name), "r");
    if (in == NULL) {
        return false;
    }
    *rows = *instants = (struct row_counts){.begun = false};
    while (fscanf(in, "%lf,%lf", &time, &nodes) == 2) {
        if (any && time > last_time) {
            count_row(instants, last_nodes);
        }
        count_row(rows, nodes);
        last_time = time;
        last_nodes = nodes;
        any = true;
    }
    count_row(instants, last_nodes);
    fclose(in);
    return any;
}

static double unit_of(const char *name)
{
    bool hours = strstr(name, "_scaled") != NULL || strstr(name, "p2-xlarge-2020-11-20-to") != NULL;
    return strncmp(name, "parcae/", 7) == 0 ? 1e-3 : hours ? HOUR_S : 1;
}

/* Their counts are of rows. Where an instant has rows that come and go, theirs are carried over to
 * instants by the difference that the file itself shows. */
static bool validate_steps(const struct validation *v)
{
    struct trace_statistics s;
    struct trace t;
    struct row_counts rows, instants;
    double hours = json_number_value(json_object_get(v->theirs, "hours"));
    struct import_request r = {
        .layout = "steps", .unit_s = unit_of(v->name), .length_s = hours > 0 ? 0 : LAST_CHANGE_S};
    if (!import_one(v, r, &s, &t) || !count_rows(v, &rows, &instants)) {
        return false;
    }
    const struct {
        const char *key;
        double ours, rows, instants;
    } counts[] = {
        {"min", (double)s.fewest_nodes, rows.least, instants.least},
        {"max", (double)s.most_nodes, rows.most, instants.most},
        {"first", (double)s.first_nodes, rows.first, instants.first},
        {"last", (double)s.last_nodes, rows.last, instants.last},
        {"nodes_lost", (double)s.nodes_lost, rows.lost, instants.lost},
        {"nodes_gained", (double)s.nodes_gained, rows.gained, instants.gained},
        {"loss_steps", (double)s.losses, rows.loss_steps, instants.loss_steps},
    };
    const struct figure_pair pairs[] = {{"hours", s.observed_s / HOUR_S, 4},
                                        {"tw_mean", s.mean_nodes, 4}};
    PAIRS(v->theirs, pairs);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        double theirs = json_number_value(json_object_get(v->theirs, counts[i].key));
        beside(counts[i].key, counts[i].ours, theirs - counts[i].rows + counts[i].instants, 0);
        if (counts[i].rows != counts[i].instants) {
            printf("    (theirs counts rows within an instant too: %g)\n", theirs);
        }
    }
    return true;
}

static bool validate_events(const struct validation *v)
{
    struct trace_statistics s, steps;
    struct trace t, other;
    struct validation by_steps = *v;
    json_t *events = json_object_get(v->theirs, "events");
    by_steps.name = "parcae/p3.csv"; /* the same nodes, as a step trace */
    if (!import_one(v, (struct import_request){.layout = "events", .unit_s = 1e-3}, &s, &t) ||
        !import_one(&by_steps, (struct import_request){.layout = "steps", .unit_s = 1e-3}, &steps,
                    &other)) {
        return false;
    }
    const struct figure_pair pairs[] = {{"hours", s.observed_s / HOUR_S, 4}};
    PAIRS(v->theirs, pairs);
    beside("added less removed", (double)s.last_nodes,
           json_number_value(json_object_get(events, "add")) -
               json_number_value(json_object_get(events, "remove")),
           0);
    beside("steps, by p3.csv", (double)t.count, (double)other.count, 0);
    for (size_t i = 0; i < t.count && i < other.count; i++) {
        if (t.steps[i].at_s != other.steps[i].at_s || t.steps[i].nodes != other.steps[i].nodes) {
            printf("  step %zu is another one in p3.csv  differs\n", i);
            published.differences++;
        }
    }
    return true;
}

/* ---- lifetimes ---- */

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Hours of the lives of a zone and type (NULL: all) that the cloud ended, or of all; sorted. */
static size_t hours_of(const struct lifetime_list *l, const char *zone, const char *type,
                       bool ended_only, double *hours)
{
    size_t n = 0;
    for (size_t i = 0; i < l->count; i++) {
        const struct lifetime *x = &l->items[i];
        if ((zone == NULL || strcmp(zone, x->zone) == 0) &&
            (type == NULL || strcmp(type, x->instance_type) == 0) &&
            (!ended_only || x->ended_by_cloud)) {
            hours[n++] = x->duration_s / HOUR_S;
        }
    }
    qsort(hours, n, sizeof *hours, ascending);
    return n;
}

static bool import_lives(const struct validation *v, const char *name, const char *layout,
                         struct lifetime_list *l)
{
    struct import_request r = {.layout = layout, .arena = v->request.arena, .d = v->request.d};
    return published_import("availability", name, r) && lifetimes_init(l) &&
           lifetimes_read(l, published.table, r.d);
}

static bool validate_log(const struct validation *v)
{
    struct lifetime_list l;
    const char *pool;
    json_t *theirs, *pools = json_object_get(v->theirs, "lifetimes_h");
    struct trace_set set;
    if (!import_traces(v, "availability", (struct import_request){.layout = "log"}, &set) ||
        !import_lives(v, v->name, "log-lifetimes", &l)) {
        return false;
    }
    double *hours = calloc(l.count + 1, sizeof *hours), mean, deviation, alive = 0;
    json_object_foreach(pools, pool, theirs)
    { /* "us-east-1b/k80/8" */
        char zone[100] = "", gpu[100] = "", type[120];
        int gpus = 0;
        sscanf(pool, "%99[^/]/%99[^/]/%d", zone, gpu, &gpus);
        snprintf(type, sizeof type, "%s_%d", gpu, gpus);
        size_t n = hours_of(&l, zone, type, true, hours);
        printf(" %s\n", pool);
        moments_of(hours, n, &mean, &deviation);
        const struct figure_pair pairs[] = {{"n", (double)n, 0},
                                            {"mean", mean, 3},
                                            {"median", quantile_of(hours, n, 0.5), 3},
                                            {"min", hours[0], 3},
                                            {"max", hours[n - 1], 3}};
        PAIRS(theirs, pairs);
    }
    for (size_t i = 0; i < set.count; i++) {
        const struct trace *t = &set.items[i];
        alive += (double)t->steps[t->count - 1].nodes;
    }
    const struct figure_pair deleted[] = {
        {"deleted", (double)hours_of(&l, NULL, NULL, true, hours), 0}};
    PAIRS(json_object_get(v->theirs, "events"), deleted);
    /* Theirs are those not deleted, of which some were found dead: no less than run at the end. */
    double still = json_number_value(json_object_get(v->theirs, "still_live_at_end"));
    printf("  running at the end %g of %g not deleted%s\n", alive, still,
           alive <= still ? "" : "  differs");
    published.differences += alive > still;
    free(hours);
    lifetimes_release(&l);
    return true;
}

/* Of the description beside stats.json: all types, those stopped by their owner censored. */
static const struct {
    double at_h, alive;
} survival[] = {{0.5, 0.8963}, {1, 0.8507},  {2, 0.8032},  {3, 0.7677},  {6, 0.7236}, {12, 0.6825},
                {18, 0.6429},  {20, 0.6331}, {22, 0.6212}, {23, 0.6178}, {24, 0.6143}};

static bool validate_lifetimes(const struct validation *v)
{
    struct lifetime_list l;
    const char *type;
    json_t *theirs;
    if (!import_lives(v, "goog-preemption/lifetimes.csv", "lifetimes", &l)) {
        return false;
    }
    double *h = calloc(l.count + 1, sizeof *h), mean, deviation;
    json_object_foreach(v->theirs, type, theirs)
    {
        size_t n = hours_of(&l, NULL, strcmp(type, "all") == 0 ? NULL : type, false, h);
        printf(" %s\n", type);
        moments_of(h, n, &mean, &deviation);
        const struct figure_pair pairs[] = {
            {"n", (double)n, 0},
            {"frac_under_1h", share_between(h, n, 0, 1), 4},
            {"frac_under_3h", share_between(h, n, 0, 3), 4},
            {"frac_3_to_20h", share_between(h, n, 3, 20), 4},
            {"frac_over_23h", share_between(h, n, 23, INFINITY), 4},
            {"mean", mean, 4},
            {"sd", deviation, 4},
            {"min", h[0], EXACTLY},
            {"p25", quantile_of(h, n, 0.25), EXACTLY},
            {"p50", quantile_of(h, n, 0.5), EXACTLY},
            {"p90", quantile_of(h, n, 0.9), EXACTLY},
            {"p95", quantile_of(h, n, 0.95), EXACTLY},
            {"p99", quantile_of(h, n, 0.99), EXACTLY},
            {"max", h[n - 1], EXACTLY},
        };
        PAIRS(theirs, pairs);
    }
    printf(" all, by whether the cloud ended them\n");
    beside("ended by the cloud", (double)hours_of(&l, NULL, NULL, true, h), 717, 0);
    lifetimes_sort(l.items, l.count);
    for (size_t i = 0; i < sizeof survival / sizeof survival[0]; i++) {
        beside("alive", lifetimes_survival(l.items, l.count, survival[i].at_h * HOUR_S),
               survival[i].alive, 4);
    }
    free(h);
    lifetimes_release(&l);
    return true;
}

/* ---- files ---- */

static const struct {
    const char *begins;
    bool (*validate)(const struct validation *v);
} kinds[] = {
    {"spot-traces/", validate_ticks},
    {"skypilot-spot-strategy/", validate_timestamps},
    {"training_on_a_dime/aws/cost/", validate_prices},
    {"training_on_a_dime/", validate_log},
    {"bamboo/", validate_steps},
    {"parcae/p3.csv", validate_steps},
    {"parcae/p3trace.csv", validate_events},
    {"goog-preemption", validate_lifetimes},
};

static size_t files, unread;

static void validate_file(const char *name, json_t *theirs)
{
    size_t kind = 0, count = sizeof kinds / sizeof kinds[0];
    while (kind < count && strncmp(name, kinds[kind].begins, strlen(kinds[kind].begins)) != 0) {
        kind++;
    }
    if (kind == count) {
        unread++; /* jobs, requests and failures: not observations of capacity or price */
        return;
    }
    struct diagnostics *d = diagnostics_new();
    struct arena *arena = arena_new(0);
    struct validation v = {name, theirs, {.arena = arena, .d = d}};
    files++;
    printf("%s\n  %-24s %20s %20s\n", name, "", "ours", "theirs");
    if (!kinds[kind].validate(&v)) {
        printf("  was not imported  differs\n");
        published.differences++;
    }
    diagnostics_write(d, stdout);
    diagnostics_free(d);
    arena_free(arena);
}

static char table_path[] = "/tmp/fleetcast-validate-XXXXXX";

int main(int argc, char **argv)
{
    char path[4096];
    json_t *theirs, *all;
    const char *name;
    const char *folder = argc > 1 ? argv[1] : "";
    snprintf(path, sizeof path, "%s/traces/stats.json", folder);
    published = (struct published){.folder = folder, .table = table_path};
    if (folder[0] == '\0' || access(path, R_OK) != 0) {
        printf("validate-traces skipped: give DATA=FOLDER, with FOLDER/traces/stats.json\n");
        return 0;
    }
    all = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    int table = mkstemp(table_path);
    if (all == NULL || table < 0) {
        printf("%s cannot be read, or %s not be written\n", path, table_path);
        return 1;
    }
    close(table);
    json_object_foreach(all, name, theirs)
    {
        validate_file(name, theirs);
    }
    unlink(table_path);
    json_decref(all);
    printf("validate-traces: %zu files, %zu numbers, %zu differences; %zu entries are of "
           "other "
           "kinds\n",
           files, published.numbers, published.differences, unread);
    return published.differences > 0 || files == 0;
}
