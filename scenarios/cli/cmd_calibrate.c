/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast calibrate: a scenario block fitted to a trace, and how well it fits. What is printed is
 * YAML, so that it can be laid over a scenario as it is. */
#include "engine/file.h"
#include "models/catalogue/catalogue.h"
#include "models/market/price_fit.h"
#include "models/market/season_fit.h"
#include "models/market/spot_fit.h"
#include "plots/charts/charts.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/new_file.h"
#include "scenarios/output/survival_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DAY_S  86400.0
#define HOUR_S 3600.0

static const char *name_of(struct command *c, const struct trace *t)
{
    const char *type = t->instance_type[0] == '\0' ? "INSTANCE-TYPE" : t->instance_type;
    const char *name = t->zone[0] == '\0' ? arena_format(c->arena, "%s", type)
                                          : arena_format(c->arena, "%s/%s", t->zone, type);
    return name == NULL ? type : name;
}

static void say_observed(const struct trace *t, const struct spot_fit *f)
{
    printf("    # observed for %.4g days", f->observed_s / DAY_S);
    if (t->tick_s > 0) {
        printf(", every %.4g s", t->tick_s);
    }
    printf(": up %.1f %% of the time, %zu losses", 100 * f->availability, f->losses);
    if (isfinite(f->mean_up_s) && isfinite(f->mean_down_s)) {
        printf(" (on average after %.3g h, back after %.3g h)", f->mean_up_s / HOUR_S,
               f->mean_down_s / HOUR_S);
    }
    puts("");
    if (f->observed_s < 7 * DAY_S) {
        puts("    # less than a week: good and bad days are hardly seen; take the numbers for a "
             "sketch");
    }
    if (f->clipped && f->losses > 0) {
        printf("    # no relaxation time gives this loss rate at this availability: %.3g h is the "
               "nearest\n",
               f->short_s / HOUR_S);
    }
}

static void say_row(const char *what, double mean_s, double sd_s, double p90_s)
{
    printf("    #   %-30s %8.1f %8.1f %8.1f\n", what, mean_s / HOUR_S, sd_s / HOUR_S,
           p90_s / HOUR_S);
}

static void say_band(const struct spot_fit_quality *q)
{
    printf("    #     P90 of 8 in 10 windows: %.1f to ", q->p90_low_s / HOUR_S);
    if (isfinite(q->p90_high_s)) {
        printf("%.1f h", q->p90_high_s / HOUR_S);
    } else {
        printf("unknown");
    }
    printf("; the trace's lies %s\n", q->inside ? "inside" : "outside");
    if (q->windows < SPOT_FIT_WINDOWS) {
        printf("    #     in %zu of %d windows the job never ends\n",
               (size_t)SPOT_FIT_WINDOWS - q->windows, SPOT_FIT_WINDOWS);
    }
}

/* False when out of memory. */
static bool say_quality(const struct trace *t, const struct spot_fit *f)
{
    struct spot_fit_quality fitted, known;
    if (!spot_fit_judge(f, t, true, &fitted) || !spot_fit_judge(f, t, false, &known)) {
        return false;
    }
    if (fitted.status == RING_NEVER) {
        puts("    # the trace has no stretch in which a job of 48 h could get on");
        return true;
    }
    printf("    # a job of 48 h, 0.2 h at each start, from all starting points; hours:\n"
           "    #   %-30s %8s %8s %8s\n",
           "", "mean", "sd", "P90");
    say_row("on the trace itself", fitted.trace.mean_s, fitted.trace.sd_s, fitted.trace.p90_s);
    if (fitted.windows > 0) {
        say_row("with this block (median)", fitted.mean_s, fitted.sd_s, fitted.p90_s);
        say_band(&fitted);
    }
    if (known.windows > 0) {
        say_row("with the availability alone", known.mean_s, known.sd_s, known.p90_s);
        say_band(&known);
    }
    return true;
}

/* ---- the season ---- */

/* The region of a zone such as us-east-1a; NULL: none is known. */
static const struct region *region_of(const struct catalogue *c, const char *zone)
{
    const struct region *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; c != NULL && i < catalogue_regions(c); i++) {
        const struct region *r = catalogue_region_at(c, i);
        size_t length = strlen(r->code);
        if (strncmp(zone, r->code, length) == 0 && length > longest) {
            best = r;
            longest = length;
        }
    }
    return best;
}

static void say_day(const struct season_fit *f)
{
    printf("    # the day swings by %.2f probits, most capacity at %.1f h local time", f->amplitude,
           f->best_hour);
    if (f->chance > SEASON_CHANCE) {
        printf(": no more than\n    #   days turned at random do (%.0f in 100 swing as much)\n",
               100 * f->chance);
    } else {
        printf(" (of days turned at random\n    #   %.1f in 100 swing as much)\n", 100 * f->chance);
    }
}

static void say_weekend(const struct season_fit *f)
{
    if (!f->has_weekend) {
        printf("    # weekends: %zu whole weeks are too few; expected at least %d\n", f->weeks,
               SEASON_LEAST_WEEKS);
        return;
    }
    printf("    # weekends: %+.2f probits, 95 %%: %+.2f to %+.2f%s\n", f->weekend_shift,
           f->weekend_shift - f->weekend_error, f->weekend_shift + f->weekend_error,
           fabs(f->weekend_shift) > f->weekend_error ? "" : "; not told from none");
}

/* False when out of memory. */
static bool fit_season(struct spot_fit *fit, const struct trace *t, const struct catalogue *c)
{
    const struct region *region = region_of(c, t->zone);
    if (region == NULL) {
        puts("    # season: left out, the trace names no zone of a region whose local time is "
             "known");
        return true;
    }
    struct season_fit f = season_fit_make(t, region->utc_offset_h);
    switch (f.status) {
    case SEASON_NO_MEMORY:
        return false;
    case SEASON_NO_CLOCK:
        puts("    # season: left out, the trace does not say when it starts");
        return true;
    case SEASON_TOO_SHORT:
        printf("    # season: left out, %.3g days are too few to see one; expected at least %d\n",
               f.days, SEASON_LEAST_DAYS);
        return true;
    case SEASON_NO_FIT:
        puts("    # season: left out, some hours of the day are all up, or all down");
        return true;
    case SEASON_FITTED:
        break;
    }
    say_day(&f);
    say_weekend(&f);
    spot_fit_set_season(fit, season_fit_seen(&f),
                        t->start_unix_s + (int64_t)llround(region->utc_offset_h * HOUR_S));
    return true;
}

static void print_season(const struct hidden_season *s)
{
    if (s->amplitude == 0 && s->weekend_shift == 0) {
        puts("      season: none");
        return;
    }
    printf("      season_amplitude: %.3f\n", s->amplitude);
    if (s->amplitude > 0) {
        printf("      best_hour: %.1f\n", s->best_hour);
    }
    printf("      weekend_shift: %.3f\n", s->weekend_shift);
}

/* ---- the price ---- */

static void say_price_error(const struct price_error *e, const char *over)
{
    if (e->known) {
        printf("    #   the mean over %s differs from the price at its begin by %.2g %% in the "
               "median,\n    #   by %.2g %% or less in 9 of 10 cases\n",
               over, 100 * e->median, 100 * e->p90);
    }
}

static void say_price(const struct price_fit *p)
{
    printf("    # price: mean %.6g an hour, %.6g to %.6g, %zu change%s in %.4g days, %.6g at the "
           "end\n",
           p->mean, p->least, p->most, p->changes, p->changes == 1 ? "" : "s",
           p->observed_s / DAY_S, p->last);
    if (p->changes > 0) {
        say_price_error(&p->over_short, "48 h");
        say_price_error(&p->over_long, "30 days");
    }
}

/* ---- a pool ---- */

static void print_capacity(const struct spot_fit *f)
{
    printf("      capacity: hidden\n      availability: %.2f %%\n", 100 * f->availability);
    if (f->losses > 0 && !f->clipped) {
        printf("      losses: %.4g/d\n", f->losses_per_day);
    } else if (f->losses > 0) {
        printf("      short_time: %.4g h\n", f->short_s / HOUR_S);
    }
    if (f->has_slope) {
        printf("      node_slope: %.3f\n", f->node_slope);
    }
    print_season(&f->season);
}

static bool say_pool(struct command *c, const struct trace *t, const struct catalogue *catalogue)
{
    struct spot_fit f;
    struct price_fit price;
    printf("    # %s\n", name_of(c, t));
    const enum spot_fit_status status = spot_fit_make(&f, t);
    switch (status) {
    case SPOT_FIT_DONE:
        say_observed(t, &f);
        if (!fit_season(&f, t, catalogue) || !say_quality(t, &f)) {
            return false;
        }
        break;
    case SPOT_FIT_NO_NODES:
        puts("    # prices only: nothing was observed of its capacity");
        break;
    case SPOT_FIT_ALWAYS:
        printf("    # %s all of %.4g days: no capacity to fit\n",
               f.availability > 0 ? "up" : "without a node", f.observed_s / DAY_S);
        break;
    case SPOT_FIT_NO_MEMORY:
    default:
        return false;
    }
    if (t->has_price) {
        if (!price_fit_make(&price, t)) {
            return false;
        }
        say_price(&price);
    }
    /* Money needs a currency, which is that of the zone's region. */
    const struct region *region = t->has_price ? region_of(catalogue, t->zone) : NULL;
    if (t->has_price && region == NULL) {
        puts("    #   left out: the trace names no zone of a region whose currency is known");
    }
    if (status == SPOT_FIT_DONE || region != NULL) {
        printf("    %s:\n", name_of(c, t));
    }
    if (status == SPOT_FIT_DONE) {
        print_capacity(&f);
    }
    if (region != NULL) {
        printf("      price: %.9g %s/h\n", price.mean, region->currency);
    }
    return true;
}

/* ---- up times ---- */

/* The table as DIR/survival.csv, its chart in DIR/charts. */
static void write_survival(struct command *c, const char *folder, const struct table *t)
{
    const char *path = file_join(c->arena, folder, "survival.csv");
    const char *charts = file_join(c->arena, folder, "charts");
    const char *origin = arena_format(c->arena, "Fitted to %s by fleetcast calibrate spot",
                                      c->arguments->operands[1]);
    const struct chart_frame frame = {
        .cost_metric = "cost_usd", .currency = "USD", .origin = origin};
    const struct chart_tables tables = {.survival = t};
    if (t == NULL || path == NULL || charts == NULL || origin == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return;
    }
    if (file_make_folder(folder, c->d) &&
        new_file_allowed(c, path, (struct new_file_kind){"table of up times", "zone,"}) &&
        new_file_table(c, path, t)) {
        (void)charts_draw_one("survival", &frame, &tables, charts, c->d);
    }
}

static void tell_survival(struct command *c, const struct trace_set *set)
{
    const struct arguments *a = c->arguments;
    struct result_rows rows;
    rows_begin(&rows, "survival", "USD");
    for (size_t i = 0; i < set->count; i++) {
        const struct trace *t = &set->items[i];
        struct trace_set one = {&set->items[i], 1};
        if (t->has_nodes &&
            trace_find(&one, a->value[OPTION_ZONE], a->value[OPTION_INSTANCE], NULL) != NULL) {
            survival_put_trace(&rows, t, t->zone, t->instance_type, 1, 1);
        }
    }
    struct table *t = rows_end(&rows);
    write_survival(c, a->value[OPTION_OUTPUT], t);
    table_free(t);
}

int cmd_calibrate(struct command *c)
{
    const struct arguments *a = c->arguments;
    const char *zone = a->value[OPTION_ZONE], *type = a->value[OPTION_INSTANCE];
    struct trace_set set;
    size_t matches = 0;
    if (!trace_read(&set, c->arena, a->operands[1], NULL, c->d)) {
        return EXIT_USAGE;
    }
    if (trace_find(&set, zone, type, &matches) == NULL) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "'%s' has no pool of that zone and type; `fleetcast show trace` lists "
                         "them",
                         a->operands[1]);
        return EXIT_USAGE;
    }
    struct catalogue *catalogue = catalogue_load(NULL, NULL, 0, c->d);
    puts("# Fitted by `fleetcast calibrate spot`; lay it over a scenario.\nmarket:\n  spot:");
    for (size_t i = 0; i < set.count; i++) {
        struct trace_set one = {&set.items[i], 1};
        if (trace_find(&one, zone, type, NULL) != NULL && !say_pool(c, &set.items[i], catalogue)) {
            command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
            break;
        }
    }
    catalogue_free(catalogue);
    if (a->value[OPTION_OUTPUT] != NULL && !diagnostics_failed(c->d)) {
        tell_survival(c, &set);
    }
    return EXIT_DONE;
}
