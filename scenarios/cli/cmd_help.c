/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast help: for people, and what the manual and completion are made of. */
#include "engine/schema.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/help.h"
#include "scenarios/cli/man_page.h"
#include "scenarios/cli/output_manual.h"
#include "scenarios/reader/scenario_keys.h"

#include <string.h>

static int print_schema(struct command *c, void (*write)(const struct schema *, struct text *))
{
    struct text out;
    text_init(&out, 0);
    write(&scenario_schema, &out);
    if (out.overflow) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    } else {
        fputs(out.data, stdout);
    }
    text_release(&out);
    return EXIT_DONE;
}

static int refuse(struct command *c, const char *name)
{
    const char *names[VERB_COUNT + 16];
    size_t count = 0;
    for (size_t i = 0; i < VERB_COUNT; i++) {
        names[count++] = verb_table[i].name;
    }
    for (size_t i = 0; help_topics[i] != NULL; i++) {
        names[count++] = help_topics[i];
    }
    const char *near = text_suggest(name, names, count);
    command_complain(c, DIAGNOSTIC_ERROR, "there is no help on '%s'%s%s%s", name,
                     near == NULL ? "; `fleetcast help` lists the verbs" : "; did you mean '",
                     near == NULL ? "" : near, near == NULL ? "" : "'?");
    return EXIT_USAGE;
}

int cmd_help(struct command *c)
{
    if (c->arguments->operand_count == 0) {
        return help_print_program(stdout);
    }
    const char *name = c->arguments->operands[0];
    const struct verb *verb = verb_find(name);
    if (verb != NULL) {
        return help_print_verb(stdout, verb);
    }
    if (strcmp(name, "keys") == 0) {
        return print_schema(c, schema_write_markdown);
    }
    if (strcmp(name, "paths") == 0) {
        return print_schema(c, schema_write_paths);
    }
    if (strcmp(name, "output") == 0) {
        return output_manual_print(c);
    }
    if (strcmp(name, "man") == 0) {
        man_page_write(stdout);
        return EXIT_DONE;
    }
    return refuse(c, name);
}
