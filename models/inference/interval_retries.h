/* SPDX-License-Identifier: GPL-3.0-or-later
 * Requests that are sent again, as a flow: what fails in a stretch of time comes back some time
 * later, each with one attempt more, until it has had all that are stated. What flows anywhere is a
 * mix of requests by their attempts made before; each part has its mean age, from the first time it
 * was sent. */
#ifndef FLEETCAST_MODELS_INTERVAL_RETRIES_H
#define FLEETCAST_MODELS_INTERVAL_RETRIES_H

#include <stdbool.h>
#include <stddef.h>

/* So often a request may be sent again, at most. */
enum { INTERVAL_MOST_RETRIES = 8 };

struct request_mix {
    double share[INTERVAL_MOST_RETRIES + 1]; /* by attempts before; they make 1 */
    double age_s[INTERVAL_MOST_RETRIES + 1]; /* when this attempt was made */
};

struct retry_batch {
    double due_s, amount;
    struct request_mix mix;
};

/* Zeroed: none, without memory. */
struct interval_retries {
    size_t most;                 /* attempts after the first */
    double after_s;              /* from a failure to the next attempt */
    struct retry_batch *batches; /* a ring; due first, first */
    size_t first, count, capacity;
    double amount; /* read only: of all */
};

/* For a new world; keeps memory. */
void interval_retries_begin(struct interval_retries *r, size_t most, double after_s);
void interval_retries_release(struct interval_retries *r);

/* All for the first time. */
struct request_mix request_mix_fresh(void);
/* Adds `more` of a mix to `amount` of another. */
void request_mix_add(struct request_mix *mix, double amount, const struct request_mix *other,
                     double more);

/* So much of a mix failed now, `waited_s` after it was sent. Returns what of it is sent again; the
 * rest has failed for good. False in *good when memory is out. */
double interval_retries_fail(struct interval_retries *r, const struct request_mix *mix,
                             double amount, double waited_s, double now_s, bool *good);
/* Takes what is due by then, adds it to `mix`, of which there is `fresh`, and returns its amount.
 */
double interval_retries_take(struct interval_retries *r, double by_s, double fresh,
                             struct request_mix *mix);
/* Puts back what was taken and is not sent yet: it is due before all others. */
void interval_retries_return(struct interval_retries *r, const struct request_mix *mix,
                             double amount, double due_s);

#endif
