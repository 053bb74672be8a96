/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/speed/chip_speed.h"

#include <stdlib.h>
#include <string.h>

#define PCIE_OLD_BYTES_PER_S 1.5e9
#define PCIE_NEW_BYTES_PER_S 12e9
#define PCIE_NEW_YEAR        2020

struct chip_row {
    const char *begins; /* with this the accelerator's name does */
    enum chip_evidence evidence;
    double clock; /* base over boost, where the catalogue's peak is at boost; else 1 */
};

/* K80: 560 MHz base, 875 MHz boost; M60: 899 and 1,178 (NVIDIA board specifications). */
static const struct chip_row chip_rows[] = {
    {"A100", CHIP_MEASURED, 1},
    {"H100", CHIP_MEASURED, 1},
    {"V100", CHIP_MEASURED, 1},
    {"L4", CHIP_MEASURED, 1},
    {"A30", CHIP_MEASURED, 1},
    {"P100", CHIP_MEASURED, 1},
    {"K80", CHIP_MEASURED, 560.0 / 875.0},
    {"M60", CHIP_EXTRAPOLATED, 899.0 / 1178.0},
};

static const struct chip_row *find_row(const struct accelerator *a)
{
    for (size_t i = 0; i < sizeof chip_rows / sizeof chip_rows[0]; i++) {
        const size_t length = strlen(chip_rows[i].begins);
        const char end = strncmp(a->name, chip_rows[i].begins, length) == 0 ? a->name[length] : 'x';
        if (end == '\0' || end == '-') {
            return &chip_rows[i];
        }
    }
    return NULL;
}

enum chip_evidence chip_evidence_of(const struct accelerator *a)
{
    const struct chip_row *row = find_row(a);
    if (row != NULL) {
        return row->evidence;
    }
    return a->full_name != NULL && strncmp(a->full_name, "NVIDIA ", 7) == 0 ? CHIP_EXTRAPOLATED
                                                                            : CHIP_FOREIGN;
}

double chip_peak_flops(const struct accelerator *a, enum precision precision)
{
    const struct chip_row *row = find_row(a);
    return a->peak_flops[precision] * (row == NULL ? 1 : row->clock);
}

void chip_add_precisions(const struct accelerator *a, struct text *out)
{
    const char *joint = "";
    for (int p = 0; p < PRECISION_COUNT; p++) {
        if (a->peak_flops[p] > 0 && precision_bytes((enum precision)p) > 0) {
            text_format(out, "%s%s", joint, precision_names[p]);
            joint = ", ";
        }
    }
    if (joint[0] == '\0') {
        text_add(out, "none with a published peak");
    }
}

double precision_bytes(enum precision precision)
{
    switch (precision) {
    case PRECISION_FP32:
    case PRECISION_TF32:
        return 4;
    case PRECISION_FP16:
    case PRECISION_BF16:
        return 2;
    case PRECISION_FP8:
        return 1.5;
    case PRECISION_FP64:
    case PRECISION_INT8:
    case PRECISION_FP4:
    case PRECISION_COUNT:
        break;
    }
    return 0;
}

double precision_gradient_bytes(enum precision precision)
{
    return precision == PRECISION_FP64                                  ? 8
           : precision == PRECISION_FP32 || precision == PRECISION_TF32 ? 4
                                                                        : 2;
}

double chip_link_bytes_per_s(const struct instance_type *type, bool *assumed)
{
    *assumed = !(type->nvlink_bytes_per_s > 0);
    if (!*assumed) {
        return type->nvlink_bytes_per_s / 2;
    }
    const char *date = type->accelerator == NULL ? NULL : type->accelerator->date;
    const long year = date == NULL ? PCIE_NEW_YEAR : strtol(date, NULL, 10);
    return year < PCIE_NEW_YEAR ? PCIE_OLD_BYTES_PER_S : PCIE_NEW_BYTES_PER_S;
}
