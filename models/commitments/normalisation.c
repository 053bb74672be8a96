/* SPDX-License-Identifier: GPL-3.0-or-later
 * See normalisation.h. */
#include "models/commitments/normalisation.h"

#include <stdio.h>
#include <string.h>

enum { XLARGE = 8 * NORMALISATION_SCALE, LARGEST_MULTIPLE = 224 };

struct named_factor {
    const char *name;
    int64_t quarters;
};

static const struct named_factor sizes[] = {
    {"nano", 1}, {"micro", 2}, {"small", 4}, {"medium", 8}, {"large", 16}, {"xlarge", XLARGE},
};

/* Families whose plain "metal" the guide lists, by its equivalent multiple of xlarge. */
static const struct {
    const char *families; /* each between spaces */
    int64_t multiple;
} metals[] = {
    {" a1 ", 4},
    {" m5zn z1d ", 12},
    {" c6g c6gd i3 m6g m6gd r6g r6gd x2gd ", 16},
    {" c5n ", 18},
    {" c5 c5d i3en m5 m5d m5dn m5n r5 r5b r5d r5dn r5n ", 24},
};

size_t instance_family_length(const char *type)
{
    size_t length = strcspn(type, ".");
    return type[length] == '.' && type[length + 1] != '\0' ? length : 0;
}

bool instance_same_family(const char *type, const char *other)
{
    size_t length = instance_family_length(type);
    return length > 0 && length == instance_family_length(other) &&
           memcmp(type, other, length) == 0;
}

bool instance_of_family(const char *type, const char *family)
{
    size_t length = instance_family_length(type);
    return length > 0 && strlen(family) == length && memcmp(type, family, length) == 0;
}

bool instance_size_flexible(const char *type)
{
    static const char *const rigid[] = {"g4ad", "g4dn", "g5", "g5g", "inf1"};
    for (size_t i = 0; i < sizeof rigid / sizeof rigid[0]; i++) {
        if (instance_of_family(type, rigid[i])) {
            return false;
        }
    }
    return instance_family_length(type) > 0;
}

/* The N of "Nxlarge" or "Nxl", 2 … 224, without leading zeros; else 0. */
static int64_t multiple_of(const char *size, const char *unit)
{
    size_t digits = strspn(size, "0123456789");
    if (digits == 0 || digits > 3 || size[0] == '0' || strcmp(size + digits, unit) != 0) {
        return 0;
    }
    int64_t n = 0;
    for (size_t i = 0; i < digits; i++) {
        n = 10 * n + (size[i] - '0');
    }
    return n >= 2 && n <= LARGEST_MULTIPLE ? n : 0;
}

static int64_t metal_multiple(const char *type, size_t family_length)
{
    char family[24];
    if (strncmp(type, "u-", 2) == 0) {
        return 112;
    }
    if (family_length + 3 > sizeof family) {
        return 0;
    }
    snprintf(family, sizeof family, " %.*s ", (int)family_length, type);
    for (size_t i = 0; i < sizeof metals / sizeof metals[0]; i++) {
        if (strstr(metals[i].families, family)) {
            return metals[i].multiple;
        }
    }
    return 0;
}

int64_t normalisation_quarters(const char *type)
{
    size_t family_length = instance_family_length(type);
    if (family_length == 0) {
        return 0;
    }
    const char *size = type + family_length + 1;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        if (strcmp(size, sizes[i].name) == 0) {
            return sizes[i].quarters;
        }
    }
    if (strcmp(size, "metal") == 0) {
        return metal_multiple(type, family_length) * XLARGE;
    }
    static const char metal_prefix[] = "metal-";
    if (strncmp(size, metal_prefix, sizeof metal_prefix - 1) == 0) {
        return multiple_of(size + sizeof metal_prefix - 1, "xl") * XLARGE;
    }
    return multiple_of(size, "xlarge") * XLARGE;
}

void normalisation_explain(const char *type, char *out, size_t out_size)
{
    size_t family_length = instance_family_length(type);
    if (family_length == 0) {
        snprintf(out, out_size, "'%.100s' is not an instance type; expected 'family.size'", type);
        return;
    }
    snprintf(out, out_size, "the size '%.100s' of '%.100s' has no normalisation factor",
             type + family_length + 1, type);
}
