/* SPDX-License-Identifier: GPL-3.0-or-later
 * Names of instance types ("family.size") and the weights by which a size-flexible Reserved
 * Instance counts sizes of one family. Weights are the provider's normalisation factors times four,
 * so that a nano (0.25) is a whole number and coverage stays exact.
 * Source: EC2 user guide, "How Reserved Instances are applied" (2023-06-15). */
#ifndef FLEETCAST_MODELS_NORMALISATION_H
#define FLEETCAST_MODELS_NORMALISATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NORMALISATION_SCALE 4

/* Bytes of the part before the dot; 0 when the name is not "family.size". */
size_t instance_family_length(const char *type);
/* Whether both names are of one family; false when either is not "family.size". */
bool instance_same_family(const char *type, const char *other);
/* Whether this name is of the family "p4d". */
bool instance_of_family(const char *type, const char *family);

/* Whether regional Reserved Instances (Linux, default tenancy) of this type's family cover other
 * sizes: not so for G4ad, G4dn, G5, G5g and Inf1. */
bool instance_size_flexible(const char *type);

/* The factor times NORMALISATION_SCALE. "Nxlarge" counts N times xlarge for every N from 2 to 224,
 * also for those that the guide's table does not list; "metal" as its family's largest size, where
 * the guide says so. 0 when the size is unknown. */
int64_t normalisation_quarters(const char *type);
/* Why it is 0, as a sentence: "the size '7large' of 'm5.7large' has no normalisation factor". */
void normalisation_explain(const char *type, char *out, size_t out_size);

#endif
