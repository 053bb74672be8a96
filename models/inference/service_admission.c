/* SPDX-License-Identifier: GPL-3.0-or-later
 * Who is let in: limits of requests in flight, of their rate, and of the wait that is foreseen. */
#include "models/inference/service_state.h"

#include <math.h>

void service_admission_begin(struct service_run *s, const double *drawn)
{
    const struct admission_spec *a = &s->plan->spec->admission;
    s->admission =
        (struct admission_state){.rate = a->rate.given ? number_value(&a->rate, drawn) : HUGE_VAL,
                                 .wait_s = a->wait.given ? number_value(&a->wait, drawn) : HUGE_VAL,
                                 .tokens = (double)a->burst};
}

/* Takes one when there is one. */
static bool take_token(struct service_run *s)
{
    struct admission_state *a = &s->admission;
    double now_s = s->calendar->now_s, most = (double)s->plan->spec->admission.burst;
    if (!isfinite(a->rate)) {
        return true;
    }
    a->tokens = fmin(most, a->tokens + (now_s - a->filled_s) * a->rate);
    a->filled_s = now_s;
    /* What falls due at this very instant is there, however its time was summed up. */
    if (a->tokens < 1 - 1e-9) {
        return false;
    }
    a->tokens = fmax(0, a->tokens - 1);
    return true;
}

/* The request counts among those in flight already. */
static bool has_place(const struct service_run *s)
{
    const struct admission_spec *a = &s->plan->spec->admission;
    double here = service_in_flight(s), ready = s->ready > 0 ? s->ready : 1;
    return (a->in_flight == 0 || here <= (double)a->in_flight) &&
           (a->in_flight_per_replica == 0 || here <= (double)a->in_flight_per_replica * ready);
}

static bool waits_too_long(struct service_run *s)
{
    double rate = service_capacity(s), wait_s = (service_waiting(s) + 1.0) / rate;
    return isfinite(s->admission.wait_s) && rate > 0 && !service_takes_one(s) &&
           wait_s > s->admission.wait_s * (1 + 1e-9);
}

bool service_admits_within_limits(struct service_run *s)
{
    /* A token goes only to those who come in. */
    return has_place(s) && !waits_too_long(s) && take_token(s);
}
