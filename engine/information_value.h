/* SPDX-License-Identifier: GPL-3.0-or-later
 * What it is worth to know something before choosing among options: the expected value of perfect
 * information, of everything (EVPI) or of one input (EVPPI; Raiffa and Schlaifer, Applied
 * Statistical Decision Theory, 1961; estimated from one sample of worlds by regression as Strong,
 * Oakley and Brennan, Medical Decision Making 34, 2014, 311-326).
 *
 * Options are chosen by the least mean loss. Without knowledge the best is the one of the least
 * mean, b. Who knows all chooses anew in each world, and gains mean(L_b - min L). Who knows one
 * input x chooses by the conditional means given x. Those are not known but estimated, and the
 * least of several estimates is too low by their noise, so the plain estimator finds value where
 * there is none. Here the worlds are parted into five: what is chosen in a world follows from
 * conditional means fitted to the other four fifths, and what is counted is the loss that this
 * choice has in that world. The result is the gain of a rule that could really be followed: it does
 * not exceed the value, but for noise around it, and falls short where a cubic in the normal scores
 * of x cannot follow the conditional means. b is chosen in the same worlds that judge it, which
 * makes the gain smaller, never larger. */
#ifndef FLEETCAST_ENGINE_INFORMATION_VALUE_H
#define FLEETCAST_ENGINE_INFORMATION_VALUE_H

#include <stdbool.h>
#include <stddef.h>

/* Mean gain over n worlds and its 95 % Student interval from differences world by world; none is
 * below 0, since knowing does no harm. NaN when n < INFORMATION_MIN_WORLDS or out of memory. */
struct information_value {
    double value, low, high;
};
#define INFORMATION_MIN_WORLDS 20

/* The losses of `options` >= 1 options in n worlds, all known: loss[option][world]. */
struct information_losses {
    const double *const *loss;
    size_t options, n;
};

/* The option of the least mean, the first of equals. */
size_t information_best(const struct information_losses *l);
/* Of all that differs between worlds. */
struct information_value information_value_of_all(const struct information_losses *l);
/* Of one input: x[world], all finite. */
struct information_value information_value_of(const struct information_losses *l, const double *x);

#endif
