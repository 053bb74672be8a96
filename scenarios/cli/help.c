/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/help.h"

#include "engine/text.h"
#include "scenarios/cli/wrap.h"

enum { WIDTH = 80, NARROW = 14, WIDE = 28 };

const char *help_option_text(const struct option_row *row, char out[64])
{
    char letter[8] = "";
    if (row->letter != 0) {
        snprintf(letter, sizeof letter, "-%c, ", row->letter);
    }
    snprintf(out, 64, "%s--%s%s%s", letter, row->name, row->argument == NULL ? "" : " ",
             row->argument == NULL ? "" : row->argument);
    return out;
}

/* columns: where the meaning begins, on a line of its own below a longer term. */
static void print_row(FILE *out, const char *term, const char *meaning, int columns)
{
    int length = fprintf(out, "  %s", term);
    if (length >= columns) {
        fputc('\n', out);
        length = 0;
    }
    fprintf(out, "%*s", columns - length, "");
    wrap_print(out, meaning, columns, columns, WIDTH);
}

static void print_option(FILE *out, const struct option_row *row)
{
    char term[64];
    struct text meaning;
    text_init(&meaning, 0);
    text_add(&meaning, row->help);
    if (row->fallback != NULL) {
        text_format(&meaning, " (default: %s)", row->fallback);
    }
    print_row(out, help_option_text(row, term), meaning.data, WIDE);
    text_release(&meaning);
}

int help_print_program(FILE *out)
{
    fputs("fleetcast simulates machine learning on cloud GPU instances in thousands of random\n"
          "worlds: what will it cost, and when will it be done?\n\n"
          "  fleetcast run scenarios/quickstart.yaml\n\n"
          "Verbs:\n",
          out);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        print_row(out, verb_table[i].name, verb_table[i].summary, NARROW);
    }
    fputs("\nExit codes:\n", out);
    for (const struct help_row *r = exit_code_rows; r->term != NULL; r++) {
        print_row(out, r->term, r->meaning, NARROW);
    }
    fputs("\n`fleetcast help VERB` explains a verb with its options and shows examples.\n", out);
    return EXIT_DONE;
}

int help_print_verb(FILE *out, const struct verb *verb)
{
    fprintf(out, "Usage: fleetcast %s %s%s[OPTION...]\n\n", verb->name, verb->operands,
            verb->operands[0] == '\0' ? "" : " ");
    wrap_print(out, verb->text, 0, 0, WIDTH);
    fputs("\nOptions:\n", out);
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (option_belongs((enum option_id)i, verb)) {
            print_option(out, &option_table[i]);
        }
    }
    fputs("\nExamples:\n", out);
    for (size_t i = 0; verb->examples[i].term != NULL; i++) {
        fprintf(out, "  %s\n      %s\n", verb->examples[i].term, verb->examples[i].meaning);
    }
    return EXIT_DONE;
}
