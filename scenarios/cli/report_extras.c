/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/report_extras.h"

#include "engine/file.h"
#include "engine/table_read.h"

#include <stdio.h>

#define WORDS(name)                                                                                \
    {                                                                                              \
        name, "", "", COLUMN_TEXT, -1                                                              \
    }
#define NUMBER(name)                                                                               \
    {                                                                                              \
        name, "", "", COLUMN_NUMBER, -1                                                            \
    }

static const struct column threshold_columns[] = {
    WORDS("input"),
    WORDS("unit"),
    NUMBER("now"),
    WORDS("chosen"),
    WORDS("other"),
    NUMBER("threshold"),
    NUMBER("threshold_low"),
    NUMBER("threshold_high"),
    WORDS("direction"),
    NUMBER("from"),
    NUMBER("to"),
    WORDS("outcome"),
    NUMBER("known_from"),
    NUMBER("known_to"),
    WORDS("cause"), /* not of an older version */
};

static struct table *read_optional(struct arena *a, const char *folder, const char *name,
                                   const struct column *columns, size_t count,
                                   struct diagnostics *d)
{
    const char *path = arena_format(a, "%s/%s.csv", folder, name);
    return path != NULL && file_exists(path)
               ? table_read_csv_older(path, name, columns, count, count, d)
               : NULL;
}

bool report_extras_read(struct report_extras *e, struct arena *a, const char *folder,
                        struct diagnostics *d)
{
    *e = (struct report_extras){
        .thresholds = read_optional(a, folder, "thresholds", threshold_columns,
                                    sizeof threshold_columns / sizeof threshold_columns[0], d)};
    if (diagnostics_failed(d)) {
        report_extras_release(e);
        return false;
    }
    return true;
}

void report_extras_release(struct report_extras *e)
{
    table_free(e->thresholds);
    *e = (struct report_extras){0};
}
