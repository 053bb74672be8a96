/* SPDX-License-Identifier: GPL-3.0-or-later
 * Everything that one (workload, strategy) pair is checked against, while its plan is made. For
 * models/training only. */
#ifndef FLEETCAST_MODELS_TRAINING_MAKING_H
#define FLEETCAST_MODELS_TRAINING_MAKING_H

#include "models/training/training_plan.h"

struct making {
    struct training_plan *plan;
    const struct training_spec *spec;
    const struct strategy *strategy;
    struct strategy_terms terms;
    const struct instance_type *type; /* NULL: unknown */
    struct market_plan *market;
    double project_deadline_s; /* 0: none, or not for this workload */
    const struct market_context *context;
};

/* Where the strategy says how this workload is run. */
struct place making_place(const struct making *m);
/* Tells what is wrong; false for the caller's convenience. */
bool making_complain(const struct making *m, enum diagnostic_kind kind, struct place where,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));
/* What is wrong with the workload whatever the strategy: told once, not for each strategy. */
bool making_complain_once(const struct making *m, enum diagnostic_kind kind, struct place where,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
/* A name for the register of assumptions, in the context's arena. */
const char *making_name(const struct making *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
