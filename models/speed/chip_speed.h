/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the speed estimate takes an accelerator for: its sustained peak in a precision, how wide its
 * elements are, how its neighbours are reached, and whether any published measurement supports the
 * estimate. */
#ifndef FLEETCAST_MODELS_CHIP_SPEED_H
#define FLEETCAST_MODELS_CHIP_SPEED_H

#include "engine/text.h"
#include "models/catalogue/catalogue.h"

#include <stdbool.h>

enum chip_evidence {
    CHIP_MEASURED,     /* rows of this chip are among the fitted measurements */
    CHIP_EXTRAPOLATED, /* of the same make and kind: estimated, and marked */
    CHIP_FOREIGN       /* other compilers and memories: no estimate */
};
enum chip_evidence chip_evidence_of(const struct accelerator *a);

/* Dense peak per second that training can be held to; 0: the chip lacks the precision. K80 and M60
 * run far below the boost clock of their data sheets under load, so their base clock counts. */
double chip_peak_flops(const struct accelerator *a, enum precision precision);
/* "fp32, fp16": what it has. */
void chip_add_precisions(const struct accelerator *a, struct text *out);

/* Bytes of memory traffic per element of an activation or weight; 0: training in this precision was
 * never measured. FP8 keeps much in 16 bits: 1.5, assumed. */
double precision_bytes(enum precision precision);
/* Bytes per gradient that is exchanged. */
double precision_gradient_bytes(enum precision precision);

/* Bytes per second and direction between two accelerators of a node: half the two-way NVLink figure
 * of the catalogue, else PCIe (*assumed): 1.5 GB/s with chips of before 2020 (implied by Gavel on
 * K80 and P100 hosts), 12 GB/s after. */
double chip_link_bytes_per_s(const struct instance_type *type, bool *assumed);

#endif
