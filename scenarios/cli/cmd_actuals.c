/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast actuals: a real bill beside the plan of a result directory. */
#include "engine/civil_time.h"
#include "plots/text/figures.h"
#include "plots/text/markdown_table.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/decide/actuals.h"
#include "scenarios/output/result_folder.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Differences below this share of the plan are not worth a sentence. */
#define WORTH_SAYING 0.01

/* A directory and its bill. */
struct comparing_bill {
    struct command *command;
    const struct manifest *manifest;
    struct result_tables tables;
    struct actuals actuals;
    struct actuals_plan plan;
    size_t rows, kept, unknown, of_plan;
    double unknown_billed;
    char unknown_type[64];
    int64_t known_until_unix_s;
    bool markdown;
};

/* ---- what is compared ---- */

/* The strategy that `choose:` chose; NULL: none. */
static const char *chosen(const struct table *choice)
{
    const int status = choice == NULL ? -1 : table_find(choice, "status");
    const int strategy = choice == NULL ? -1 : table_find(choice, "strategy");
    for (size_t i = 0; status >= 0 && strategy >= 0 && i < table_rows(choice); i++) {
        if (strcmp(table_text(choice, i, (size_t)status), "chosen") == 0) {
            return table_text(choice, i, (size_t)strategy);
        }
    }
    return NULL;
}

static bool choose_strategy(struct comparing_bill *b)
{
    const struct arguments *a = b->command->arguments;
    const struct manifest *m = b->manifest;
    if (a->strategy_count > 1) {
        command_complain(b->command, DIAGNOSTIC_ERROR,
                         "--strategy %zu times; expected the one that was carried out",
                         a->strategy_count);
        return false;
    }
    const char *found = chosen(b->tables.choice);
    b->plan.strategy = a->strategy_count == 1 ? a->strategies[0]
                       : found != NULL        ? found
                                              : m->baseline;
    for (size_t k = 0; k < m->strategy_count; k++) {
        if (strcmp(m->strategies[k], b->plan.strategy) == 0) {
            return true;
        }
    }
    command_complain(b->command, DIAGNOSTIC_ERROR,
                     "no strategy '%s' in '%s'; expected one that it holds", b->plan.strategy,
                     a->operands[0]);
    return false;
}

static bool open_plan(struct comparing_bill *b)
{
    struct command *c = b->command;
    const char *folder = c->arguments->operands[0];
    b->manifest = manifest_read(c->arena, folder, c->d);
    if (b->manifest == NULL || !result_folder_read(&b->tables, folder, b->manifest, c->d) ||
        !choose_strategy(b)) {
        return false;
    }
    b->plan.monthly = b->tables.monthly;
    b->plan.categories = b->tables.categories;
    b->plan.timeline = b->tables.timeline;
    b->plan.currency = b->manifest->currency;
    if (!actuals_begin(&b->actuals, c->arena, b->manifest->start_unix_s, b->manifest->horizon_s)) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return false;
    }
    return true;
}

static bool read_bills(struct comparing_bill *b)
{
    struct command *c = b->command;
    const struct arguments *a = c->arguments;
    const struct bill_filter filter = {a->where, a->where_count};
    bool ok = true;
    for (size_t i = 1; i < a->operand_count; i++) {
        struct bill_totals totals;
        ok = bill_export_read(a->operands[i], &filter, b->manifest->currency, c->arena, c->d,
                              actuals_add, &b->actuals, &totals) &&
             ok;
        b->rows += totals.rows;
        b->kept += totals.kept;
        b->of_plan += totals.of_plan;
        b->unknown += totals.unknown;
        b->unknown_billed += totals.unknown_billed;
        if (b->unknown_type[0] == '\0') {
            memcpy(b->unknown_type, totals.unknown_type, sizeof b->unknown_type);
        }
    }
    if (ok && b->kept == 0) {
        command_complain(c, DIAGNOSTIC_ERROR, "%s",
                         b->rows == 0 ? "the bill has no rows; expected some"
                                      : "no row of the bill fits --where; expected some");
        return false;
    }
    b->known_until_unix_s = a->date_unix_s == INT64_MAX ? b->actuals.last_unix_s : a->date_unix_s;
    return ok;
}

/* ---- sentences ---- */

static void say(const struct comparing_bill *b, const char *text)
{
    if (text == NULL) {
        command_complain(b->command, DIAGNOSTIC_FAILURE, "out of memory");
    } else if (b->markdown) {
        fputs("- ", stdout);
        markdown_put_text(stdout, text);
        putchar('\n');
    } else {
        command_print(text);
        putchar('\n');
    }
}

static struct figure money(const struct comparing_bill *b, double value)
{
    return figure_money(value, b->manifest->currency, FIGURE_NEAREST);
}

/* Of a price of an hour, which is a quotient of sums. */
#define ROUNDING 1e-6
/* Below this share two figures are the same to people. */
#define NO_CHANGE 0.0005

/* " (+4 %)", " (-12 %)"; nothing where there is no change. */
static struct figure change(double from, double to)
{
    struct figure f = {""};
    if (from > 0 && fabs(to - from) > NO_CHANGE * from) {
        snprintf(f.text, sizeof f.text, " (%.40s)", figure_change((to - from) / from).text);
    }
    return f;
}

static void say_total(const struct comparing_bill *b, const struct table *months, size_t complete)
{
    double planned = 0, actual = 0;
    for (size_t i = 0; i < complete; i++) {
        planned += table_number(months, i, (size_t)table_find(months, "plan_mean"));
        actual += table_number(months, i, (size_t)table_find(months, "actual"));
    }
    const char *text =
        complete == 0
            ? "no month of the plan is complete in this bill: nothing can be judged yet, but a "
              "month that is above its P90 already; --date says until when it is complete"
            : arena_format(b->command->arena,
                           "%zu complete month%s: %s paid against %s planned (mean)%s", complete,
                           complete == 1 ? "" : "s", money(b, actual).text, money(b, planned).text,
                           change(planned, actual).text);
    say(b, text);
}

static void say_parts(const struct comparing_bill *b, const struct table *parts)
{
    double whole = 0;
    for (size_t i = 0; i < table_rows(parts); i++) {
        const double planned = table_number(parts, i, 1);
        whole += isnan(planned) ? 0 : fabs(planned);
    }
    for (size_t i = 0; i < table_rows(parts); i++) {
        const double planned = table_number(parts, i, 1), actual = table_number(parts, i, 2);
        const char *part = table_text(parts, i, 0);
        if (isnan(planned)) {
            say(b, arena_format(b->command->arena,
                                "%s: %s; the plan's mean is unknown, since work was cut off", part,
                                money(b, actual).text));
        } else if (fabs(actual - planned) > WORTH_SAYING * whole) {
            say(b, arena_format(b->command->arena, "%s: %s against %s planned%s", part,
                                money(b, actual).text, money(b, planned).text,
                                fabs(planned) > 0 ? change(planned, actual).text
                                                  : ": not in the plan"));
        }
    }
}

static void say_hours(const struct comparing_bill *b)
{
    const double second_h = 1. / 3600; /* of less a price of an hour means nothing */
    const struct actual_hours h = actual_hours(&b->actuals, &b->plan, b->known_until_unix_s);
    if (!(h.planned_h >= second_h) || !(h.actual_h >= second_h)) {
        return;
    }
    say(b,
        arena_format(b->command->arena,
                     "nodes ran %s h against %s h planned (mean)%s, at %s an hour against %s%s",
                     figure_amount(h.actual_h, 0, FIGURE_NEAREST).text,
                     figure_amount(h.planned_h, 0, FIGURE_NEAREST).text,
                     change(h.planned_h, h.actual_h).text, money(b, h.actual_per_h).text,
                     money(b, h.planned_per_h).text, change(h.planned_per_h, h.actual_per_h).text));
    if (fabs(h.actual_h - h.planned_h) <= NO_CHANGE * h.planned_h &&
        fabs(h.actual_per_h - h.planned_per_h) <= NO_CHANGE * h.planned_per_h) {
        return;
    }
    const double by_hours = (h.actual_h - h.planned_h) * h.planned_per_h;
    double by_price = (h.actual_per_h - h.planned_per_h) * h.actual_h;
    by_price = fabs(by_price) <= ROUNDING * h.planned_per_h * h.actual_h ? 0 : by_price;
    say(b, arena_format(b->command->arena,
                        "of the difference in nodes, hours make %s%s and the price of an hour "
                        "%s%s",
                        by_hours < 0 ? "-" : "+", money(b, fabs(by_hours)).text,
                        by_price < 0 ? "-" : "+", money(b, fabs(by_price)).text));
}

/* A month of which a bill knows nothing looks like one that cost nothing. */
static void say_gaps(const struct comparing_bill *b, const struct table *months)
{
    const struct actuals *a = &b->actuals;
    for (size_t i = 0; (i = actuals_gap(a, months, i, b->known_until_unix_s)) != SIZE_MAX; i++) {
        say(b, arena_format(b->command->arena,
                            "no row of the bill falls in %s, in which the plan costs something in "
                            "9 of 10 futures: it counts as 0, and if its bill is missing all that "
                            "is said of the difference is wrong",
                            a->months[i].name));
    }
}

/* Of a month of which the plan has a part only. */
static void say_beside(const struct comparing_bill *b, double billed, const char *month,
                       const char *when, int64_t unix_s)
{
    char date[24];
    if (fabs(billed) > 0) {
        say(b, arena_format(b->command->arena,
                            "%s%s of the %s month were billed %s on %s; they count in it",
                            billed < 0 ? "-" : "", money(b, fabs(billed)).text, month, when,
                            civil_date_text(unix_s, date)));
    }
}

static void say_outside(const struct comparing_bill *b)
{
    const double before = b->actuals.before, after = b->actuals.after;
    if (fabs(before) > 0) {
        say(b, arena_format(b->command->arena, "%s%s were billed before the plan's first month",
                            before < 0 ? "-" : "", money(b, fabs(before)).text));
    }
    say_beside(b, b->actuals.early, "first", "before the plan starts", b->actuals.start_unix_s);
    say_beside(b, b->actuals.late, "last", "after the plan ends", b->actuals.end_unix_s);
    if (fabs(after) > 0) {
        say(b, arena_format(b->command->arena, "%s%s were billed after the plan's last month",
                            after < 0 ? "-" : "", money(b, fabs(after)).text));
    }
}

static void say_sources(const struct comparing_bill *b)
{
    char date[24];
    say(b, arena_format(b->command->arena,
                        "plan: strategy %s of %s (%s), prices as of %s; bill: %s of %s rows, "
                        "complete up to %s",
                        b->plan.strategy, b->command->arguments->operands[0], b->manifest->scenario,
                        b->manifest->prices_as_of, figure_count((double)b->kept).text,
                        figure_count((double)b->rows).text,
                        civil_time_text(b->known_until_unix_s, date)));
    if (b->unknown > 0) {
        say(b, arena_format(b->command->arena,
                            "%s of these rows, %s%s, are of a kind of line that is not known "
                            "('%s'): counted in full, and under what their product is",
                            figure_count((double)b->unknown).text, b->unknown_billed < 0 ? "-" : "",
                            money(b, fabs(b->unknown_billed)).text, b->unknown_type));
    }
    if (b->of_plan > 0) {
        say(b, arena_format(b->command->arena,
                            "the bill is an export of a simulated world: of %s rows what is the "
                            "plan's counts (x_PlanBilledCost, x_PlanEffectiveCost)",
                            figure_count((double)b->of_plan).text));
    }
    if (b->manifest->account && b->of_plan < b->kept) {
        say(b, "the plan is what the account pays with it less what it pays without it: a bill of "
               "the whole account holds its existing commitments and the usage of others too, and "
               "lies above the plan by so much");
    }
    if (b->command->arguments->where_count == 0) {
        say(b, "all rows of the bill count: if the account pays for more than this plan, choose "
               "its rows with --where");
    }
}

/* ---- the page ---- */

/* The months; where both bases say the same, once. NULL when out of memory. */
static struct table *shown_months(const struct table *months)
{
    struct table *t = table_new("actuals", actuals_columns, ACTUALS_COLUMNS);
    const size_t rows = table_rows(months) / (actuals_bases_agree(months) ? 2 : 1);
    for (size_t i = 0; t != NULL && i < rows; i++) {
        const size_t row = table_add_row(t);
        for (size_t k = 0; row != SIZE_MAX && k < ACTUALS_COLUMNS; k++) {
            if (actuals_columns[k].kind == COLUMN_TEXT) {
                table_set_text(t, row, k, table_text(months, i, k));
            } else {
                table_set_number(t, row, k, table_number(months, i, k));
            }
        }
    }
    return t;
}

static void print_months(struct comparing_bill *b, const struct table *months)
{
    struct command *c = b->command;
    struct table *t = shown_months(months);
    if (t == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    } else if (b->markdown) {
        fputs("## The bill beside the plan\n\n", stdout);
        if (!markdown_table_write(t, stdout)) {
            command_complain(c, DIAGNOSTIC_FAILURE, "cannot print the table: %s", strerror(errno));
        }
    } else {
        table_print_aligned(c, t, NULL);
    }
    table_free(t);
    putchar('\n');
}

static void show_page(struct comparing_bill *b, const struct table *months,
                      const struct table *parts)
{
    const size_t complete = actuals_complete(&b->actuals, b->known_until_unix_s);
    print_months(b, months);
    say_total(b, months, complete);
    if (complete > 0) {
        say_parts(b, parts);
        say_hours(b);
    }
    say_gaps(b, months);
    say_outside(b);
    say_sources(b);
}

static void show(struct comparing_bill *b)
{
    struct command *c = b->command;
    struct table *months = actuals_table(&b->actuals, &b->plan, b->known_until_unix_s);
    struct table *parts = actual_parts_table(&b->actuals, &b->plan, b->known_until_unix_s);
    if (months == NULL || parts == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    } else if (c->arguments->format == FORMAT_TABLE) {
        show_page(b, months, parts);
    } else {
        table_print(c, months, NULL);
    }
    table_free(months);
    table_free(parts);
}

int cmd_actuals(struct command *c)
{
    struct comparing_bill b = {.command = c,
                               .markdown = c->arguments->value[OPTION_MARKDOWN] != NULL};
    if (open_plan(&b) && read_bills(&b)) {
        show(&b);
    }
    result_tables_release(&b.tables);
    return EXIT_DONE;
}
