/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast check: what a scenario means, before anything is simulated. Everything shown is what
 * planning sees: medians of what is uncertain. */
#include "engine/civil_time.h"
#include "engine/quantity.h"
#include "engine/text.h"
#include "plots/text/figures.h"
#include "scenarios/cli/account_remarks.h"
#include "scenarios/cli/commitment_remarks.h"
#include "scenarios/cli/load.h"
#include "scenarios/cli/reasons_table.h"
#include "scenarios/cli/remarks.h"
#include "scenarios/cli/table_print.h"
#include "scenarios/study/choice_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the meaning of a term begins. */
enum { MEANING = 14 };

/* A term and what it means, wrapped under its own beginning. */
static void print_term(const char *term, const struct text *meaning)
{
    printf("  %-*s", MEANING - 2, term);
    remarks_print_wrapped(meaning, MEANING, MEANING);
}

/* Every type and zone once, with the ways to buy there. */
static void add_pools(struct text *t, const struct study *s, const struct work_plan *p)
{
    const struct pool_info *before = NULL;
    for (size_t i = 0; i < p->pool_count; i++) {
        const struct pool_info *info = market_pool_info(s->market, p->pools[i].pool);
        bool same =
            before != NULL && before->type == info->type && strcmp(before->zone, info->zone) == 0;
        if (before == NULL) {
            text_format(t, "%s x ", figure_count(p->nodes).text);
        }
        if (!same) {
            text_format(t, "%s%s in ", before != NULL ? "; " : "", info->type->name);
            text_add_visible(t, info->zone, strlen(info->zone));
        }
        text_format(t, "%s%s", same ? " and " : ", ", purchase_names[info->purchase]);
        before = info;
    }
    text_format(t, "%s%s", before != NULL ? "; " : "", p->how);
}

static void add_deadline(struct text *t, const struct work_plan *p)
{
    char time[32];
    bool late = p->planned_start_s + p->planned_work_s + p->planned_overhead_s > p->deadline_s;
    text_format(t, "%s after the start%s", quantity_time_text(p->deadline_s, time),
                late ? ", which is too short even if nothing is ever lost" : "");
}

static void print_line(void *context, const char *term, const struct text *meaning)
{
    (void)context;
    print_term(term, meaning);
}

static void print_plan(const struct study *s, const struct work_plan *p)
{
    struct text t;
    text_init(&t, 0);
    add_pools(&t, s, p);
    print_term("runs on", &t);
    p->kind->describe(p, s->market, print_line, NULL);
    if (isfinite(p->deadline_s)) {
        text_clear(&t);
        add_deadline(&t, p);
        print_term("deadline", &t);
    }
    text_release(&t);
}

/* The hardware of a strategy's own. */
static void print_owned(const struct study *s, size_t strategy)
{
    const struct study_strategy *made = &s->strategies[strategy];
    for (size_t i = 0; i < made->owned_count; i++) {
        const struct owned_hardware *h = &made->owned[i];
        char price[48];
        struct text t;
        text_init(&t, 0);
        text_format(
            &t, "%s nodes at %s each, written off over %.4g d from %.4g d after the start",
            figure_count((double)h->spec->nodes).text,
            quantity_text(h->spec->capital.median, DIMENSION_MONEY, s->scenario->currency, price),
            (double)h->life_us / 86400e6, (double)h->from_us / 86400e6);
        print_term("owned", &t);
        text_release(&t);
    }
}

static void print_reservations(const struct study *s, size_t strategy)
{
    const struct reservation_plan *plan = &s->strategies[strategy].commitments.reservations;
    for (size_t i = 0; i < plan->count; i++) {
        const struct held_capacity *h = &plan->items[i];
        const double price = market_planned_price_per_hour(s->market, h->pool);
        char from[24], to[24];
        struct text t;
        text_init(&t, 0);
        text_add_visible(&t, h->name, strlen(h->name));
        text_format(&t,
                    " from %s to %s, %.8g %s/h for each while nothing runs in it; nothing signed",
                    civil_date_text(s->frame.start_unix_s + h->from_us / MICROSECONDS, from),
                    civil_date_text(s->frame.start_unix_s + h->to_us / MICROSECONDS, to), price,
                    s->scenario->currency);
        print_term("reserved", &t);
        text_release(&t);
    }
}

static void print_conditions(const char *term, const struct condition *c, size_t count)
{
    struct text line;
    text_init(&line, 0);
    for (size_t i = 0; i < count; i++) {
        text_add(&line, i > 0 ? ", " : "");
        text_add_visible(&line, c[i].text, c[i].length);
    }
    if (count > 0) {
        print_term(term, &line);
    }
    text_release(&line);
}

/* By what `run` will choose, and what decides its exit code. */
static void print_choice(const struct study *s)
{
    const struct choice_plan *p = &s->choice;
    struct text line;
    text_init(&line, 0);
    if (p->given) {
        text_add(&line, p->maximise ? "largest " : "least ");
        objective_words(&line, &p->objective);
        print_term("chosen by", &line);
        print_conditions("subject to", p->conditions, p->condition_count);
    }
    print_conditions("limits", p->limits, p->limit_count);
    text_release(&line);
}

static void print_study(const struct study *s)
{
    remarks_print_scenario(s);
    print_choice(s);
    for (size_t k = 0; k < s->strategy_count; k++) {
        for (size_t w = 0; w < s->workload_count; w++) {
            putchar('\n');
            command_print(study_strategy_name(s, k));
            fputs(", ", stdout);
            command_print(study_workload_name(s, w));
            puts(k == s->baseline && s->strategy_count > 1 ? " (baseline)" : "");
            print_plan(s, s->strategies[k].plans[w]);
            reasons_print(s, k, w);
        }
        print_owned(s, k);
        print_reservations(s, k);
        commitment_remarks_print(s, k);
    }
    account_remarks_print(s);
    putchar('\n');
    remarks_print_prices(s);
    remarks_print_price_steps(s);
    putchar('\n');
    remarks_print_assumptions(s);
    putchar('\n');
    remarks_print_not_modelled(s);
}

/* For programs: the figures behind the plans, nothing else. */
static void print_figures(struct command *c, const struct study *s)
{
    struct table *t = reasons_table(s);
    if (t == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
        return;
    }
    table_print(c, t, NULL);
    table_free(t);
}

int cmd_check(struct command *c)
{
    struct study *study = load_study(c);
    bool good = command_tell(c);
    if (good && c->arguments->format != FORMAT_TABLE) {
        print_figures(c, study);
    } else if (good && !c->quiet) {
        print_study(study);
    }
    study_free(study);
    return EXIT_DONE;
}
