/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast diff: two runs side by side, world against world. */
#include "scenarios/cli/choice_summary.h"
#include "scenarios/cli/diff_operand.h"
#include "scenarios/cli/diff_page.h"
#include "scenarios/cli/fail_on.h"
#include "scenarios/cli/interrupt.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/study/difference_table.h"

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

/* A scenario has those of --strategy or was refused; a directory may not. */
static bool check_strategies(const struct diffing *d)
{
    struct command *c = d->command;
    const struct arguments *a = c->arguments;
    bool ok = true;
    for (size_t i = 0; i < a->strategy_count; i++) {
        const bool in_a = diff_side_strategy(&d->a.side, a->strategies[i]) != SIZE_MAX;
        const bool in_b = diff_side_strategy(&d->b.side, a->strategies[i]) != SIZE_MAX;
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

/* The scenario's own limits, where B is one that has run; A is what was before. */
static bool breaks_limits(struct diffing *d)
{
    return d->b.study != NULL && choice_summary_tell_limits(d->command, &d->b.run);
}

static int show(struct diffing *d)
{
    struct command *c = d->command;
    struct table *all = difference_table(&d->a.side, &d->b.side);
    if (all == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory for the differences");
        return EXIT_FAILED;
    }
    if (c->arguments->format == FORMAT_TABLE) {
        const struct diff_page page = {.a = &d->a.side,
                                       .b = &d->b.side,
                                       .breaches = d->breaches,
                                       .breach_count = d->breach_count,
                                       .all = all};
        diff_page_print(c, &page, c->arguments->value[OPTION_MARKDOWN] != NULL);
    } else {
        table_print(c, all, NULL);
    }
    table_free(all);
    return d->breach_count > 0 ? EXIT_LIMIT : EXIT_DONE;
}

int cmd_diff(struct command *c)
{
    struct diffing d = {.command = c};
    int code = EXIT_DONE;
    atomic_bool *interrupted = interrupt_watch();
    if (open_both(&d) && command_tell(c) && diff_operand_run(&d.a, c, interrupted) &&
        diff_operand_run(&d.b, c, interrupted)) {
        const bool partial = d.a.run.partial || d.b.run.partial;
        if (!have_worlds(&d)) {
            code = EXIT_INTERRUPTED;
        } else if (fail_on_judge(&d.fail_on, c, &d.a.side, &d.b.side, &d.breaches,
                                 &d.breach_count) &&
                   command_tell(c)) {
            code = show(&d);
            if (breaks_limits(&d) && command_tell(c) && code == EXIT_DONE) {
                code = EXIT_LIMIT;
            }
            code = partial ? EXIT_INTERRUPTED : code;
        }
    }
    diff_operand_release(&d.a);
    diff_operand_release(&d.b);
    return code;
}
