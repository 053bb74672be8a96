/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/fleet/moment.h"

#include "engine/civil_time.h"
#include "engine/quantity.h"

#include <stdio.h>
#include <string.h>

bool moment_parse(const char *text, int64_t start_unix_s, double *s, char *message,
                  size_t message_size)
{
    int64_t unix_s;
    struct quantity q;
    if (civil_parse(text, &unix_s)) {
        *s = (double)(unix_s - start_unix_s);
        return true;
    }
    if (!quantity_parse(text, strlen(text), DIMENSION_SPAN, &q, message, message_size)) {
        snprintf(message, message_size,
                 "expected a date or time (UTC) such as 2026-03-02T08:00Z, or a time from the "
                 "scenario's start such as 36h");
        return false;
    }
    *s = (double)(civil_add_months(start_unix_s, q.months) - start_unix_s) + q.value;
    return true;
}
