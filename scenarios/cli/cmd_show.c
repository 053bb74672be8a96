/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast show: the catalogue as tables, and the defaults of all keys. */
#include "models/catalogue/model_tables.h"
#include "models/catalogue/offer_tables.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/defaults_table.h"
#include "scenarios/cli/requests_summary.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/cli/trace_summary.h"
#include "scenarios/reader/scenario_keys.h"

#include <stdio.h>
#include <string.h>

typedef struct table *make_table(const struct catalogue *c, const struct catalogue_filter *f,
                                 struct diagnostics *d);

struct topic {
    const char *name; /* of show_topics */
    make_table *make; /* NULL: needs no catalogue */
    struct table *(*summary)(const char *path,
                             struct diagnostics *d); /* of a file; NULL: of none */
    /* Too long for people's eyes, or the same in every row. */
    const char *hidden[8];
};

static const struct topic topics[] = {
    {"instances",
     catalogue_table_instances,
     NULL,
     {"gpu_memory_total_gib", "price_confirmed", "price_layer", "date", "source", NULL}},
    {"prices", catalogue_table_prices, NULL, {"source", NULL}},
    {"spot",
     catalogue_table_spot,
     NULL,
     {"source", "advisor_date", "advisor_savings_frac", "advisor_layer", NULL}},
    {"reserved",
     catalogue_table_reserved,
     NULL,
     {"spot_mean_per_hour", "break_even_spot_frac", "confirmed", "layer", "source", NULL}},
    {"savings",
     catalogue_table_savings,
     NULL,
     {"low_per_hour", "high_per_hour", "spot_mean_per_hour", "confirmed", "layer", "source", NULL}},
    {"blocks", catalogue_table_blocks, NULL, {"layer", "source", "note", NULL}},
    {"regions", catalogue_table_regions, NULL, {"date", "source", NULL}},
    {"defaults", NULL, NULL, {"meaning", NULL}},
    {"trace", NULL, trace_summary, {NULL}},
    {"models", catalogue_table_models, NULL, {"active_millions", "source", "note", NULL}},
    {"requests", NULL, requests_summary, {NULL}},
};

static const struct topic *find_topic(const char *name)
{
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        if (strcmp(topics[i].name, name) == 0) {
            return &topics[i];
        }
    }
    return NULL;
}

/* The options that look into the catalogue mean nothing beside it. */
static bool check_filters(struct command *c, const struct topic *topic)
{
    static const enum option_id filters[] = {OPTION_REGION, OPTION_DATE,  OPTION_GPU_MEMORY,
                                             OPTION_GPUS,   OPTION_DTYPE, OPTION_HISTORY};
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        if (c->arguments->value[filters[i]] != NULL) {
            command_complain(c, DIAGNOSTIC_ERROR,
                             "option '--%s' means nothing for 'show %s'; drop it",
                             option_table[filters[i]].name, topic->name);
        }
    }
    return !diagnostics_failed(c->d);
}

static struct table *make(struct command *c, const struct topic *topic,
                          const struct catalogue *catalogue)
{
    const struct arguments *a = c->arguments;
    const char *pattern = a->operand_count > 1 ? a->operands[1] : NULL;
    if (topic->make == NULL) {
        struct table *t = NULL;
        if (topic->summary != NULL && pattern == NULL) {
            command_complain(c, DIAGNOSTIC_ERROR,
                             "the file of the %s is missing; expected "
                             "'show %s FILE'",
                             topic->name, topic->name);
        } else if (check_filters(c, topic)) {
            t = topic->summary != NULL ? topic->summary(pattern, c->d)
                                       : defaults_table(&scenario_schema, pattern);
        }
        if (t == NULL && !diagnostics_failed(c->d)) {
            command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        }
        return t;
    }
    if (topic->make == catalogue_table_models && !check_filters(c, topic)) {
        return NULL;
    }
    struct catalogue_filter filter = {
        .pattern = pattern,
        .region = a->value[OPTION_REGION],
        .date_unix_s = a->date_unix_s,
        .gpu_memory = a->value[OPTION_GPU_MEMORY],
        .gpus = a->value[OPTION_GPUS],
        .dtype = a->value[OPTION_DTYPE],
        .history = a->value[OPTION_HISTORY] != NULL,
    };
    return topic->make(catalogue, &filter, c->d);
}

static void refuse_column(struct command *c, const struct table *t, const char *name)
{
    const char **names = arena_array(c->arena, table_columns(t), sizeof *names);
    struct text all;
    text_init(&all, 1000);
    for (size_t i = 0; names != NULL && i < table_columns(t); i++) {
        names[i] = table_column(t, i)->name;
        text_format(&all, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    const char *near = names == NULL ? NULL : text_suggest(name, names, table_columns(t));
    if (near != NULL) {
        diagnostics_add(c->d, DIAGNOSTIC_ERROR, (struct place){"--sort", 0, 0},
                        "there is no column '%s'; did you mean '%s'?", name, near);
    } else {
        diagnostics_add(c->d, DIAGNOSTIC_ERROR, (struct place){"--sort", 0, 0},
                        "there is no column '%s'; expected one of %s", name, all.data);
    }
    text_release(&all);
}

/* "price_per_hour", "price_per_hour:desc". */
static bool sort(struct command *c, struct table *t)
{
    const char *text = c->arguments->value[OPTION_SORT];
    if (text == NULL) {
        return true;
    }
    const char *colon = strchr(text, ':');
    const char *name = colon == NULL ? text : arena_copy(c->arena, text, (size_t)(colon - text));
    if (colon != NULL && strcmp(colon, ":desc") != 0 && strcmp(colon, ":asc") != 0) {
        diagnostics_add(c->d, DIAGNOSTIC_ERROR, (struct place){"--sort", 0, 0},
                        "'%s' will not do; expected COLUMN, COLUMN:asc or COLUMN:desc", text);
        return false;
    }
    int column = name == NULL ? -1 : table_find(t, name);
    if (column < 0) {
        refuse_column(c, t, name == NULL ? "" : name);
        return false;
    }
    table_sort(t, (size_t)column, colon != NULL && strcmp(colon, ":desc") == 0);
    return true;
}

int cmd_show(struct command *c)
{
    const struct topic *topic = find_topic(c->arguments->operands[0]);
    struct catalogue *catalogue = topic->make == NULL ? NULL : catalogue_load(NULL, NULL, 0, c->d);
    struct table *t = NULL;
    if (topic->make == NULL || catalogue != NULL) {
        t = make(c, topic, catalogue);
    }
    /* A pattern that matches nothing is told by the catalogue. */
    bool told = diagnostics_count(c->d, DIAGNOSTIC_WARNING) > 0;
    if (t != NULL && sort(c, t) && command_tell(c)) {
        table_print(c, t, topic->hidden);
        if (table_rows(t) == 0 && c->arguments->format == FORMAT_TABLE && !told) {
            command_complain(c, DIAGNOSTIC_WARNING, "nothing in the catalogue is like that");
        }
    }
    table_free(t);
    catalogue_free(catalogue);
    return EXIT_DONE;
}
