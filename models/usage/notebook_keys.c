/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/usage/notebook_keys.h"

#include <stddef.h>

#define DAY_S 86400.0

#define NOTEBOOK(member) offsetof(struct notebook_spec, member)

static const char *const found_names[] = {"next-use", "next-day", NULL};

static const struct schema_key notebook_keys[] = {
    {.name = "people",
     .kind = SCHEMA_INTEGER,
     .low = 0,
     .high = NOTEBOOK_MOST_PEOPLE,
     .required = true,
     .offset = NOTEBOOK(people),
     .help = "How many people there are, each with a machine of their own."},
    {.name = "begins",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .default_text = "8h..10h",
     .offset = NOTEBOOK(begins),
     .help = "When a person's first session of a day begins, since 00:00 UTC; drawn anew for each "
             "person and day."},
    {.name = "session",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .required = true,
     .offset = NOTEBOOK(session),
     .help = "How long a machine is worked on at a time: `lognormal(p50=3h; p95=8h)`; drawn anew "
             "each time."},
    {.name = "sessions",
     .kind = SCHEMA_INTEGER,
     .low = 1,
     .high = NOTEBOOK_MOST_SESSIONS,
     .default_text = "1",
     .offset = NOTEBOOK(sessions),
     .help = "Sessions of a day on which the machine is used."},
    {.name = "pause",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = DAY_S,
     .default_text = "1h",
     .offset = NOTEBOOK(pause),
     .help = "From the end of a session to the begin of the next one of that day."},
    {.name = "use",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .default_text = "100 %",
     .offset = NOTEBOOK(use),
     .help = "Share of working days on which a person uses the machine, each day by chance."},
    {.name = "weekend",
     .kind = SCHEMA_FLAG,
     .default_text = "no",
     .offset = NOTEBOOK(weekend),
     .help = "`yes`: Saturdays and Sundays are working days too."},
    {.name = "forgotten",
     .kind = SCHEMA_NUMBER,
     .dimension = DIMENSION_SHARE,
     .low = 0,
     .high = 1,
     .required = true,
     .offset = NOTEBOOK(forgotten),
     .help = "Share of sessions after which the machine is left on, each by chance; after the "
             "others it is stopped at once."},
    {.name = "found",
     .kind = SCHEMA_CHOICE,
     .choices = found_names,
     .default_text = "next-use",
     .offset = NOTEBOOK(found),
     .help = "Until when a machine that was left on runs: `next-use`, when it is worked on again; "
             "`next-day`: until its person begins the next working day, used or not. A strategy's "
             "`stop_when_idle` ends it sooner."},
    {.name = "boot",
     .kind = SCHEMA_VARIATE,
     .dimension = DIMENSION_TIME,
     .low = 0,
     .high = 30 * DAY_S,
     .default_text = "3min",
     .offset = NOTEBOOK(boot),
     .help = "Time from a machine's launch to its being ready, for which its person waits."},
    STORAGE_KEYS(struct notebook_spec),
    LABEL_KEY_OWNER(NOTEBOOK(labels), "Whose machines they are: split.csv splits the cost by "
                                      "owner."),
    LABEL_KEY_TAGS(NOTEBOOK(labels)),
};

const struct schema notebooks_schema = {
    .name = "notebooks",
    .tag = "kind",
    SCHEMA_KEYS(notebook_keys),
    .size = sizeof(struct notebook_spec),
    .help = "Machines that people work on in office hours, and at times forget to stop.",
};
