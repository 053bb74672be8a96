/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast diff: two runs side by side, world against world. */
#include "scenarios/cli/diff_operand.h"
#include "scenarios/cli/diff_page.h"
#include "scenarios/cli/fail_on.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/decide/basis_difference.h"
#include "scenarios/decide/difference_table.h"
#include "scenarios/decide/stated_difference.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The two, and what was found. */
struct diffing {
    struct command *command;
    struct diff_operand a, b;
    struct fail_on fail_on;
    const struct breach *breaches;
    size_t breach_count;
};

/* A scenario, which has not run yet, has those of --strategy or was refused; a directory may not.
 */
static bool has_strategy(const struct diff_operand *o, const char *name)
{
    return o->study != NULL || diff_side_strategy(&o->side, name) != SIZE_MAX;
}

static bool check_strategies(const struct diffing *d)
{
    struct command *c = d->command;
    const struct arguments *a = c->arguments;
    bool ok = true;
    for (size_t i = 0; i < a->strategy_count; i++) {
        const bool in_a = has_strategy(&d->a, a->strategies[i]);
        const bool in_b = has_strategy(&d->b, a->strategies[i]);
        if (!in_a || !in_b) {
            command_complain(c, DIAGNOSTIC_ERROR,
                             "strategy '%s' is not in '%s'; expected one of "
                             "those that both have",
                             a->strategies[i], in_a ? d->b.side.label : d->a.side.label);
            ok = false;
        }
    }
    return ok;
}

static bool check_sides(const struct diffing *d)
{
    struct command *c = d->command;
    if (strcmp(d->a.side.currency, d->b.side.currency) != 0) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "'%s' is in %s and '%s' in %s; expected two runs in one currency",
                         d->a.side.label, d->a.side.currency, d->b.side.label, d->b.side.currency);
        return false;
    }
    if (c->arguments->set_count > 0 && d->b.study == NULL && d->a.study == NULL) {
        command_complain(c, DIAGNOSTIC_ERROR,
                         "--set, --seed, --replications and --precision change a scenario, and "
                         "'%s' and '%s' are results; expected a scenario among the two",
                         d->a.side.label, d->b.side.label);
        return false;
    }
    return check_strategies(d);
}

static bool open_both(struct diffing *d)
{
    struct command *c = d->command;
    const char *const *paths = c->arguments->operands;
    const bool ok = diff_operand_open(&d->a, c, paths[0], false);
    return diff_operand_open(&d->b, c, paths[1], true) && ok && check_sides(d) &&
           fail_on_read(&d->fail_on, c, &d->a.side);
}

static bool have_worlds(struct diffing *d)
{
    const bool some = d->a.side.results->replications > 0 && d->b.side.results->replications > 0;
    if (!some) {
        command_complain(d->command, DIAGNOSTIC_WARNING,
                         "interrupted before any world was complete; nothing is compared");
    }
    return some;
}

/* An object of the tables. */
static void print_json(struct command *c, const struct diff_page *page)
{
    struct json_writer j;
    json_init(&j, stdout);
    json_begin_object(&j);
    json_put_key(&j, "differences");
    table_put_json(page->all, &j);
    json_put_key(&j, "assumptions");
    table_put_json(page->assumptions, &j);
    json_put_key(&j, "inputs");
    table_put_json(page->inputs, &j);
    json_put_key(&j, "stated");
    if (page->stated != NULL) {
        table_put_json(page->stated, &j);
    } else {
        json_put_null(&j);
    }
    json_end_object(&j);
    if (!json_finish(&j)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "cannot write to standard output: %s",
                         strerror(errno));
    }
}

static void print(struct command *c, const struct diff_page *page)
{
    switch (c->arguments->format) {
    case FORMAT_TABLE:
        diff_page_print(c, page, c->arguments->value[OPTION_MARKDOWN] != NULL);
        break;
    case FORMAT_JSON:
        print_json(c, page);
        break;
    case FORMAT_CSV:
        table_print(c, page->all, NULL);
        break;
    }
}

/* False when memory is out. *t NULL: the copies in a directory cannot be read. */
static bool find_stated(const struct diffing *d, struct table **t)
{
    *t = NULL;
    if (d->a.tree == NULL || d->b.tree == NULL) {
        return true;
    }
    const struct diff_side *a = &d->a.side, *b = &d->b.side;
    const struct stated_side of_a = {d->a.tree, a->strategies, a->results->strategies};
    const struct stated_side of_b = {d->b.tree, b->strategies, b->results->strategies};
    *t = stated_differences(&of_a, &of_b, d->command->arena);
    return *t != NULL;
}

static int show(struct diffing *d)
{
    struct command *c = d->command;
    struct table *all = difference_table(&d->a.side, &d->b.side);
    struct table *assumptions = assumption_differences(&d->a.basis, &d->b.basis);
    struct table *inputs =
        input_differences(&d->a.basis, &d->b.basis, d->a.side.seed == d->b.side.seed);
    struct table *stated;
    const bool ok = find_stated(d, &stated) && all != NULL && !table_incomplete(all) &&
                    assumptions != NULL && inputs != NULL;
    if (ok) {
        const struct diff_page page = {.a = &d->a.side,
                                       .b = &d->b.side,
                                       .breaches = d->breaches,
                                       .breach_count = d->breach_count,
                                       .all = all,
                                       .assumptions = assumptions,
                                       .inputs = inputs,
                                       .stated = stated};
        print(c, &page);
    } else {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory for the differences");
    }
    table_free(all);
    table_free(assumptions);
    table_free(inputs);
    table_free(stated);
    return !ok ? EXIT_FAILED : d->breach_count > 0 ? EXIT_LIMIT : EXIT_DONE;
}

static bool find_bases(struct diffing *d)
{
    return diff_operand_find_basis(&d->a, d->command) && diff_operand_find_basis(&d->b, d->command);
}

/* With the limits of B; A is what was before. */
static int judge(struct diffing *d)
{
    struct command *c = d->command;
    bool broken = false;
    if (!find_bases(d) ||
        !fail_on_judge(&d->fail_on, c, &d->a.side, &d->b.side, &d->breaches, &d->breach_count) ||
        !command_tell(c)) {
        return EXIT_DONE; /* told; the command ends by what was told */
    }
    int code = show(d);
    if (!diff_operand_tell_limits(&d->b, c, &broken)) {
        return code;
    }
    if (command_tell(c) && broken && code == EXIT_DONE) {
        code = EXIT_LIMIT;
    }
    return d->a.run.partial || d->b.run.partial ? EXIT_INTERRUPTED : code;
}

int cmd_diff(struct command *c)
{
    struct diffing d = {.command = c};
    int code = EXIT_DONE;
    atomic_bool *interrupted = interrupt_watch();
    if (open_both(&d) && command_tell(c) && diff_operand_run(&d.a, c, interrupted) &&
        diff_operand_run(&d.b, c, interrupted)) {
        code = have_worlds(&d) ? judge(&d) : EXIT_INTERRUPTED;
    }
    diff_operand_release(&d.a);
    diff_operand_release(&d.b);
    return code;
}
