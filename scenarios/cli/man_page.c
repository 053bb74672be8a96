/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/man_page.h"

#include "scenarios/cli/options.h"

#include <ctype.h>
#include <string.h>

/* Text as troff: no character of it is a command. A blank line becomes a new paragraph. */
static void put_text(FILE *out, const char *text)
{
    bool at_start = true;
    for (const char *s = text; *s != '\0'; s++) {
        if (*s == '\n') {
            s += strspn(s, "\n") - 1;
            fputs("\n.PP\n", out);
            at_start = true;
            continue;
        }
        if (at_start && (*s == '.' || *s == '\'')) {
            fputs("\\&", out);
        }
        at_start = false;
        switch (*s) {
        case '\\':
            fputs("\\e", out);
            break;
        case '-':
            fputs("\\-", out);
            break;
        case '\'':
            fputs("\\(aq", out);
            break;
        case '`':
            fputs("\\(ga", out);
            break;
        case '^':
            fputs("\\(ha", out);
            break;
        case '~':
            fputs("\\(ti", out);
            break;
        default:
            fputc(*s, out);
        }
    }
}

static void put_line(FILE *out, const char *text)
{
    put_text(out, text);
    fputc('\n', out);
}

/* "A sentence": help rows begin small and have no full stop. */
static void put_sentence(FILE *out, const char *text)
{
    fputc(toupper((unsigned char)text[0]), out);
    put_text(out, text + 1);
    fputs(".\n", out);
}

static void put_option(FILE *out, const struct option_row *row)
{
    fputs(".TP\n", out);
    if (row->letter != 0) {
        fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
    }
    fputs("\\fB", out);
    put_text(out, "--");
    put_text(out, row->name);
    fputs("\\fR", out);
    if (row->argument != NULL) {
        fputs(" \\fI", out);
        put_text(out, row->argument);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_sentence(out, row->help);
    if (row->fallback != NULL) {
        fputs("Default: ", out);
        put_text(out, row->fallback);
        fputs(".\n", out);
    }
    fputs("Verbs: ", out);
    const char *comma = "";
    for (size_t v = 0; v < VERB_COUNT; v++) {
        if ((row->verbs & 1u << v) != 0) {
            fprintf(out, "%s%s", comma, verb_table[v].name);
            comma = ", ";
        }
    }
    fputs(".\n", out);
}

static void put_verb(FILE *out, const struct verb *verb)
{
    fprintf(out, ".SS ");
    put_text(out, "fleetcast ");
    put_text(out, verb->name);
    if (verb->operands[0] != '\0') {
        fputc(' ', out);
        put_text(out, verb->operands);
    }
    fputc('\n', out);
    put_sentence(out, verb->summary);
    fputs(".PP\n", out);
    put_line(out, verb->text);
    for (size_t i = 0; verb->examples[i].term != NULL; i++) {
        fputs(".PP\n", out);
        put_sentence(out, verb->examples[i].meaning);
        fputs(".PP\n.in +4n\n.nf\n", out);
        put_line(out, verb->examples[i].term);
        fputs(".fi\n.in\n", out);
    }
}

void man_page_write(FILE *out)
{
    fputs(".\\\" Written by `fleetcast help man` from the tables of verbs and options.\n"
          ".TH FLEETCAST 1 \"\" \"fleetcast " FLEETCAST_VERSION "\" \"User Commands\"\n"
          ".SH NAME\n"
          "fleetcast \\- cost and time of machine learning on cloud GPU instances\n"
          ".SH SYNOPSIS\n"
          ".B fleetcast\n"
          ".I VERB\n"
          "[\\fIOPERAND\\fR...] [\\fIOPTION\\fR...]\n"
          ".SH DESCRIPTION\n"
          "A scenario file says what has to be trained, on which instances, and how they may be\n"
          "bought.\n"
          ".B fleetcast\n"
          "simulates every strategy in thousands of random worlds, events and bill alike, and\n"
          "writes the distributions of cost and time to train as CSV files and charts.\n"
          "It needs no network and no account.\n"
          ".PP\n"
          "Options may stand anywhere; \\fB\\-\\-\\fR ends them; \\fB\\-\\fR is standard input.\n"
          ".SH VERBS\n",
          out);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        put_verb(out, &verb_table[i]);
    }
    fputs(".SH OPTIONS\n", out);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        put_option(out, &option_table[i]);
    }
    fputs(".SH EXIT STATUS\n", out);
    for (const struct help_row *r = exit_code_rows; r->term != NULL; r++) {
        fprintf(out, ".TP\n.B %s\n", r->term);
        put_sentence(out, r->meaning);
    }
    fputs(".SH ENVIRONMENT\n"
          ".TP\n.B FLEETCAST_CATALOGUE\n"
          "The folder of the catalogue, in place of the one that came with the program.\n"
          ".TP\n.B GNUPLOT\n"
          "The program that draws the charts, in place of gnuplot.\n"
          ".TP\n.BR LC_ALL \", \" LC_CTYPE \", \" LANG\n"
          "When the encoding they name is not UTF\\-8, tables hold ASCII marks only.\n"
          ".SH FILES\n"
          ".TP\n.I fleetcast\\-results/NAME\n"
          "Where results are written when \\fB\\-\\-output\\fR names no directory.\n",
          out);
}
