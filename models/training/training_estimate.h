/* SPDX-License-Identifier: GPL-3.0-or-later
 * The speed of a job on which nothing has been measured: models/speed put to this workload, on this
 * strategy's instances. For models/training only. */
#ifndef FLEETCAST_MODELS_TRAINING_ESTIMATE_H
#define FLEETCAST_MODELS_TRAINING_ESTIMATE_H

#include "models/training/training_making.h"

/* True when the model says enough for FLOPs, so that an estimate can be tried. */
bool training_estimate_possible(const struct making *m);
/* From a stated `mfu`, else from the roofline, whose error is added to the inputs. False, told,
 * when there is none for such models, chips, formats or settings. */
bool training_estimate_make(const struct making *m);
/* Units of work (tokens or samples, as the workload counts them) per second on so many nodes. */
double training_estimate_units_per_s(const struct training_plan *plan, double nodes,
                                     const double *drawn);
/* Of the estimate's units (tokens, sequences, images) in one of the workload's. */
double training_estimate_units_per_work(const struct training_plan *plan);
/* What a measured speed would mean for the accelerators' peak: refused above it, doubted above 70
 * %. True where nothing is known. */
bool training_estimate_check_measured(const struct making *m, double units_per_s);

#endif
