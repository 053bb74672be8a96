/* SPDX-License-Identifier: GPL-3.0-or-later
 * See ladder.h. */
#include "models/commitments/ladder.h"

#include "engine/civil_time.h"

#include <math.h>

double ladder_at_s(const struct commitment_spec *s, int64_t start_unix_s, int64_t rung)
{
    int months = s->at.months + (int)rung * s->every.months;
    double seconds = s->at.value + (double)rung * s->every.value;
    return (double)(civil_add_months(start_unix_s, months) - start_unix_s) + seconds;
}

size_t ladder_rungs(const struct commitment_spec *items, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += items[i].kind == CHOICE_CAPACITY_RESERVATION ? 0 : (size_t)items[i].times;
    }
    return sum;
}

static bool is_given(const struct quantity *span)
{
    return span->months > 0 || span->value > 0;
}

bool ladder_check(const struct commitment_spec *s, const struct market_context *c)
{
    if (is_given(&s->every) != (s->times > 1)) {
        diagnostics_add(
            c->diagnostics, DIAGNOSTIC_ERROR, s->item.place,
            s->times > 1 ? "%lld purchases, but no 'every'; expected the time from one to the "
                           "next, such as 'every: 3mo'"
                         : "'every' without 'times'; expected how many purchases in all, such as "
                           "'times: 4', in place of %lld",
            (long long)s->times);
        return false;
    }
    double last_s = ladder_at_s(s, c->start_unix_s, s->times - 1);
    if (last_s < c->horizon_s) {
        return true;
    }
    char date[24];
    (void)civil_date_text(c->start_unix_s + (int64_t)floor(last_s), date);
    if (s->times == 1) {
        diagnostics_add(c->diagnostics, DIAGNOSTIC_WARNING, s->item.place,
                        "bought on %s, after the horizon: it covers nothing of this plan, which "
                        "pays for all of it",
                        date);
        return true;
    }
    diagnostics_add(c->diagnostics, DIAGNOSTIC_ERROR, s->item.place,
                    "purchase %lld of %lld would be made on %s, after the horizon; expected all of "
                    "them before it: lower 'times' or 'every'",
                    (long long)s->times, (long long)s->times, date);
    return false;
}
