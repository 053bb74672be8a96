/* SPDX-License-Identifier: GPL-3.0-or-later
 * The table `sensitivity` for one strategy's cost: which uncertain inputs it hangs on, in order of
 * what they move, in words and for the tornado chart.
 *
 * An input is a *driver* when its rank correlation differs from zero at a level of 5 % over the
 * number of inputs (Bonferroni), and the medians where it is low and where it is high are known. No
 * other is ever named as one. */
#ifndef FLEETCAST_PLOTS_DRIVERS_H
#define FLEETCAST_PLOTS_DRIVERS_H

#include "engine/diagnostics.h"
#include "engine/text.h"
#include "plots/facts/study_facts.h"

#include <stdbool.h>
#include <stddef.h>

#define DRIVERS_MAX 8

struct driver {
    const char *input, *unit; /* of the table's */
    double p10, p90;          /* of the input */
    double low, high;         /* median of the cost where it is low, and where it is high */
    double correlation;
};

struct drivers {
    int strategy;   /* whose; -1: of none */
    double middle;  /* median of the cost over all futures */
    size_t count;   /* of `driver`, those that move the median most first */
    size_t all;     /* drivers there are */
    size_t inputs;  /* uncertain inputs */
    size_t unknown; /* inputs that would be, but for a median that is not known */
    struct driver driver[DRIVERS_MAX];
};

/* Of the chosen strategy, else of that of lowest P50 that stands, else of the first whose median is
 * known. False without rows of it, or when the table lacks a column (told). t may be NULL. */
bool drivers_read(struct drivers *r, const struct study_facts *f, const struct table *t,
                  struct diagnostics *d);

/* The input's path without what it begins with ("workloads."), cleaned: "fine-tune.mfu". The level
 * of a spot market, "market.spot.p4d.us-east-1.score", is "room on spot p4d.us-east-1". */
void driver_name(struct text *out, const char *input, double max_em, bool bold);
/* "p4d.us-east-1" of "market.spot.p4d.us-east-1.score", and its length; NULL of other inputs. */
const char *driver_market(const char *input, size_t *length);
/* A value of an input as people write it: "35 %", "90 s", "$20/h", "1.28". */
struct figure driver_value(double value, const char *unit);
/* What is said under its name: "35 % to 45 %"; of the level of a market what low and high mean. */
void driver_range(struct text *out, const struct driver *d);

/* The title, in the order in which the rules are tried; X is the strategy:
 *   - No driver: "No uncertain input has a clear effect on the cost of X".
 *   - One, or the first moves the median at least twice as far as the second: "A moves the cost of
 *     X most: P50 $5,830 where it is low, $4,620 where it is high" ("A moves the cost of X", where
 *     it is the only driver).
 *   - Else "A and B move the cost of X most" ("A and B move …" when there is no other). */
void title_drivers(struct text *out, const struct study_facts *f, const struct drivers *r);

#endif
