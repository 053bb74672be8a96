/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whether a key can be set, and what it then does, is found out by setting it: the scenario is
 * loaded with it, which costs some hundredths of a second and knows all rules. */
#include "scenarios/cli/threshold_inputs.h"

#include "engine/column_unit.h"
#include "engine/quantity.h"
#include "scenarios/cli/load.h"
#include "scenarios/reader/setting_axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Quantiles of a drawn input between which it is searched. */
#define LEAST 0.01
#define MOST  0.99

struct finding_inputs {
    struct command *command;
    const struct study *base;
    struct threshold_inputs *out;
    size_t room;
};

/* ---- loading on trial ---- */

/* The first error of a trial, in the arena. */
static const char *first_error(struct command *c, const struct diagnostics *d)
{
    enum diagnostic_kind kind;
    const char *text;
    for (size_t i = 0; (text = diagnostics_text(d, i, &kind, NULL)) != NULL; i++) {
        if (kind != DIAGNOSTIC_WARNING && kind != DIAGNOSTIC_NOTE) {
            const char *copy = arena_string(c->arena, text);
            return copy == NULL ? "out of memory" : copy;
        }
    }
    return "it cannot be set";
}

/* The study with path=value; NULL with a reason. The caller frees. */
static struct study *try_setting(struct command *c, const char *path, const char *value,
                                 const char **reason)
{
    struct diagnostics *d = diagnostics_new();
    const char *set = arena_format(c->arena, "%s=%s", path, value);
    struct study *s = d == NULL || set == NULL ? NULL : load_study_with(c, &set, 1, d);
    if (s == NULL) {
        *reason = d == NULL || set == NULL ? "out of memory" : first_error(c, d);
    }
    diagnostics_free(d);
    return s;
}

static struct study *try_value(struct command *c, const char *path, double value, const char *unit,
                               const char **reason)
{
    char text[64];
    return try_setting(c, path, column_unit_setting(value, unit, text), reason);
}

static bool is_there(const struct threshold_inputs *all, const char *path)
{
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->items[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

static void add(struct finding_inputs *f, struct threshold_input one)
{
    if (f->out->count < f->room && !is_there(f->out, one.path)) {
        f->out->items[f->out->count++] = one;
    }
}

/* ---- drawn inputs ---- */

/* What the program draws by itself, such as the level of a market. */
static bool has_no_key(const char *reason)
{
    return strstr(reason, "must be a mapping") != NULL || strstr(reason, "unknown key") != NULL;
}

static void add_drawn(struct finding_inputs *f, const struct input *in)
{
    struct threshold_input one = {.path = in->name,
                                  .unit = in->unit,
                                  .from = distribution_quantile(&in->distribution, LEAST),
                                  .to = distribution_quantile(&in->distribution, MOST),
                                  .now = distribution_quantile(&in->distribution, 0.5),
                                  .whole = in->distribution.family == DISTRIBUTION_POISSON};
    struct study *s = try_value(f->command, one.path, one.now, one.unit, &one.reason);
    if (s == NULL && has_no_key(one.reason)) {
        one.reason = "no key of the scenario sets it";
    }
    if (s != NULL && !(one.from < one.to)) {
        one.reason = "it does not vary";
    }
    study_free(s);
    add(f, one);
}

/* ---- the market ---- */

/* Tries a key of a pool: the plan with the trial value must have it. */
static bool reaches(struct finding_inputs *f, const char *path, double value, const char *unit,
                    int pool, double (*planned)(const struct market_plan *, int))
{
    const char *reason = NULL;
    struct study *s = try_value(f->command, path, value, unit, &reason);
    bool ok = s != NULL && market_plan_pools(s->market) > (size_t)pool &&
              fabs(planned(s->market, pool) - value) <= 1e-6 * fabs(value);
    study_free(s);
    return ok;
}

static double availability_of_one(const struct market_plan *p, int pool)
{
    return market_planned_availability(p, pool, 1);
}

static double loss_rate_of_one(const struct market_plan *p, int pool)
{
    return market_planned_loss_rate(p, pool, 1);
}

static const char *pool_path(struct finding_inputs *f, const struct pool_info *info,
                             const char *key)
{
    return arena_format(f->command->arena, "market.%s.%s.%s",
                        info->purchase == PURCHASE_SPOT ? "spot" : "on-demand", info->type->name,
                        key);
}

static void add_price(struct finding_inputs *f, const struct pool_info *info, int pool)
{
    const double now = market_planned_price_per_hour(f->base->market, pool);
    const char *path = pool_path(f, info, "price");
    char currency[8], *unit = arena_alloc(f->command->arena, 24);
    if (path == NULL || unit == NULL || !(now > 0) || is_there(f->out, path)) {
        return;
    }
    for (size_t i = 0; i < 4; i++) { /* "USD" -> "usd", its end too */
        char c = f->base->scenario->currency[i];
        currency[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    snprintf(unit, 24, "%.3s_per_hour", currency);
    if (reaches(f, path, 1.25 * now, unit, pool, market_planned_price_per_hour)) {
        add(f, (struct threshold_input){path, unit, now / 2, now * 2, now, false, NULL});
    }
}

static void add_capacity(struct finding_inputs *f, const struct pool_info *info, int pool)
{
    const double share = availability_of_one(f->base->market, pool);
    const double rate = loss_rate_of_one(f->base->market, pool);
    const char *availability = pool_path(f, info, "availability");
    const char *interruptions = pool_path(f, info, "interruptions");
    if (availability == NULL || interruptions == NULL) {
        return;
    }
    if (share < 1 && !is_there(f->out, availability) &&
        reaches(f, availability, share > 0.55 ? 0.5 : 0.6, "frac", pool, availability_of_one)) {
        add(f, (struct threshold_input){availability, "frac", 0.05, 0.99, share, false, NULL});
    }
    if (share >= 1 && rate > 0 && !is_there(f->out, interruptions) &&
        reaches(f, interruptions, 1.25 * rate, "per_s", pool, loss_rate_of_one)) {
        add(f, (struct threshold_input){interruptions, "per_s", rate / 10, rate * 10, rate, false,
                                        NULL});
    }
}

static void add_market(struct finding_inputs *f)
{
    for (size_t p = 0; p < market_plan_pools(f->base->market); p++) {
        const struct pool_info *info = market_pool_info(f->base->market, (int)p);
        if (info->purchase == PURCHASE_SPOT || info->purchase == PURCHASE_ON_DEMAND) {
            add_price(f, info, (int)p);
        }
        if (info->purchase == PURCHASE_SPOT) {
            add_capacity(f, info, (int)p);
        }
    }
}

/* ---- those that are named ---- */

/* "5..20 USD/h": both ends, the unit of the second for the first where it has none. */
static bool split_range(struct command *c, const char *text, const char **low, const char **high)
{
    const char *dots = strstr(text, "..");
    if (dots == NULL || dots == text || dots[2] == '\0') {
        return false;
    }
    size_t number;
    *low = arena_copy(c->arena, text, (size_t)(dots - text));
    *high = arena_string(c->arena, dots + 2);
    if (*low == NULL || *high == NULL) {
        return false;
    }
    number = quantity_number_length(*low, strlen(*low));
    if (number > 0 && number == strlen(*low)) {
        size_t of_high = quantity_number_length(*high, strlen(*high));
        *low = arena_format(c->arena, "%s%s", *low, *high + of_high);
    }
    return *low != NULL;
}

/* The name that the input has in the study: without quotes. */
static const char *plain_path(struct command *c, const char *path)
{
    char *plain = arena_string(c->arena, path);
    size_t n = 0;
    for (size_t i = 0; plain != NULL && path[i] != '\0'; i++) {
        if (path[i] != '"' && path[i] != '\'') {
            plain[n++] = path[i];
        }
    }
    if (plain != NULL) {
        plain[n] = '\0';
    }
    return plain;
}

/* A key that takes whole numbers alone, which cannot be uncertain. */
static bool whole_range(struct command *c, const char *path, const char *low, const char *high,
                        struct threshold_input *one)
{
    char *end_low, *end_high;
    const char *reason;
    double from = strtod(low, &end_low), to = strtod(high, &end_high);
    if (*end_low != '\0' || *end_high != '\0' || from != floor(from) || to != floor(to) ||
        !(from < to)) {
        return false;
    }
    struct study *s = try_setting(c, path, low, &reason);
    *one = (struct threshold_input){path, "", from, to, (double)NAN, true, NULL};
    study_free(s);
    return s != NULL;
}

static double median_in(const struct study *s, const char *plain)
{
    int at = inputs_find(s->scenario->inputs, plain);
    return at < 0 ? (double)NAN
                  : distribution_quantile(&inputs_at(s->scenario->inputs, (size_t)at)->distribution,
                                          0.5);
}

/* What planning knows of a key of the market that is certain; NaN of others. */
static double planned_now(struct finding_inputs *f, const char *plain)
{
    for (size_t p = 0; p < market_plan_pools(f->base->market); p++) {
        const struct pool_info *info = market_pool_info(f->base->market, (int)p);
        if (info->purchase != PURCHASE_SPOT && info->purchase != PURCHASE_ON_DEMAND) {
            continue;
        }
        const char *price = pool_path(f, info, "price");
        const char *share = pool_path(f, info, "availability");
        if (price != NULL && strcmp(price, plain) == 0) {
            return market_planned_price_per_hour(f->base->market, (int)p);
        }
        if (share != NULL && strcmp(share, plain) == 0) {
            return availability_of_one(f->base->market, (int)p);
        }
    }
    return (double)NAN;
}

/* How it is simulated, searched or judged is no input of the world. */
static bool is_of_method(const char *path)
{
    static const char *const keys[] = {
        "version",      "seed",   "replications", "precision", "max_replications",
        "precision_of", "choose", "limits",       "search",    "commitment_levels"};
    const size_t length = strcspn(path, ".");
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strlen(keys[i]) == length && strncmp(path, keys[i], length) == 0) {
            return true;
        }
    }
    return false;
}

static bool add_named(struct finding_inputs *f, const char *text)
{
    struct command *c = f->command;
    struct setting_axis axis;
    const char *low, *high, *reason = NULL;
    const char *equals = strchr(text, '=');
    const bool has_value = equals != NULL && equals != text && equals[1] != '\0';
    if (has_value && !setting_axis_parse(&axis, text, c->arena, c->d)) {
        return false;
    }
    if (!has_value || axis.count != 1 || !split_range(c, axis.values[0], &low, &high)) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "'%s' is no range; expected --input path.to.key=low..high", text);
        return false;
    }
    const char *plain = plain_path(c, axis.path);
    if (plain != NULL && is_of_method(plain)) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "--input %s: '%s' says how to simulate or to choose, and is no input of "
                         "the world; expected a key of workloads, market, strategies, account or "
                         "charges, or horizon, deadline or budget",
                         text, plain);
        return false;
    }
    const char *value = arena_format(c->arena, "\"uniform(%s; %s)\"", low, high);
    struct study *s =
        plain == NULL || value == NULL ? NULL : try_setting(c, axis.path, value, &reason);
    int at = s == NULL ? -1 : inputs_find(s->scenario->inputs, plain);
    struct threshold_input one = {.path = axis.path, .now = (double)NAN};
    bool ok = at >= 0;
    if (ok) {
        const struct input *in = inputs_at(s->scenario->inputs, (size_t)at);
        one.unit = arena_string(c->arena, in->unit);
        one.from = in->distribution.p[0];
        one.to = in->distribution.p[1];
        one.now = median_in(f->base, plain);
        one.now = isnan(one.now) ? planned_now(f, plain) : one.now;
        ok = one.unit != NULL && one.from < one.to;
    } else {
        ok = whole_range(c, axis.path, low, high, &one);
    }
    study_free(s);
    if (!ok) {
        command_complain(c, DIAGNOSTIC_ERROR, "--input %s: %s", text,
                         reason != NULL ? reason : "the key takes no range of numbers");
        return false;
    }
    add(f, one);
    return true;
}

bool threshold_inputs_find(struct threshold_inputs *out, struct command *c,
                           const struct study *base)
{
    const struct arguments *a = c->arguments;
    const size_t drawn = inputs_count(base->scenario->inputs);
    struct finding_inputs f = {.command = c, .base = base, .out = out};
    bool ok = true;
    f.room = a->input_count + drawn + 2 * market_plan_pools(base->market);
    *out =
        (struct threshold_inputs){.items = arena_array(c->arena, f.room + 1, sizeof *out->items)};
    if (out->items == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    for (size_t i = 0; i < a->input_count; i++) {
        ok = add_named(&f, a->inputs[i]) && ok;
    }
    for (size_t i = 0; a->input_count == 0 && i < drawn; i++) {
        add_drawn(&f, inputs_at(base->scenario->inputs, i));
    }
    if (a->input_count == 0) {
        add_market(&f);
    }
    return ok;
}
