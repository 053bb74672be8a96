/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast import: public formats to the project's own tables. */
#include "engine/money.h"
#include "engine/quantity.h"
#include "engine/text.h"
#include "scenarios/cli/new_file.h"
#include "scenarios/import/importer.h"

#include <string.h>
#include <time.h>

static const struct importer *find_importer(const char *name)
{
    for (size_t i = 0; importer_table[i] != NULL; i++) {
        if (strcmp(importer_table[i]->name, name) == 0) {
            return importer_table[i];
        }
    }
    return NULL;
}

/* A format is never guessed: some files would do for two. */
static bool check_layout(struct command *c, const struct importer *importer)
{
    const char *layout = c->arguments->value[OPTION_LAYOUT];
    const char *const *names = importer->layouts;
    struct text all;
    size_t count = 0;
    if (names == NULL) {
        if (layout != NULL) {
            command_complain(c, DIAGNOSTIC_ERROR,
                             "option '--layout' means nothing for '%s', which has one format",
                             importer->name);
        }
        return layout == NULL;
    }
    text_init(&all, 1000);
    for (; names[count] != NULL; count++) {
        if (layout != NULL && strcmp(layout, names[count]) == 0) {
            text_release(&all);
            return true;
        }
        text_format(&all, "%s%s", count == 0 ? "" : ", ", names[count]);
    }
    const char *near = layout == NULL ? NULL : text_suggest(layout, names, count);
    if (layout == NULL) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "the format of the files is not named; expected --layout with one of %s",
                         all.data);
    } else if (near != NULL) {
        command_complain(c, DIAGNOSTIC_ERROR, "there is no layout '%s'; did you mean '%s'?", layout,
                         near);
    } else {
        command_complain(c, DIAGNOSTIC_ERROR, "there is no layout '%s'; expected one of %s", layout,
                         all.data);
    }
    text_release(&all);
    return false;
}

/* Options that would be taken and mean nothing. */
static bool check_options(struct command *c, const struct importer *importer)
{
    static const enum option_id of_prices[] = {OPTION_REGION, OPTION_DATE, OPTION_SOURCE};
    static const enum option_id of_traces[] = {OPTION_ZONE, OPTION_POLARITY, OPTION_TICK,
                                               OPTION_UNIT, OPTION_LENGTH,   OPTION_PRODUCT};
    const enum option_id *others = importer->prices ? of_traces : of_prices;
    size_t count = importer->prices ? sizeof of_traces / sizeof of_traces[0]
                                    : sizeof of_prices / sizeof of_prices[0];
    for (size_t i = 0; i < count; i++) {
        if (c->arguments->value[others[i]] != NULL) {
            command_complain(c, DIAGNOSTIC_ERROR, "option '--%s' means nothing for '%s'",
                             option_table[others[i]].name, importer->name);
            return false;
        }
    }
    if (c->arguments->value[OPTION_COLUMNS] != NULL && !importer->takes_columns) {
        command_complain(c, DIAGNOSTIC_ERROR, "option '--columns' means nothing for '%s'",
                         importer->name);
        return false;
    }
    return true;
}

/* Seconds; 0 when the option is not given. False when it is no duration above zero. */
static bool read_duration(struct command *c, enum option_id option, double *out)
{
    const char *text = c->arguments->value[option];
    struct quantity q = {.value = 0};
    char message[200] = "expected a duration above zero";
    *out = 0;
    if (text == NULL) {
        return true;
    }
    if (!quantity_parse(text, strlen(text), DIMENSION_TIME, &q, message, sizeof message) ||
        !(q.value > 0)) {
        command_complain(c, DIAGNOSTIC_ERROR, "option '--%s' is '%s': %s",
                         option_table[option].name, text, message);
        return false;
    }
    *out = q.value;
    return true;
}

static double read_unit(const char *text)
{
    return text == NULL ? 0 : strcmp(text, "ms") == 0 ? 1e-3 : strcmp(text, "h") == 0 ? 3600 : 1;
}

int cmd_import(struct command *c)
{
    const struct arguments *a = c->arguments;
    const struct importer *importer = find_importer(a->operands[0]);
    const char *path = a->value[OPTION_OUTPUT];
    if (!check_layout(c, importer) || !check_options(c, importer) ||
        !new_file_allowed(c, path,
                          (struct new_file_kind){"table of this kind", importer->first_column})) {
        return EXIT_USAGE;
    }
    struct text said;
    text_init(&said, 0);
    struct import_request request = {.files = a->operands + 1,
                                     .file_count = a->operand_count - 1,
                                     .zone = a->value[OPTION_ZONE],
                                     .instance = a->value[OPTION_INSTANCE],
                                     .layout = a->value[OPTION_LAYOUT],
                                     .region = a->value[OPTION_REGION],
                                     .source = a->value[OPTION_SOURCE],
                                     .date_unix_s = a->date_unix_s,
                                     .said = &said,
                                     .polarity = a->value[OPTION_POLARITY],
                                     .columns = a->value[OPTION_COLUMNS],
                                     .product = a->value[OPTION_PRODUCT],
                                     .unit_s = read_unit(a->value[OPTION_UNIT]),
                                     .now_us = (int64_t)time(NULL) * MICROSECONDS,
                                     .arena = c->arena,
                                     .d = c->d};
    if (!read_duration(c, OPTION_TICK, &request.tick_s) ||
        !read_duration(c, OPTION_LENGTH, &request.length_s)) {
        return EXIT_USAGE;
    }
    void *made = importer->read(&request);
    fputs(said.data, stderr);
    text_release(&said);
    if (made != NULL && command_tell(c)) {
        new_file_write(c, path, importer->write, made);
    }
    if (made != NULL && importer->release != NULL) {
        importer->release(made);
    }
    return EXIT_DONE;
}
