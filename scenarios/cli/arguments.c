/* SPDX-License-Identifier: GPL-3.0-or-later
 * Two passes: the first splits words into options and operands, which needs no verb since an option
 * means the same everywhere; the second checks them against the verb and converts the values. */
#include "scenarios/cli/arguments.h"

#include "engine/civil_time.h"
#include "engine/file.h"
#include "engine/replications.h"
#include "engine/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Replications from here on are kept for fitting and for judging a winner. */
#define MOST_REPLICATION 2147483647u
#define MOST_LIMIT       1000000000u
#define DEFAULT_LIMIT    1000u
/* Settings that one option can stand for. */
#define SETS_PER_OPTION 4

static const struct place nowhere = {NULL, 0, 0};

struct parsing {
    struct arguments *out;
    struct arena *arena;
    struct diagnostics *d;
    char *const *argv;
    int argc, next;
    const char **operands, **sets, **strategies, **fail_on, **inputs, **where;
};

/* ---- words ---- */

static const char *spelt(struct parsing *p, enum option_id option)
{
    const char *text = arena_format(p->arena, "--%s", option_table[option].name);
    return text == NULL ? "option" : text;
}

static void add_set(struct parsing *p, const char *key, const char *value)
{
    const char *text =
        key == NULL ? value : arena_format(p->arena, "%s=%s", key, value == NULL ? "null" : value);
    if (text == NULL) {
        diagnostics_add(p->d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
        return;
    }
    p->sets[p->out->set_count++] = text;
}

/* value "" for a flag. */
static void take_option(struct parsing *p, enum option_id option, const char *value)
{
    p->out->value[option] = value;
    switch (option) {
    case OPTION_SET:
        add_set(p, NULL, value);
        break;
    case OPTION_STRATEGY:
        p->strategies[p->out->strategy_count++] = value;
        break;
    case OPTION_WHERE:
        p->where[p->out->where_count++] = value;
        break;
    case OPTION_FAIL_ON:
        p->fail_on[p->out->fail_on_count++] = value;
        break;
    case OPTION_INPUT:
        p->inputs[p->out->input_count++] = value;
        break;
    case OPTION_SEED:
        add_set(p, "seed", value);
        break;
    case OPTION_REPLICATIONS: /* the two ways to stop exclude each other */
        add_set(p, "precision", NULL);
        add_set(p, "precision_of", NULL);
        add_set(p, "max_replications", NULL);
        add_set(p, "replications", value);
        break;
    case OPTION_PRECISION:
        add_set(p, "replications", NULL);
        add_set(p, "precision", value);
        break;
    default:
        break;
    }
}

/* The value of an option that needs one: what is attached, else the next word; NULL with an error.
 */
static const char *take_value(struct parsing *p, enum option_id option, const char *attached)
{
    if (attached != NULL) {
        return attached;
    }
    if (p->next < p->argc) {
        return p->argv[p->next++];
    }
    diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere,
                    "option '--%s' needs a value; expected --%s %s", option_table[option].name,
                    option_table[option].name, option_table[option].argument);
    return NULL;
}

/* The option that was probably meant: one that begins so, else the nearest word; or NULL. */
static const char *suggest_option(const char *name)
{
    const char *names[OPTION_COUNT];
    size_t length = strlen(name);
    for (int i = 0; i < OPTION_COUNT; i++) {
        names[i] = option_table[i].name;
    }
    for (int i = 0; i < OPTION_COUNT && length > 1; i++) {
        if (strncmp(names[i], name, length) == 0) {
            return names[i];
        }
    }
    return text_suggest(name, names, OPTION_COUNT);
}

static void refuse_unknown(struct parsing *p, const char *word, const char *name)
{
    const char *near = suggest_option(name);
    if (near != NULL) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere,
                        "unknown option '%s'; did you mean '--%s'?", word, near);
    } else {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere,
                        "unknown option '%s'; `fleetcast help VERB` lists those of a verb", word);
    }
}

/* --name, --name=value. */
static void take_long(struct parsing *p, const char *word)
{
    const char *equals = strchr(word, '=');
    size_t length = equals == NULL ? strlen(word) : (size_t)(equals - word);
    const char *name = arena_copy(p->arena, word + 2, length - 2);
    for (int i = 0; name != NULL && i < OPTION_COUNT; i++) {
        const struct option_row *row = &option_table[i];
        if (strcmp(row->name, name) != 0) {
            continue;
        }
        if (row->argument == NULL && equals != NULL) {
            diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere, "option '--%s' takes no value", name);
            return;
        }
        const char *value = row->argument == NULL ? ""
                                                  : take_value(p, (enum option_id)i,
                                                               equals == NULL ? NULL : equals + 1);
        if (value != NULL) {
            take_option(p, (enum option_id)i, value);
        }
        return;
    }
    refuse_unknown(p, arena_copy(p->arena, word, length), name);
}

static int find_letter(char letter)
{
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (option_table[i].letter == letter) {
            return i;
        }
    }
    return -1;
}

/* -q, -j 2, -j2, -qj2. */
static void take_short(struct parsing *p, const char *word)
{
    for (const char *s = word + 1; *s != '\0'; s++) {
        int option = find_letter(*s);
        if (option < 0) {
            refuse_unknown(p, word, word + 1);
            return;
        }
        if (option_table[option].argument == NULL) {
            take_option(p, (enum option_id)option, "");
            continue;
        }
        const char *value = take_value(p, (enum option_id)option, s[1] == '\0' ? NULL : s + 1);
        if (value != NULL) {
            take_option(p, (enum option_id)option, value);
        }
        return;
    }
}

static void split_words(struct parsing *p)
{
    bool ended = false;
    while (p->next < p->argc) {
        const char *word = p->argv[p->next++];
        if (!ended && strcmp(word, "--") == 0) {
            ended = true;
        } else if (ended || word[0] != '-' || word[1] == '\0') {
            p->operands[p->out->operand_count++] = word;
        } else if (word[1] == '-') {
            take_long(p, word);
        } else {
            take_short(p, word);
        }
    }
}

/* ---- the verb ---- */

static bool looks_like_scenario(const char *word)
{
    size_t length = strlen(word);
    return (length > 5 && strcmp(word + length - 5, ".yaml") == 0) ||
           (length > 4 && strcmp(word + length - 4, ".yml") == 0) || file_exists(word);
}

static void find_verb(struct parsing *p)
{
    struct arguments *a = p->out;
    if (a->operand_count == 0) {
        return;
    }
    const char *name = p->operands[0];
    a->verb = verb_find(name);
    if (a->verb != NULL) {
        a->operands++;
        a->operand_count--;
        return;
    }
    const char *near = verb_suggest(name);
    if (near != NULL) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere, "unknown verb '%s'; did you mean '%s'?",
                        name, near);
    } else if (looks_like_scenario(name)) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere,
                        "'%s' is no verb; did you mean 'fleetcast run %s'?", name, name);
    } else {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere,
                        "unknown verb '%s'; `fleetcast help` lists the verbs", name);
    }
}

/* The option of this verb that was meant by another's: `--replication` of `run`; or NULL. */
static const char *suggest_of_verb(const char *name, const struct verb *verb)
{
    const char *names[OPTION_COUNT];
    size_t count = 0;
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (option_belongs((enum option_id)i, verb)) {
            names[count++] = option_table[i].name;
        }
    }
    return text_suggest(name, names, count);
}

static void refuse_foreign(struct parsing *p, const char *name, const struct verb *verb)
{
    const char *near = suggest_of_verb(name, verb);
    if (near != NULL) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere,
                        "option '--%s' does not belong to '%s'; did you mean '--%s'?", name,
                        verb->name, near);
    } else {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere,
                        "option '--%s' does not belong to '%s'; `fleetcast help %s` lists those "
                        "that do",
                        name, verb->name, verb->name);
    }
}

/* Otherwise the value would be taken for a scenario file. */
static void check_sets(struct parsing *p)
{
    for (size_t i = 0; i < p->out->set_count; i++) {
        if (strchr(p->sets[i], '=') == NULL) {
            diagnostics_add(p->d, DIAGNOSTIC_ERROR, (struct place){spelt(p, OPTION_SET), 0, 0},
                            "'%s' has no '='; expected --set path.to.key=value in one word",
                            p->sets[i]);
        }
    }
}

static void check_options(struct parsing *p)
{
    const struct verb *verb = p->out->verb;
    for (int i = 0; i < OPTION_COUNT; i++) {
        if (p->out->value[i] != NULL && !option_belongs((enum option_id)i, verb)) {
            refuse_foreign(p, option_table[i].name, verb);
        }
    }
    check_sets(p);
    if (p->out->value[OPTION_REPLICATIONS] != NULL && p->out->value[OPTION_PRECISION] != NULL) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere,
                        "options '--replications' and '--precision' exclude each other; drop one");
    }
}

static void check_operands(struct parsing *p)
{
    const struct arguments *a = p->out;
    const struct verb *verb = a->verb;
    if (a->operand_count < verb->least) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere,
                        "'%s' needs an operand; expected fleetcast %s %s", verb->name, verb->name,
                        verb->operands);
    } else if (a->operand_count > verb->most) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere,
                        "unexpected operand '%s'; expected fleetcast %s %s",
                        a->operands[verb->most], verb->name, verb->operands);
    }
    if (verb->words == NULL || a->operand_count == 0) {
        return;
    }
    size_t count = 0;
    while (verb->words[count] != NULL) {
        if (strcmp(verb->words[count], a->operands[0]) == 0) {
            return;
        }
        count++;
    }
    const char *near = text_suggest(a->operands[0], verb->words, count);
    diagnostics_add(p->d, DIAGNOSTIC_ERROR, nowhere, "unknown operand '%s'%s%s%s (fleetcast %s %s)",
                    a->operands[0], near == NULL ? "" : "; did you mean '",
                    near == NULL ? "" : near, near == NULL ? "" : "'?", verb->name, verb->operands);
}

/* ---- values ---- */

/* The whole number of an option, `fallback` when it is not given or wrong. */
static uint64_t number(struct parsing *p, enum option_id option, uint64_t low, uint64_t high,
                       uint64_t fallback)
{
    const char *text = p->out->value[option];
    if (text == NULL) {
        return fallback;
    }
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end != '\0' || errno != 0 || value < low ||
        value > high) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, (struct place){spelt(p, option), 0, 0},
                        "'%s' will not do; expected a whole number from %llu to %llu", text,
                        (unsigned long long)low, (unsigned long long)high);
        return fallback;
    }
    return value;
}

/* Index of the option's value among its words, 0 when it is not given or wrong. */
static int choice(struct parsing *p, enum option_id option)
{
    const char *text = p->out->value[option];
    const char *const *words = option_words(option, p->out->verb);
    struct text all;
    if (text == NULL) {
        return 0;
    }
    text_init(&all, 0);
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], text) == 0) {
            text_release(&all);
            return i;
        }
        text_format(&all, "%s%s", i == 0 ? "" : ", ", words[i]);
    }
    diagnostics_add(p->d, DIAGNOSTIC_ERROR, (struct place){spelt(p, option), 0, 0},
                    "'%s' will not do; expected one of %s", text, all.data);
    text_release(&all);
    return 0;
}

static int64_t date(struct parsing *p)
{
    const char *text = p->out->value[OPTION_DATE];
    int64_t unix_s = INT64_MAX;
    if (text != NULL && (strlen(text) != 10 || !civil_parse(text, &unix_s))) {
        diagnostics_add(p->d, DIAGNOSTIC_ERROR, (struct place){spelt(p, OPTION_DATE), 0, 0},
                        "'%s' will not do; expected a date such as 2025-11-30", text);
    }
    return unix_s;
}

static void convert_values(struct parsing *p)
{
    struct arguments *a = p->out;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t jobs = processors < 1                         ? 1
                    : processors > REPLICATIONS_JOBS_LIMIT ? REPLICATIONS_JOBS_LIMIT
                                                           : (uint64_t)processors;
    a->jobs = (int)number(p, OPTION_JOBS, 1, REPLICATIONS_JOBS_LIMIT, jobs);
    a->replication = (uint32_t)number(p, OPTION_REPLICATION, 0, MOST_REPLICATION, 0);
    a->limit = (size_t)number(p, OPTION_LIMIT, 1, MOST_LIMIT, DEFAULT_LIMIT);
    int format = choice(p, OPTION_FORMAT);
    bool of_report = option_words(OPTION_FORMAT, a->verb) == report_format_names;
    a->format = of_report ? FORMAT_TABLE : (enum output_format)format;
    a->report_format = of_report ? (enum report_format)format : REPORT_HTML;
    a->language = choice(p, OPTION_LANG);
    (void)choice(p, OPTION_DTYPE);
    (void)choice(p, OPTION_FOCUS);
    (void)choice(p, OPTION_POLARITY);
    (void)choice(p, OPTION_UNIT);
    a->date_unix_s = date(p);
}

bool arguments_parse(struct arguments *a, struct arena *arena, int argc, char *const *argv,
                     struct diagnostics *d)
{
    size_t words = argc > 1 ? (size_t)argc : 1;
    struct parsing p = {.out = a, .arena = arena, .d = d, .argv = argv, .argc = argc, .next = 1};
    *a = (struct arguments){.date_unix_s = INT64_MAX};
    p.operands = arena_array(arena, words, sizeof *p.operands);
    p.strategies = arena_array(arena, words, sizeof *p.strategies);
    p.inputs = arena_array(arena, words, sizeof *p.inputs);
    p.fail_on = arena_array(arena, words, sizeof *p.fail_on);
    p.where = arena_array(arena, words, sizeof *p.where);
    p.sets = arena_array(arena, words * SETS_PER_OPTION, sizeof *p.sets);
    const char **all = arena_array(arena, words, sizeof *all);
    if (p.operands == NULL || p.strategies == NULL || p.inputs == NULL || p.fail_on == NULL ||
        p.where == NULL || p.sets == NULL || all == NULL) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, nowhere, "out of memory");
        return false;
    }
    for (int i = 1; i < argc; i++) {
        all[a->all_count++] = argv[i];
    }
    a->all = all;
    a->operands = p.operands;
    a->sets = p.sets;
    a->strategies = p.strategies;
    a->inputs = p.inputs;
    a->fail_on = p.fail_on;
    a->where = p.where;
    split_words(&p);
    find_verb(&p);
    if (a->value[OPTION_HELP] != NULL || a->value[OPTION_VERSION] != NULL) {
        return !diagnostics_failed(d);
    }
    if (a->verb != NULL) {
        check_options(&p);
        check_operands(&p);
    }
    convert_values(&p);
    return !diagnostics_failed(d);
}
