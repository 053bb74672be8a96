/* SPDX-License-Identifier: GPL-3.0-or-later
 * See charge_price.h. */
#include "models/billing/charge_price.h"

#include "engine/civil_time.h"
#include "models/market/market_assumed.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool charge_complain(const struct market_context *c, struct place where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    diagnostics_addv(c->diagnostics, DIAGNOSTIC_ERROR, where, format, args);
    va_end(args);
    return false;
}

static void assume(const struct storage_price *p, enum storage_item item,
                   const struct market_context *c)
{
    const struct storage_tier *last = &p->tiers[p->tier_count - 1];
    long long days = (c->start_unix_s - p->from_unix_s) / 86400;
    char money[32], date[24], more[80] = "", age[64] = "", source[400];
    if (p->tier_count > 1) {
        snprintf(more, sizeof more, ", less beyond %.0f a month", p->tiers[0].up_to);
    } else if (isfinite(last->up_to)) {
        snprintf(more, sizeof more, ", beyond %.0f too", last->up_to);
    }
    if (days > OLD_PRICE_DAYS) {
        snprintf(age, sizeof age, ", %lld days before the start", days);
    }
    if (strcmp(p->layer, p->source) == 0) {
        snprintf(source, sizeof source, "price file %s", p->layer);
    } else {
        snprintf(source, sizeof source, "catalogue (%s): %s", p->layer, p->source);
    }
    assumptions_add(c->assumptions, false, source,
                    arena_format(c->arena, "price of %s", storage_item_names[item]),
                    "%s %s per %s%s, known on %s%s", money_text(p->tiers[0].price, money),
                    c->region->currency, p->unit, more, civil_date_text(p->from_unix_s, date), age);
}

bool charge_price_find(struct charge_price *p, const struct number *stated, enum storage_item item,
                       const char *key, struct place where, const struct market_context *c)
{
    if (stated->given) {
        p->stated = stated;
        return true;
    }
    if (!catalogue_storage(c->catalogue, item, c->region->code, c->prices_as_of_unix_s,
                           &p->listed)) {
        char why[700];
        catalogue_explain_missing_storage(c->catalogue, item, c->region->code,
                                          c->prices_as_of_unix_s, why, sizeof why);
        diagnostics_add(c->diagnostics, DIAGNOSTIC_INFEASIBLE, where,
                        "%s; state it with '%s', or in a file of 'price_files'", why, key);
        return false;
    }
    assume(&p->listed, item, c);
    return true;
}

double charge_price_value(const struct charge_price *p, const double *drawn)
{
    return p->stated != NULL ? number_value(p->stated, drawn)
                             : money_to_double(p->listed.tiers[0].price);
}

double charge_price_of(const struct charge_price *p, double quantity, const double *drawn)
{
    return p->stated != NULL ? quantity * number_value(p->stated, drawn)
                             : storage_price_of_first(&p->listed, quantity);
}
