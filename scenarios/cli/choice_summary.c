/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenarios/cli/choice_summary.h"

#include "plots/text/terminal_line.h"
#include "scenarios/study/choice_words.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LOSERS = 12 };

/* "Chosen: spot+return: lowest …", or that there is none. */
static void add_chosen(struct text *line, const struct choice *c, const struct study *study)
{
    if (c->chosen == CHOICE_NONE) {
        text_format(line, "Nothing can be chosen by ");
        objective_words(line, &study->choice.objective);
        text_add(line, ":");
        return;
    }
    text_add(line, "Chosen: ");
    text_add_visible(line, study_strategy_name(study, c->chosen), 80);
    text_add(line, ": ");
    choice_reason(line, c, study, c->chosen);
}

static bool print_one(const struct choice *c, const struct study *study, size_t strategy,
                      const struct terminal_style *style, struct text *line)
{
    text_clear(line);
    text_add(line, strategy == c->runner_up ? "Runner-up: " : "Not chosen: ");
    text_add_visible(line, study_strategy_name(study, strategy), 80);
    text_add(line, ": ");
    choice_reason(line, c, study, strategy);
    return terminal_paragraph(style, stdout, line->data);
}

static bool print_others(const struct choice *c, const struct study *study,
                         const struct terminal_style *style, struct text *line)
{
    const size_t first =
        (c->chosen == CHOICE_NONE ? 0U : 1U) + (c->runner_up == CHOICE_NONE ? 0U : 1U);
    bool ok = c->runner_up == CHOICE_NONE || print_one(c, study, c->runner_up, style, line);
    size_t named = 0;
    for (size_t k = 0; ok && k < c->count && named < MOST_LOSERS; k++) {
        if (k != c->chosen && k != c->runner_up) {
            ok = print_one(c, study, k, style, line);
            named++;
        }
    }
    if (ok && first + named < c->count) {
        text_clear(line);
        text_format(line, "and %zu more, in choice.csv", c->count - first - named);
        ok = terminal_paragraph(style, stdout, line->data);
    }
    return ok;
}

void choice_summary_print(struct command *c, const struct run *run,
                          const struct terminal_style *style, bool brief)
{
    const struct choice *choice = &run->choice;
    struct text line;
    if (choice->one == NULL) {
        return;
    }
    text_init(&line, 8192);
    putchar('\n');
    add_chosen(&line, choice, run->study);
    bool ok = terminal_paragraph(style, stdout, line.data);
    text_clear(&line);
    choice_fresh_words(&line, choice, run->study);
    if (ok && line.length > 0) {
        line.data[0] = (char)toupper((unsigned char)line.data[0]);
        ok = terminal_paragraph(style, stdout, line.data);
    }
    ok = ok && (brief || print_others(choice, run->study, style, &line));
    text_release(&line);
    if (!ok) {
        command_complain(c, DIAGNOSTIC_FAILURE, "cannot print the choice: %s", strerror(errno));
    }
}

bool choice_summary_tell_limits(struct command *c, const struct run *run)
{
    const struct limit_checks *l = &run->limits;
    struct text line;
    text_init(&line, 8192);
    for (size_t i = 0; i < l->count; i++) {
        if (l->items[i].answer != LIMIT_KEPT) {
            text_clear(&line);
            limit_check_words(&line, &l->items[i], run->study);
            command_complain(c, DIAGNOSTIC_WARNING, "%s", line.data);
        }
    }
    text_release(&line);
    return l->broken > 0;
}
