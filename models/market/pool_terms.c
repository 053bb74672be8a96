/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/market/pool_terms.h"

#include "models/market/crossing.h"
#include "models/market/node_life.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stddef.h>

#define DAY_S           86400.0
#define SHORTEST_TURN_S 10.0 /* in the mean: shorter ones are beyond what any trace shows */

/* Number keys that belong to some capacity processes alone: to this one and, perhaps, another. */
static const struct {
    const char *name;
    size_t offset;
    enum capacity_kind kind, other;
} owned_keys[] = {
    {"availability", offsetof(struct spot_spec, availability), CAPACITY_HIDDEN,
     CAPACITY_HYPEREXPONENTIAL},
    {"losses", offsetof(struct spot_spec, losses), CAPACITY_HIDDEN, CAPACITY_HYPEREXPONENTIAL},
    {"season_amplitude", offsetof(struct spot_spec, season_amplitude), CAPACITY_HIDDEN,
     CAPACITY_HIDDEN},
    {"weekend_shift", offsetof(struct spot_spec, weekend_shift), CAPACITY_HIDDEN, CAPACITY_HIDDEN},
    {"best_hour", offsetof(struct spot_spec, best_hour), CAPACITY_HIDDEN, CAPACITY_HIDDEN},
    {"node_slope", offsetof(struct spot_spec, node_slope), CAPACITY_HIDDEN, CAPACITY_HIDDEN},
    {"short_time", offsetof(struct spot_spec, short_time), CAPACITY_HIDDEN, CAPACITY_HIDDEN},
    {"long_time", offsetof(struct spot_spec, long_time), CAPACITY_HIDDEN, CAPACITY_HIDDEN},
    {"short_weight", offsetof(struct spot_spec, short_weight), CAPACITY_HIDDEN, CAPACITY_HIDDEN},
    {"mean_up", offsetof(struct spot_spec, mean_up), CAPACITY_ON_OFF, CAPACITY_HYPEREXPONENTIAL},
    {"mean_down", offsetof(struct spot_spec, mean_down), CAPACITY_ON_OFF,
     CAPACITY_HYPEREXPONENTIAL},
    {"up_short_share", offsetof(struct spot_spec, up_short_share), CAPACITY_HYPEREXPONENTIAL,
     CAPACITY_HYPEREXPONENTIAL},
    {"up_long_ratio", offsetof(struct spot_spec, up_long_ratio), CAPACITY_HYPEREXPONENTIAL,
     CAPACITY_HYPEREXPONENTIAL},
    {"down_short_share", offsetof(struct spot_spec, down_short_share), CAPACITY_HYPEREXPONENTIAL,
     CAPACITY_HYPEREXPONENTIAL},
    {"down_long_ratio", offsetof(struct spot_spec, down_long_ratio), CAPACITY_HYPEREXPONENTIAL,
     CAPACITY_HYPEREXPONENTIAL},
};
#define OWNED_KEYS (sizeof owned_keys / sizeof owned_keys[0])

static const char *const kind_names[] = {"constant", "hidden", "on-off", "hyperexponential",
                                         "replay"};

static bool number_given(const struct spot_spec *s, size_t key)
{
    return ((const struct number *)((const char *)s + owned_keys[key].offset))->given;
}

static bool any_given(const struct spot_spec *s, enum capacity_kind kind)
{
    for (size_t i = 0; i < OWNED_KEYS; i++) {
        if (owned_keys[i].kind == kind && number_given(s, i)) {
            return true;
        }
    }
    return kind == CAPACITY_HIDDEN && (s->bucket >= 0 || s->season != SPOT_SEASON_DEFAULT);
}

enum capacity_kind pool_terms_spot_kind(const struct spot_spec *s)
{
    switch ((enum spot_capacity)s->capacity) {
    case SPOT_HIDDEN:
        return CAPACITY_HIDDEN;
    case SPOT_ON_OFF:
        return CAPACITY_ON_OFF;
    case SPOT_CONSTANT:
        return CAPACITY_CONSTANT;
    case SPOT_REPLAY:
        return CAPACITY_REPLAY;
    case SPOT_HYPEREXPONENTIAL:
        return CAPACITY_HYPEREXPONENTIAL;
    case SPOT_DEFAULT:
        break;
    }
    if (s->trace.file != NULL) {
        return CAPACITY_REPLAY;
    }
    if (any_given(s, CAPACITY_HYPEREXPONENTIAL)) {
        return CAPACITY_HYPEREXPONENTIAL;
    }
    if (any_given(s, CAPACITY_ON_OFF)) {
        return CAPACITY_ON_OFF;
    }
    /* Nodes with lifetimes of their own, independent of each other: the special case of the
     * textbook, meant by whoever states the life of a single node and nothing of the pool. */
    return node_life_given(s) && !any_given(s, CAPACITY_HIDDEN) ? CAPACITY_CONSTANT
                                                                : CAPACITY_HIDDEN;
}

/* Tells an error at the spec's place; returns false for the caller's convenience. */
#define COMPLAIN(d, s, ...)                                                                        \
    (diagnostics_add((d), DIAGNOSTIC_ERROR, (s)->item.place, __VA_ARGS__), false)

static bool check_fit(const struct spot_spec *s, enum capacity_kind kind, struct diagnostics *d)
{
    bool good = true;
    for (size_t i = 0; i < OWNED_KEYS; i++) {
        const enum capacity_kind own = owned_keys[i].kind, other = owned_keys[i].other;
        if (own != kind && other != kind && number_given(s, i)) {
            good = COMPLAIN(d, s,
                            "'%s' of spot '%s' belongs to capacity '%s'%s%s%s, but the capacity is "
                            "'%s'; remove it or change 'capacity'",
                            owned_keys[i].name, s->item.name, kind_names[own],
                            other != own ? " or '" : "", other != own ? kind_names[other] : "",
                            other != own ? "'" : "", kind_names[kind]);
        }
    }
    const char *choice = s->bucket >= 0                     ? "bucket"
                         : s->season != SPOT_SEASON_DEFAULT ? "season"
                                                            : NULL;
    if (kind != CAPACITY_HIDDEN && choice != NULL) {
        good = COMPLAIN(d, s,
                        "'%s' of spot '%s' belongs to capacity 'hidden', but the capacity is '%s'; "
                        "remove it or change 'capacity'",
                        choice, s->item.name, kind_names[kind]);
    }
    return good;
}

/* With a season the threshold sways around scale * x with variance scale^2 - 1. For a normal sway
 * the mean of exp(-theta^2/2) is exp(-x^2/2)/scale: losses are rarer by that factor. */
static struct crossing_fit fit_losses(const struct hidden_parameters *p, double losses_per_s)
{
    double scale = hidden_season_scale(&p->season);
    struct crossing_fit fit =
        crossing_fit_short_time(p->threshold, losses_per_s * scale, p->short_weight, p->long_s);
    fit.least_per_s /= scale;
    fit.most_per_s /= scale;
    return fit;
}

static void warn_if_out_of_reach(const struct spot_spec *s, struct diagnostics *d)
{
    const struct threshold_prior none = {.region_score = -1, .zone_score = -1};
    struct hidden_parameters p = pool_terms_hidden(s, &none, NULL);
    struct crossing_fit fit = fit_losses(&p, s->losses.median);
    if (fit.clipped) {
        diagnostics_add(d, DIAGNOSTIC_WARNING, s->item.place,
                        "'losses' of spot '%s' is %.3g a day; at availability %.4g the process "
                        "reaches %.3g to %.3g a day, and the nearer end is used",
                        s->item.name, s->losses.median * DAY_S, s->availability.median,
                        fit.least_per_s * DAY_S, fit.most_per_s * DAY_S);
    }
}

/* Of a process that comes and goes. */
static bool check_availability(const struct spot_spec *s, enum capacity_kind kind,
                               struct diagnostics *d)
{
    bool good = true;
    if (s->availability.given && s->availability.median >= 1.0) {
        good = COMPLAIN(d, s,
                        "'availability' of spot '%s' is 1, which the %s process cannot be; "
                        "write 'capacity: constant' for a pool that is always there",
                        s->item.name, kind_names[kind]);
    } else if (s->availability.given && s->availability.median <= 0.0) {
        good = COMPLAIN(d, s,
                        "'availability' of spot '%s' is 0: no node could ever be had; give a share "
                        "between 0 and 1",
                        s->item.name);
    }
    if (s->losses.given && !s->availability.given) {
        good = COMPLAIN(d, s, "'losses' of spot '%s' needs 'availability' beside it", s->item.name);
    }
    return good;
}

static bool check_hidden(const struct spot_spec *s, struct diagnostics *d)
{
    bool good = check_availability(s, CAPACITY_HIDDEN, d);
    if (s->availability.given && s->bucket >= 0) {
        good = COMPLAIN(d, s,
                        "spot '%s' has both 'availability' and 'bucket', which say the same; keep "
                        "one of them",
                        s->item.name);
    }
    if (s->losses.given && s->short_time.given) {
        good = COMPLAIN(d, s,
                        "spot '%s' has both 'losses' and 'short_time', which say the same; keep "
                        "one of them",
                        s->item.name);
    }
    if (s->losses.given && s->short_weight.median <= 0.0) {
        good = COMPLAIN(d, s, "'losses' of spot '%s' cannot be met with a 'short_weight' of 0",
                        s->item.name);
    }
    bool season = s->season_amplitude.given || s->weekend_shift.given || s->best_hour.given;
    if (s->season == SPOT_SEASON_NONE && season) {
        good = COMPLAIN(d, s,
                        "spot '%s' has 'season: none' beside 'season_amplitude', 'weekend_shift' "
                        "or 'best_hour'; keep one of them",
                        s->item.name);
    }
    if (good && s->losses.given) {
        warn_if_out_of_reach(s, d);
    }
    return good;
}

static bool check_hyperexponential(const struct spot_spec *s, struct diagnostics *d)
{
    const bool means = s->mean_up.given || s->mean_down.given;
    bool good = check_availability(s, CAPACITY_HYPEREXPONENTIAL, d);
    if (means && s->availability.given) {
        good = COMPLAIN(d, s,
                        "spot '%s' has both 'availability' and '%s', which say the same; keep one "
                        "of them",
                        s->item.name, s->mean_up.given ? "mean_up" : "mean_down");
    } else if (!s->availability.given && !(s->mean_up.given && s->mean_down.given)) {
        good = COMPLAIN(d, s,
                        "capacity 'hyperexponential' of spot '%s' needs 'mean_up' and 'mean_down', "
                        "or 'availability', with or without 'losses'",
                        s->item.name);
    }
    struct pool_turns turns = pool_terms_turns(s, NULL);
    const double shortest_s = fmin(turns.up.short_s, turns.down.short_s);
    if (good && shortest_s < SHORTEST_TURN_S) {
        good = COMPLAIN(d, s,
                        "the short times of spot '%s' would last %.3g s in the mean; expected at "
                        "least %g s",
                        s->item.name, shortest_s, SHORTEST_TURN_S);
    }
    return good;
}

/* A price that money rounds to nothing is none (DESIGN invariant 4: never zero). */
static bool check_price(const struct number *price, struct place where, const char *market,
                        const char *pool, struct diagnostics *d)
{
    money_t per_hour;
    if (!price->given || !money_from_double(price->median, &per_hour) || per_hour > 0) {
        return true;
    }
    diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                    "the %s price of '%s' is 0, and what is free cannot be compared; expected the "
                    "price that is paid, or no 'price' for the catalogue's",
                    market, pool);
    return false;
}

/* Which trace, and what the price does. */
static bool check_trace(const struct spot_spec *s, enum capacity_kind kind, struct diagnostics *d)
{
    const struct replay_spec *t = &s->trace;
    const bool price = s->price_model == PRICE_MODEL_REPLAY;
    const bool replays = kind == CAPACITY_REPLAY || price;
    bool good = true;
    bool any = t->zone != NULL || t->instance != NULL || t->start != NULL || t->wrap_given ||
               t->nodes_per_unit > 0;
    if (t->file == NULL && (replays || any)) {
        good =
            COMPLAIN(d, s, "spot '%s' %s, but names no trace; expected 'trace: {file: TABLE.csv}'",
                     s->item.name,
                     kind == CAPACITY_REPLAY ? "has capacity 'replay'"
                     : price                 ? "has the price model 'replay'"
                                             : "says how to replay a trace");
    }
    if (t->file != NULL && !replays) {
        good = COMPLAIN(d, s,
                        "spot '%s' has a 'trace', but neither its capacity nor its price model is "
                        "'replay'; remove one of them",
                        s->item.name);
    }
    if (s->price_floor.given && s->price_model != PRICE_MODEL_REGIMES) {
        good = COMPLAIN(d, s,
                        "'price_floor' of spot '%s' belongs to the price model 'regimes'; remove "
                        "it or change 'price_model'",
                        s->item.name);
    }
    if (s->max_price.given && s->max_price.median <= 0) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, s->max_price_place,
                        "'max_price' of spot '%s' is 0, at which nothing is ever sold; expected a "
                        "price, or no 'max_price'",
                        s->item.name);
        good = false;
    }
    if (price && (s->price.given || s->price_statistic_given)) {
        good = COMPLAIN(d, s,
                        "spot '%s' has both '%s' and the price model 'replay', whose prices are "
                        "the trace's; keep one of them",
                        s->item.name, s->price.given ? "price" : "price_statistic");
    }
    if (t->nodes_per_unit > 0 && t->file != NULL && kind != CAPACITY_REPLAY) {
        good = COMPLAIN(d, s,
                        "'nodes_per_unit' of spot '%s' belongs to capacity 'replay', but the "
                        "capacity is '%s'; remove it or change 'capacity'",
                        s->item.name, kind_names[kind]);
    }
    return good;
}

bool pool_terms_check_spot(const struct spot_spec *s, struct diagnostics *d)
{
    enum capacity_kind kind = pool_terms_spot_kind(s);
    bool good = check_price(&s->price, s->price_place, "spot", s->item.name, d);
    good = check_fit(s, kind, d) && good;
    good = check_trace(s, kind, d) && good;
    good = node_life_check(s, d) && good;
    if (kind == CAPACITY_HIDDEN) {
        good = check_hidden(s, d) && good;
    }
    if (kind == CAPACITY_HYPEREXPONENTIAL) {
        good = check_hyperexponential(s, d) && good;
    }
    if (kind == CAPACITY_ON_OFF && !(s->mean_up.given && s->mean_down.given)) {
        good = COMPLAIN(d, s, "capacity 'on-off' of spot '%s' needs both 'mean_up' and 'mean_down'",
                        s->item.name);
    }
    return good;
}

bool pool_terms_check_on_demand(const struct on_demand_spec *s, struct diagnostics *d)
{
    bool good = check_price(&s->price, s->price_place, "on-demand", s->item.name, d);
    if (s->capacity == ON_DEMAND_WAIT && !s->wait.given) {
        good = COMPLAIN(d, s, "capacity 'wait' of on-demand '%s' needs the key 'wait', a duration",
                        s->item.name);
    }
    if (s->capacity == ON_DEMAND_LIMIT && s->limit == 0) {
        good = COMPLAIN(d, s,
                        "capacity 'limit' of on-demand '%s' needs the key 'limit', a number "
                        "of nodes",
                        s->item.name);
    }
    if (s->capacity == ON_DEMAND_ALWAYS && (s->wait.given || s->limit > 0)) {
        good = COMPLAIN(d, s, "on-demand '%s' has capacity 'always' beside '%s'; keep one of them",
                        s->item.name, s->wait.given ? "wait" : "limit");
    }
    return good;
}

/* A drawn share may come as near to 0 or 1 as doubles allow; what follows from it must stay finite.
 */
static double inner_share(double availability)
{
    return fmin(fmax(availability, 1e-9), 1.0 - 1e-9);
}

static double threshold_of(double availability)
{
    return gsl_cdf_ugaussian_Pinv(inner_share(availability));
}

bool pool_terms_renews(enum capacity_kind kind)
{
    return kind == CAPACITY_ON_OFF || kind == CAPACITY_HYPEREXPONENTIAL;
}

struct pool_turns pool_terms_turns(const struct spot_spec *s, const double *drawn)
{
    double up_s = number_value(&s->mean_up, drawn), down_s = number_value(&s->mean_down, drawn);
    if (s->availability.given) {
        double a = inner_share(number_value(&s->availability, drawn));
        /* The mean cycle; losses of 0 a day are as good as never. */
        double cycle_s = s->losses.given ? 1.0 / fmax(number_value(&s->losses, drawn), 1e-12)
                                         : POOL_TERMS_TURN_S / sqrt(a * (1.0 - a));
        up_s = a * cycle_s;
        down_s = (1.0 - a) * cycle_s;
    }
    if (pool_terms_spot_kind(s) == CAPACITY_ON_OFF) {
        return (struct pool_turns){on_off_exponential(up_s), on_off_exponential(down_s)};
    }
    return (struct pool_turns){
        on_off_hyperexponential(up_s, number_value(&s->up_short_share, drawn),
                                number_value(&s->up_long_ratio, drawn)),
        on_off_hyperexponential(down_s, number_value(&s->down_short_share, drawn),
                                number_value(&s->down_long_ratio, drawn))};
}

struct hidden_parameters pool_terms_hidden(const struct spot_spec *s,
                                           const struct threshold_prior *prior, const double *drawn)
{
    struct hidden_parameters p = {
        .short_weight = number_value(&s->short_weight, drawn),
        .short_s = number_value(&s->short_time, drawn),
        .long_s = number_value(&s->long_time, drawn),
        .node_slope = number_value(&s->node_slope, drawn),
    };
    if (s->availability.given) {
        p.threshold = threshold_of(number_value(&s->availability, drawn));
    } else if (drawn == NULL) {
        p.threshold = spot_prior_threshold(prior->prior, 0.0, 0.0);
    } else {
        p.threshold = spot_prior_threshold(prior->prior, drawn[prior->region_score],
                                           drawn[prior->zone_score]);
    }
    if (s->season == SPOT_SEASON_DEFAULT) {
        p.season.amplitude = number_value(&s->season_amplitude, drawn);
        p.season.weekend_shift = number_value(&s->weekend_shift, drawn);
        p.season.best_hour = number_value(&s->best_hour, drawn);
    }
    if (s->losses.given) {
        p.short_s = fit_losses(&p, number_value(&s->losses, drawn)).short_s;
    }
    return p;
}

double pool_terms_gang_threshold(const struct hidden_parameters *p, uint32_t n)
{
    /* theta is scaled to keep the share of time, so the slope weighs 1/scale in its probits. */
    return p->threshold - p->node_slope * log(n) / hidden_season_scale(&p->season);
}

double pool_terms_losses_when_up(const struct hidden_parameters *p, uint32_t n)
{
    return crossing_loss_rate_when_up(
               pool_terms_gang_threshold(p, n),
               crossing_tick_correlation(p->short_weight, p->short_s, p->long_s)) /
           hidden_season_scale(&p->season);
}
