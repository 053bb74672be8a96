/* SPDX-License-Identifier: GPL-3.0-or-later
 * libyaml speaks of tokens and contexts; people make a dozen mistakes. Each row below is one of
 * them: the words of libyaml 0.2.5, the character it stopped at, and what to say instead. */
#include "scenarios/reader/yaml_problem.h"

#include <limits.h>
#include <string.h>

struct place yaml_place(const struct yaml_source *source, yaml_mark_t mark)
{
    struct place p = {source->file, 0, 0};

    if (!source->without_lines && mark.line < INT_MAX && mark.column < INT_MAX) {
        p.line = (int)mark.line + 1;
        p.column = (int)mark.column + 1;
    }
    return p;
}

struct hint {
    const char *problem; /* libyaml's problem begins with this */
    const char *context; /* and its context with this; NULL: any */
    const char *at;      /* and the character at the mark is one of these; NULL: any */
    bool at_context;     /* the fault is where the context began, not where the parser gave up */
    const char *text;    /* %c stands for the character */
    const char *note;    /* told at the context; NULL: none */
};

static const struct hint hints[] = {
    {"found a tab", NULL, NULL, false, "a tab is used as indentation; use spaces", NULL},
    {"found character that cannot start", NULL, "\t", false,
     "a tab is used as indentation; use spaces", NULL},
    {"found character that cannot start", NULL, "@`%", false,
     "a value cannot begin with '%c'; put it in quotes", NULL},
    {"mapping values are not allowed", NULL, NULL, false,
     "this ':' cannot stand here; put text that holds ': ' in quotes, write a space after the ':' "
     "of "
     "a key, and indent keys of one mapping alike",
     NULL},
    {"could not find expected ':'", NULL, NULL, true,
     "expected 'key: value'; a space must follow the ':'", NULL},
    {"did not find expected key", NULL, "}]", false, "'%c' closes nothing", NULL},
    {"did not find expected ',' or '}'", NULL, NULL, false, "expected ',' or '}' before this",
     "the '{' that is open"},
    {"did not find expected ',' or ']'", NULL, NULL, false, "expected ',' or ']' before this",
     "the '[' that is open"},
    {"did not find expected '-' indicator", NULL, NULL, false,
     "expected '- '; a list cannot be mixed with keys, and its items are indented alike",
     "the list begins here"},
    {"found unexpected end of stream", "while scanning a quoted", NULL, true,
     "this quote is never closed", NULL},
    {"found unexpected document indicator", "while scanning a quoted", NULL, true,
     "this quote is never closed", NULL},
    {"found unknown escape", NULL, NULL, false,
     "unknown escape in double quotes; write \\\\ for a backslash, or use single quotes", NULL},
    {"did not find expected hexdecimal", NULL, NULL, false,
     "unknown escape in double quotes; write \\\\ for a backslash, or use single quotes", NULL},
    {"", "while scanning an alias", NULL, true,
     "a value cannot begin with '*'; put it in quotes (aliases are not supported)", NULL},
    {"", "while scanning an anchor", NULL, true,
     "a value cannot begin with '&'; put it in quotes (anchors are not supported)", NULL},
    {"", "while scanning a tag", NULL, true,
     "a value cannot begin with '!'; put it in quotes (tags are not supported)", NULL},
    {"", "while parsing a tag", NULL, true,
     "a value cannot begin with '!'; put it in quotes (tags are not supported)", NULL},
    {"", "while scanning a block scalar", NULL, true,
     "a value cannot begin with '|' or '>'; put it in quotes", NULL},
    {"block sequence entries are not allowed", NULL, NULL, false,
     "a list item cannot stand here; begin each '- ' on a line of its own, or write [a, b]", NULL},
    {"did not find expected node content", NULL, ",}]", false, "a value is missing before '%c'",
     NULL},
    {"did not find expected node content", NULL, NULL, false, "a value is missing here", NULL},
    {"did not find expected <document start>", NULL, NULL, false,
     "text after the end of the document", NULL},
};

static bool begins(const char *text, const char *prefix)
{
    return text != NULL && strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The byte at the index-th code point; NUL at the end of the text. */
static size_t find_byte(const struct yaml_source *s, size_t index)
{
    size_t i = 0;

    while (i < s->length && index > 0) {
        i++;
        while (i < s->length && ((unsigned char)s->text[i] & 0xc0) == 0x80)
            i++;
        index--;
    }
    return i;
}

static bool matches(const struct hint *h, const yaml_parser_t *p, char at)
{
    return begins(p->problem, h->problem) &&
           (h->context == NULL || begins(p->context, h->context)) &&
           (h->at == NULL || (at != '\0' && strchr(h->at, at) != NULL));
}

/* "did not find expected key": either text behind a closed quote, or a line indented like none. */
static void tell_misplaced_key(const yaml_parser_t *p, const struct yaml_source *s, size_t byte,
                               struct diagnostics *d)
{
    struct place where = yaml_place(s, p->problem_mark);

    if (byte > 0 && p->problem_mark.column > 0) {
        size_t before = byte;
        while (before > 0 && s->text[before - 1] == ' ')
            before--;
        if (before > 0 && (s->text[before - 1] == '"' || s->text[before - 1] == '\'')) {
            diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                            "text after a closing quote; put the whole value in one pair of quotes "
                            "('' stands for ' inside single quotes)");
            return;
        }
    }
    diagnostics_add(d, DIAGNOSTIC_ERROR, where,
                    "expected a key; this is not indented like the keys around it");
    if (p->context_mark.line < p->problem_mark.line)
        diagnostics_add(d, DIAGNOSTIC_NOTE, yaml_place(s, p->context_mark),
                        "the mapping begins here");
}

static void tell_hint(const struct hint *h, const yaml_parser_t *p, const struct yaml_source *s,
                      char at, struct diagnostics *d)
{
    struct place where = yaml_place(s, h->at_context ? p->context_mark : p->problem_mark);
    const char *mark = strstr(h->text, "%c");

    if (mark == NULL)
        diagnostics_add(d, DIAGNOSTIC_ERROR, where, "%s", h->text);
    else
        diagnostics_add(d, DIAGNOSTIC_ERROR, where, "%.*s%c%s", (int)(mark - h->text), h->text, at,
                        mark + 2);
    if (h->note != NULL)
        diagnostics_add(d, DIAGNOSTIC_NOTE, yaml_place(s, p->context_mark), "%s", h->note);
}

void yaml_problem_tell(const yaml_parser_t *p, const struct yaml_source *s, struct diagnostics *d)
{
    size_t byte = find_byte(s, p->problem_mark.index);
    char at = s->text[byte];

    if (p->error == YAML_MEMORY_ERROR) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, (struct place){s->file, 0, 0}, "out of memory");
        return;
    }
    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
        if (matches(&hints[i], p, at)) {
            tell_hint(&hints[i], p, s, at, d);
            return;
        }
    }
    if (begins(p->problem, "did not find expected key")) {
        tell_misplaced_key(p, s, byte, d);
        return;
    }
    diagnostics_add(d, DIAGNOSTIC_ERROR, yaml_place(s, p->problem_mark), "not valid YAML: %s",
                    p->problem == NULL ? "cannot be read" : p->problem);
    if (p->context != NULL)
        diagnostics_add(d, DIAGNOSTIC_NOTE, yaml_place(s, p->context_mark), "%s", p->context);
}
