/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/sentences/title_offers.h"

#include "plots/text/label.h"

/* What signing nothing costs more than the best size. */
static const struct offer_point *nothing_of(const struct offer_curve *o)
{
    return o->point[0].size > 0.0 ? NULL : &o->point[0];
}

void title_offers(struct text *out, const struct offer_curves *c, const char *currency)
{
    bool any = false;

    for (size_t i = 0; i < c->count; i++) {
        const struct offer_curve *o = &c->offer[i];
        const struct offer_point *nothing = nothing_of(o), *best = &o->point[o->least];
        struct text name;
        any = any || best->size > 0.0;
        if (nothing == NULL || !(nothing->regret_low > 0.0))
            continue;
        text_init(&name, 4096);
        label_clean(&name, o->name);
        text_format(out, "%s of ", offer_size(o, best, currency).text);
        label_shorten(out, name.data, 24.0, true);
        text_format(out, " alone %s %s less on average than nothing signed",
                    best->size == 1.0 || o->hourly ? "costs" : "cost",
                    figure_money(nothing->regret, currency, FIGURE_NEAREST).text);
        text_release(&name);
        return;
    }
    text_add(out, any ? "No offer alone is clearly cheaper than nothing signed"
                      : "No offer alone costs less than nothing signed");
}
