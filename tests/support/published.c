/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct published published;

void beside(const char *key, double ours, double theirs, int decimals)
{
    double tolerance = 0.5 * pow(10, -decimals) * (1 + 1e-6) + 1e-9 * fabs(theirs);
    bool same = fabs(ours - theirs) <= tolerance;
    printf("  %-24s %20.*f %20.*f%s\n", key, decimals, ours, decimals, theirs,
           same ? "" : "  differs");
    published.numbers++;
    published.differences += !same;
}

void time_beside(const char *key, const char *ours, const char *theirs)
{
    bool same = strncmp(ours, theirs, 19) == 0; /* theirs may have .000 behind the seconds */
    printf("  %-24s %20s %20s%s\n", key, ours, theirs, same ? "" : "  differs");
    published.numbers++;
    published.differences += !same;
}

void all_beside(json_t *theirs, const struct figure_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_object_get(theirs, pairs[i].key);
        if (json_is_boolean(value)) {
            beside(pairs[i].key, pairs[i].ours, json_is_true(value), 0);
        } else if (json_is_number(value)) {
            beside(pairs[i].key, pairs[i].ours, json_number_value(value), pairs[i].decimals);
        } else {
            printf("  %s is not among theirs  differs\n", pairs[i].key);
            published.differences++;
        }
    }
}

/* ---- import and read back ---- */

static const struct importer *find_importer(const char *name)
{
    size_t i = 0;
    while (strcmp(importer_names[i], name) != 0) {
        i++;
    }
    return importer_table[i];
}

bool published_import(const char *kind, const char *name, struct import_request r)
{
    char *path = arena_format(r.arena, "%s/traces/%s", published.folder, name);
    const char *const paths[] = {path};
    const struct importer *importer = find_importer(kind);
    r.files = paths;
    r.file_count = 1;
    void *made = importer->read(&r);
    FILE *out = made == NULL ? NULL : fopen(published.table, "w");
    bool ok = out != NULL && importer->write(made, out);
    ok = (out == NULL || fclose(out) == 0) && ok;
    if (made != NULL && importer->release != NULL) {
        importer->release(made);
    }
    return ok;
}

/* ---- samples ---- */

/* By linear interpolation between order statistics. */
double quantile_of(const double *sorted, size_t n, double p)
{
    double at = p * (double)(n - 1);
    size_t low = (size_t)at;
    return low + 1 < n ? sorted[low] + (at - (double)low) * (sorted[low + 1] - sorted[low])
                       : sorted[n - 1];
}

double share_between(const double *hours, size_t n, double low, double high)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        count += hours[i] >= low && hours[i] < high;
    }
    return (double)count / (double)n;
}

void moments_of(const double *hours, size_t n, double *mean, double *deviation)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += hours[i];
    }
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        squares += (hours[i] - *mean) * (hours[i] - *mean);
    }
    *deviation = sqrt(squares / (double)n);
}
