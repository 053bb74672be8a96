/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/decide/threshold_rows.h"

#include "engine/column_unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DIGITS 4

struct value_text {
    char text[48];
};

static struct value_text say(double value, const struct threshold_case *c)
{
    struct value_text t;
    column_unit_text(value, c->unit, DIGITS, t.text);
    return t;
}

static void add_level(struct text *out, const struct threshold_case *c, const struct crossing *x,
                      bool by_rule)
{
    if (x->low >= x->at && x->high <= x->at) {
        return; /* no error at all */
    }
    if (isfinite(x->low) && isfinite(x->high) &&
        strcmp(say(x->low, c).text, say(x->at, c).text) == 0 &&
        strcmp(say(x->high, c).text, say(x->at, c).text) == 0) {
        return; /* none that its digits show */
    }
    text_add(out, by_rule ? "; in doubt from " : "; level from ");
    if (isfinite(x->low)) {
        text_add(out, say(x->low, c).text);
    } else {
        text_add(out, "the beginning of the range");
    }
    text_add(out, " to ");
    if (isfinite(x->high)) {
        text_add(out, say(x->high, c).text);
    } else {
        text_add(out, "the end of the range");
    }
}

/* What is not known of the range. */
static void add_unknown(struct text *out, const struct threshold_case *c)
{
    const struct crossings *f = c->found;
    const char *reason = c->reason == NULL ? "a value is not known" : c->reason;
    if (f->known_from > c->from && f->known_to < c->to) {
        text_format(out, "; known from %s to %s alone: %s", say(f->known_from, c).text,
                    say(f->known_to, c).text, reason);
    } else if (f->known_to < c->to) {
        text_format(out, "; beyond %s nothing is known: %s", say(f->known_to, c).text, reason);
    } else if (f->known_from > c->from) {
        text_format(out, "; below %s nothing is known: %s", say(f->known_from, c).text, reason);
    } else if (f->gaps) {
        text_format(out, "; not known everywhere between: %s", reason);
    }
}

static void add_none(struct text *out, const struct threshold_case *c)
{
    const struct crossings *f = c->found;
    if (f == NULL || isnan(f->known_from)) {
        text_format(out, "not known of %s: %s", c->input,
                    c->reason == NULL ? "a value is not known" : c->reason);
        return;
    }
    text_format(out, "none in the range %s to %s of %s: ", say(c->from, c).text, say(c->to, c).text,
                c->input);
    if (f->first > 0) {
        text_format(out, "%s stays ahead of %s", c->other, c->chosen);
    } else if (f->first < 0) {
        text_format(out, "%s stays ahead of %s", c->chosen, c->other);
    } else {
        text_format(out, "%s and %s are the same", c->chosen, c->other);
    }
    if (c->causes[CROSSINGS_MAX] != NULL) {
        text_format(out, ": %s", c->causes[CROSSINGS_MAX]);
    }
    add_unknown(out, c);
}

void threshold_sentence(struct text *out, const struct threshold_case *c, size_t index)
{
    if (c->found == NULL || index >= c->found->count) {
        add_none(out, c);
        return;
    }
    const struct crossing *x = &c->found->of[index];
    text_format(out, "%s wins %s %s of %s", c->other, x->rises ? "above" : "below",
                say(x->at, c).text, c->input);
    if (isfinite(c->now)) {
        text_format(out, " (now %s)", say(c->now, c).text);
    }
    if (c->causes[index] != NULL) {
        text_format(out, ": %s", c->causes[index]);
    }
    add_level(out, c, x, c->causes[index] != NULL);
    if (c->third[index] != NULL) {
        text_format(out, "; %s is chosen there", c->third[index]);
    }
    if (c->found->count > 1) {
        text_format(out, "; one of %s%zu values at which it flips",
                    c->found->more ? "more than " : "", c->found->count);
    }
    add_unknown(out, c);
}

/* A range with gaps is no ground for "nowhere". */
static const char *outcome(const struct threshold_case *c)
{
    const struct crossings *f = c->found;
    if (f == NULL || isnan(f->known_from)) {
        return "unknown";
    }
    if (f->count > 0) {
        return "flips";
    }
    if (f->gaps) {
        return "unknown";
    }
    return f->first > 0 ? "behind" : f->first < 0 ? "ahead" : "same";
}

static void put(struct result_rows *rows, const struct threshold_case *c, size_t index)
{
    const struct crossing *x =
        c->found == NULL || index >= c->found->count ? NULL : &c->found->of[index];
    struct text sentence;
    text_init(&sentence, 4096);
    threshold_sentence(&sentence, c, index);
    rows_next(rows);
    rows_text(rows, c->input);
    rows_text(rows, c->unit);
    rows_number(rows, c->now);
    rows_text(rows, c->chosen);
    rows_text(rows, c->other);
    rows_number(rows, x == NULL ? (double)NAN : x->at);
    rows_number(rows, x == NULL ? (double)NAN : x->low);
    rows_number(rows, x == NULL ? (double)NAN : x->high);
    rows_text(rows, x == NULL ? NULL : x->rises ? "above" : "below");
    rows_number(rows, c->from);
    rows_number(rows, c->to);
    rows_text(rows, c->objective);
    rows_text(rows, sentence.data);
    rows_integer(rows, c->worlds);
    rows_text(rows, outcome(c));
    rows_number(rows, c->found == NULL ? (double)NAN : c->found->known_from);
    rows_number(rows, c->found == NULL ? (double)NAN : c->found->known_to);
    rows_text(rows, x == NULL ? NULL : c->causes[index] != NULL ? "eligibility" : "objective");
    text_release(&sentence);
}

void threshold_rows_put(struct result_rows *rows, const struct threshold_case *c)
{
    const size_t count = c->found == NULL ? 0 : c->found->count;
    for (size_t i = 0; i < count || i == 0; i++) {
        put(rows, c, i);
    }
}
