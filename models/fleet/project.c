/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/project.h"

#include "engine/civil_time.h"

#include <math.h>
#include <stddef.h>

#define TEN_YEARS_S (10 * 365.25 * 86400)

static const struct schema_key cancel_keys[] = {
    {.name = "probability",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .offset = offsetof(struct cancel_spec, probability),
     .place_offset = offsetof(struct cancel_spec, place),
     .help = "How likely the project is cancelled before its work is done."},
    {.name = "at",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SPAN,
     .low = 0,
     .high = TEN_YEARS_S,
     .offset = offsetof(struct cancel_spec, at),
     .help = "When, from the scenario's start: `4mo`, or `60d..200d`."},
};

const struct schema cancel_schema = {
    .name = "cancel",
    SCHEMA_KEYS(cancel_keys),
    .size = sizeof(struct cancel_spec),
    .help = "The risk that the project is cancelled: work ends, nodes go, commitments stay.",
};

static const struct schema_key grow_keys[] = {
    {.name = "work",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = -0.95,
     .high = 10,
     .default_text = "0 %",
     .offset = offsetof(struct grow_spec, work),
     .help = "By how much the work of training turns out larger than stated: it is multiplied by "
             "one plus this."},
};

const struct schema grow_schema = {
    .name = "grow",
    .shorthand = "work",
    SCHEMA_KEYS(grow_keys),
    .size = sizeof(struct grow_spec),
    .help = "How much more there is to do than stated; the growth of the work alone may stand in "
            "its place.",
};

static bool add_luck(struct project *p, const struct market_context *c)
{
    struct distribution uniform = {
        .family = DISTRIBUTION_UNIFORM, .p = {0.0, 1.0}, .low = -HUGE_VAL, .high = HUGE_VAL};
    char message[160];
    if (!distribution_prepare(&uniform, NULL, message, sizeof message)) {
        return false;
    }
    p->luck = inputs_add(c->inputs, "cancel.luck", "frac", &uniform);
    return p->luck >= 0;
}

bool project_make(struct project *p, const struct project_spec *spec,
                  const struct market_context *context)
{
    const struct cancel_spec *c = &spec->cancel;
    *p = (struct project){.spec = *spec, .start_unix_s = context->start_unix_s, .luck = -1};
    if (c->probability.given != c->at.given) {
        diagnostics_add(context->diagnostics, DIAGNOSTIC_ERROR, spec->cancel_place,
                        "'cancel' needs both 'probability' and 'at'; expected 'cancel: "
                        "{probability: 15 %%, at: 4mo}'");
    }
    p->cancels = c->probability.given && (c->probability.input >= 0 || c->probability.median > 0);
    return !p->cancels || add_luck(p, context);
}

/* Whole months that are stated for certain are counted in the calendar. */
static double span_s(const struct project *p, const struct number *n, const double *drawn)
{
    if (n->input >= 0 || n->months == 0) {
        return number_value(n, drawn);
    }
    int64_t end_s = civil_add_months(p->start_unix_s, n->months) - p->start_unix_s;
    return (double)end_s + n->median - n->months * NUMBER_MONTH_S;
}

double project_cancel_s(const struct project *p, const double *drawn)
{
    if (!p->cancels || drawn == NULL ||
        !(drawn[p->luck] < number_value(&p->spec.cancel.probability, drawn))) {
        return HUGE_VAL;
    }
    return span_s(p, &p->spec.cancel.at, drawn);
}

double project_slip_s(const struct project *p, const double *drawn)
{
    return span_s(p, &p->spec.slip, drawn);
}

double project_work_factor(const struct project *p, const double *drawn)
{
    return 1.0 + number_value(&p->spec.grow.work, drawn);
}
