/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/published_chip.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Data sheets of accelerators that no instance of the catalogue has. */
static const struct accelerator others[] = {
    {.name = "P100",
     .full_name = "NVIDIA P100",
     .peak_flops = {[PRECISION_FP32] = 9.3e12},
     .memory_bandwidth_bytes_per_s = 732e9,
     .date = "2016"},
    {.name = "A30",
     .full_name = "NVIDIA A30",
     .peak_flops = {[PRECISION_FP32] = 10.3e12,
                    [PRECISION_TF32] = 82e12,
                    [PRECISION_FP16] = 165e12,
                    [PRECISION_BF16] = 165e12},
     .memory_bandwidth_bytes_per_s = 933e9,
     .date = "2021"},
};

/* The accelerator's name, up to its memory, as a word of the text; *exact: with its memory. */
static bool names_chip(const char *text, const char *name, bool *exact)
{
    const size_t length = strcspn(name, "-");
    *exact = name[length] == '\0' || strstr(text, name + length + 1) != NULL;
    char base[32];
    snprintf(base, sizeof base, "%.*s", (int)length, name);
    for (const char *at = strstr(text, base); at != NULL; at = strstr(at + 1, base)) {
        const bool begins = at == text || !isalnum((unsigned char)at[-1]);
        if (begins && !isalnum((unsigned char)at[length])) {
            return true;
        }
    }
    return false;
}

/* Of the instance that the row calls equivalent: a family of the catalogue as a word, "128 x p4de".
 */
static const struct accelerator *chip_of_instance(const char *text, const struct catalogue *c)
{
    for (size_t i = 0; i < catalogue_types(c); i++) {
        const struct instance_type *t = catalogue_type_at(c, i);
        const size_t length = strlen(t->family);
        for (const char *at = strstr(text, t->family); at != NULL; at = strstr(at + 1, t->family)) {
            if ((at == text || !isalnum((unsigned char)at[-1])) &&
                !isalnum((unsigned char)at[length]) && t->accelerator != NULL) {
                return t->accelerator;
            }
        }
    }
    return NULL;
}

/* The accelerator of the catalogue that the text names; *several: it names none of several that
 * differ in their memory. */
static const struct accelerator *find_chip(const char *text, const struct catalogue *c,
                                           bool *several)
{
    const struct accelerator *found = NULL;
    bool exact, settled = false;
    *several = false;
    for (size_t i = 0; i < catalogue_types(c); i++) {
        const struct accelerator *a = catalogue_type_at(c, i)->accelerator;
        if (a == NULL || a == found || !names_chip(text, a->name, &exact)) {
            continue;
        }
        *several = *several || (found != NULL && fabs(found->memory_bandwidth_bytes_per_s -
                                                      a->memory_bandwidth_bytes_per_s) > 0);
        settled = settled || exact;
        found = found == NULL || exact ? a : found;
    }
    *several = *several && !settled;
    return found;
}

const char *published_chip_find(const char *text, const char *instance_text,
                                const struct catalogue *c, struct accelerator *out)
{
    bool several, exact;
    if (strchr(text, '/') != NULL) {
        return "two kinds of accelerators";
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (names_chip(text, others[i].name, &exact)) {
            *out = others[i];
            return NULL;
        }
    }
    const struct accelerator *found = find_chip(text, c, &several);
    const struct accelerator *instance = several ? chip_of_instance(instance_text, c) : NULL;
    if (instance != NULL && names_chip(text, instance->name, &exact)) {
        found = instance;
    } else if (several) {
        return "an accelerator of several memories: which is not said";
    }
    if (found == NULL) {
        return "an accelerator that the catalogue does not know";
    }
    if (strcasestr(text, "pcie") != NULL && strstr(found->full_name, "SXM") != NULL) {
        return "a PCIe variant that the catalogue does not know";
    }
    *out = *found;
    return NULL;
}
