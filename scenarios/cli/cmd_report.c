/* SPDX-License-Identifier: GPL-3.0-or-later
 * fleetcast report: a result directory as a paper for those who decide. */
#include "engine/file.h"
#include "plots/charts/charts.h"
#include "plots/report/report_deck.h"
#include "plots/report/report_html.h"
#include "plots/report/report_markdown.h"
#include "plots/report/report_page.h"
#include "plots/report/report_workbook.h"
#include "scenarios/cli/new_file.h"
#include "scenarios/cli/report_extras.h"
#include "scenarios/cli/result_charts.h"
#include "scenarios/output/manifest_register.h"
#include "scenarios/output/result_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PICTURE_LIMIT  ((size_t)64 << 20)
#define CHARTS_MAX     64
#define FINISHED_LIMIT ((size_t)512 << 20)

struct reporting {
    struct command *command;
    const char *folder, *path; /* path NULL: standard output */
    enum report_format format;
    struct chart_frame frame;
    struct result_tables tables;
    struct report_extras extras;
    struct manifest_register kept;
    struct study_facts facts;
    struct report_source source;
    struct report_document document;
    const char *charts[CHARTS_MAX];
    struct report_picture pictures[CHARTS_MAX];
    size_t chart_count;
    const char *charts_folder; /* in the directory */
};

static bool out_of_memory(struct command *c)
{
    command_complain(c, DIAGNOSTIC_FAILURE, "out of memory");
    return false;
}

/* ---- where to ---- */

static bool ends_in(const char *path, const char *name)
{
    size_t length = strlen(path), ending = strlen(name);
    return length > ending + 1 && path[length - ending - 1] == '.' &&
           strcmp(path + length - ending, name) == 0;
}

/* --format, else what the file's name ends in, else HTML. */
static enum report_format find_format(const struct arguments *a)
{
    const char *path = a->value[OPTION_OUTPUT];
    if (a->value[OPTION_FORMAT] != NULL || path == NULL) {
        return a->report_format;
    }
    for (int i = 0; report_format_names[i] != NULL; i++) {
        if (ends_in(path, report_format_names[i])) {
            return (enum report_format)i;
        }
    }
    return REPORT_HTML;
}

static bool find_path(struct reporting *p)
{
    struct command *c = p->command;
    const char *given = c->arguments->value[OPTION_OUTPUT];
    p->format = find_format(c->arguments);
    if (given != NULL) {
        p->path = strcmp(given, "-") == 0 ? NULL : given;
        return true;
    }
    p->path = arena_format(c->arena, "%s/report.%s", p->folder, report_format_names[p->format]);
    return p->path != NULL || out_of_memory(c);
}

/* ---- what it is made of ---- */

/* One word of a shell. */
static const char *for_shell(struct arena *a, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./+-=,:@%";
    struct text t;
    if (word[0] != '\0' && word[0] != '-' && word[strspn(word, plain)] == '\0') {
        return word;
    }
    text_init(&t, 0);
    text_add(&t, word[0] == '-' ? "'./" : "'");
    for (const char *p = word; *p != '\0'; p++) {
        text_add_bytes(&t, p, 1);
        if (*p == '\'') {
            text_add(&t, "\\''");
        }
    }
    text_add(&t, "'");
    const char *kept = arena_string(a, t.data);
    text_release(&t);
    return kept;
}

static bool fill_source(struct reporting *p, const struct manifest *m)
{
    struct command *c = p->command;
    const struct manifest_register *k = &p->kept;
    struct report_assumption *assumptions =
        arena_array(c->arena, k->assumption_count + 1, sizeof *assumptions);
    struct report_price *prices = arena_array(c->arena, k->price_count + 1, sizeof *prices);
    if (assumptions == NULL || prices == NULL) {
        return out_of_memory(c);
    }
    for (size_t i = 0; i < k->assumption_count; i++) {
        assumptions[i] =
            (struct report_assumption){k->assumptions[i].what, k->assumptions[i].value,
                                       k->assumptions[i].source, k->assumptions[i].extrapolated};
    }
    for (size_t i = 0; i < k->price_count; i++) {
        const struct manifest_price *x = &k->prices[i];
        prices[i] = (struct report_price){x->instance_type, x->zone,      x->purchase, x->per_hour,
                                          x->since,         x->last_seen, x->source};
    }
    p->source = (struct report_source){.facts = &p->facts,
                                       .charts = result_charts_tables(&p->tables),
                                       .quarters = p->tables.quarters,
                                       .commitments = p->tables.commitments,
                                       .lines = p->tables.lines,
                                       .choice = p->tables.choice,
                                       .thresholds = p->extras.thresholds,
                                       .limits = p->tables.limits,
                                       .sensitivity = p->tables.sensitivity,
                                       .information = p->tables.information,
                                       .assumptions = assumptions,
                                       .assumption_count = k->assumption_count,
                                       .not_modelled = k->not_modelled,
                                       .not_modelled_count = k->not_modelled_count,
                                       .prices = prices,
                                       .price_count = k->price_count,
                                       .price_currency = m->currency,
                                       .rate = m->report.given ? m->report.rate : 0,
                                       .folder = for_shell(c->arena, p->folder),
                                       .sunk = k->sunk,
                                       .sunk_names = k->sunk_names,
                                       .sunk_count = k->sunk_count,
                                       .version = k->version,
                                       .scenario_hash = k->scenario_hash,
                                       .catalogue_hash = k->catalogue_hash,
                                       .region = k->region,
                                       .partial = m->partial};
    return true;
}

/* The charts that stand in the directory, in their order; of HTML with their pictures. */
static bool find_charts_in(struct reporting *p, const char *folder)
{
    struct command *c = p->command;
    for (size_t i = 0; chart_name(i) != NULL && p->chart_count < CHARTS_MAX; i++) {
        size_t length = 0;
        const char *path = arena_format(c->arena, "%s/%s.svg", folder, chart_name(i));
        if (path == NULL) {
            return out_of_memory(c);
        }
        if (!file_exists(path)) {
            continue;
        }
        if (p->format == REPORT_HTML) {
            const char *svg = file_read_regular(c->arena, path, PICTURE_LIMIT, &length, c->d);
            if (svg == NULL) {
                return false;
            }
            p->pictures[p->chart_count] = (struct report_picture){chart_name(i), svg, length};
        }
        p->charts[p->chart_count++] = chart_name(i);
    }
    return true;
}

/* A folder of its own for what others write; NULL, told. */
static char *make_scratch(struct reporting *p)
{
    struct command *c = p->command;
    const char *place = getenv("TMPDIR");
    char *scratch = arena_format(c->arena, "%s/fleetcast-report-XXXXXX",
                                 place == NULL || place[0] == '\0' ? "/tmp" : place);
    if (scratch == NULL || mkdtemp(scratch) == NULL) {
        command_complain(c, DIAGNOSTIC_FAILURE, "cannot make a folder for the report: %s",
                         strerror(scratch == NULL ? ENOMEM : errno));
        return NULL;
    }
    return scratch;
}

static bool draw_in(struct reporting *p, const char *folder)
{
    return charts_draw(&p->frame, &p->source.charts, folder, p->command->d) &&
           find_charts_in(p, folder);
}

/* Charts with the words of another language, in a folder of their own; in HTML, which holds its
 * pictures, one that does not last. */
static bool draw_charts(struct reporting *p)
{
    struct command *c = p->command;
    if (p->format == REPORT_MARKDOWN) {
        p->charts_folder =
            arena_format(c->arena, "charts-%s", report_language_names[c->arguments->language]);
        const char *folder =
            p->charts_folder == NULL ? NULL : file_join(c->arena, p->folder, p->charts_folder);
        return folder == NULL ? out_of_memory(c) : draw_in(p, folder);
    }
    char *scratch = make_scratch(p);
    if (scratch == NULL) {
        return false;
    }
    const bool ok = draw_in(p, scratch);
    return file_remove_tree(scratch, c->d) && ok;
}

/* Where none can be drawn: those of the run, in English. */
static bool find_charts(struct reporting *p)
{
    struct command *c = p->command;
    const char *folder = file_join(c->arena, p->folder, "charts");
    if (folder == NULL) {
        return out_of_memory(c);
    }
    p->charts_folder = "charts";
    if (p->frame.language != REPORT_EN &&
        (p->format == REPORT_HTML || p->format == REPORT_MARKDOWN)) {
        if (!draw_charts(p) || p->chart_count > 0) {
            return !diagnostics_failed(c->d);
        }
        p->charts_folder = "charts";
        p->source.charts_english = true;
    }
    return find_charts_in(p, folder);
}

/* ---- writing ---- */

static bool write_html(const void *what, FILE *out)
{
    const struct reporting *p = what;
    return report_html_write(&p->document, p->pictures, p->chart_count, out);
}

static bool write_markdown(const void *what, FILE *out)
{
    const struct reporting *p = what;
    const char *beside = p->path == NULL ? NULL : file_folder(p->command->arena, p->path);
    const char *charts = beside != NULL && strcmp(beside, p->folder) == 0
                             ? p->charts_folder
                             : file_join(p->command->arena, p->folder, p->charts_folder);
    return charts != NULL && report_markdown_write(&p->document, charts, out);
}

/* A file that does not say by whom it was written is replaced only where a report stands by
 * default. */
static bool is_free(struct reporting *p)
{
    struct command *c = p->command;
    bool given = c->arguments->value[OPTION_OUTPUT] != NULL;
    if (!given || p->path == NULL || !file_exists(p->path)) {
        return true;
    }
    command_complain(c, DIAGNOSTIC_ERROR, "'%s' is there; expected a new file", p->path);
    return false;
}

struct finished_file {
    const char *bytes;
    size_t length;
};

static bool write_bytes(const void *what, FILE *out)
{
    const struct finished_file *f = what;
    return fwrite(f->bytes, 1, f->length, out) == f->length;
}

/* What was made in the scratch folder, to its place. */
static bool take_file(struct reporting *p, const char *scratch, const char *name)
{
    struct command *c = p->command;
    struct finished_file f = {NULL, 0};
    const char *path = file_join(c->arena, scratch, name);
    f.bytes =
        path == NULL ? NULL : file_read_regular(c->arena, path, FINISHED_LIMIT, &f.length, c->d);
    return f.bytes != NULL && new_file_write(c, p->path, write_bytes, &f);
}

static bool make_deck(struct reporting *p, const char *scratch, const char **name)
{
    *name = REPORT_DECK_FILE;
    return report_deck_draw(&p->document, &p->frame, &p->source.charts, scratch, p->command->d);
}

static bool make_workbook(struct reporting *p, const char *scratch, const char **name)
{
    const struct result_tables *t = &p->tables;
    const struct table *const tables[] = {t->choice,      t->summary,     t->comparison,
                                          t->quarters,    t->monthly,     t->categories,
                                          t->commitments, t->sensitivity, p->extras.thresholds};
    const char *path = file_join(p->command->arena, scratch, "report.xlsx");
    *name = "report.xlsx";
    return path != NULL &&
           report_workbook_write(&p->document, tables, sizeof tables / sizeof tables[0],
                                 p->frame.start_unix_s, path, p->command->d);
}

/* What others write is made in a folder of its own: gnuplot leaves its scripts there. */
static bool write_aside(struct reporting *p,
                        bool (*make)(struct reporting *p, const char *scratch, const char **name))
{
    struct command *c = p->command;
    const char *name = NULL;
    if (!is_free(p)) {
        return false;
    }
    char *scratch = make_scratch(p);
    if (scratch == NULL) {
        return false;
    }
    bool ok = make(p, scratch, &name) && take_file(p, scratch, name);
    return file_remove_tree(scratch, c->d) && ok;
}

static bool write_report(struct reporting *p)
{
    struct command *c = p->command;
    const struct new_file_kind html = {"report of fleetcast",
                                       "<!DOCTYPE html><!-- fleetcast report -->"};
    const struct new_file_kind markdown = {"report of fleetcast", "<!-- fleetcast report -->"};
    switch (p->format) {
    case REPORT_HTML:
        return new_file_allowed(c, p->path, html) && new_file_write(c, p->path, write_html, p);
    case REPORT_MARKDOWN:
        return new_file_allowed(c, p->path, markdown) &&
               new_file_write(c, p->path, write_markdown, p);
    case REPORT_PDF:
        return write_aside(p, make_deck);
    case REPORT_WORKBOOK:
        return write_aside(p, make_workbook);
    }
    return false;
}

static bool report(struct reporting *p)
{
    struct command *c = p->command;
    const struct manifest *m = manifest_read(c->arena, p->folder, c->d);
    if (m == NULL || !manifest_register_read(&p->kept, c->arena, p->folder, c->d) ||
        !result_folder_read(&p->tables, p->folder, m, c->d) ||
        !report_extras_read(&p->extras, c->arena, p->folder, c->d)) {
        return false;
    }
    const struct chart_tables of_charts = result_charts_tables(&p->tables);
    if (!result_charts_frame(c, m, &p->frame)) {
        return false;
    }
    result_charts_mark(&p->frame, &p->tables);
    p->frame.language = (enum report_language)c->arguments->language;
    if (!study_facts_init(&p->facts, &p->frame, &of_charts, c->d) || !fill_source(p, m) ||
        !find_charts(p)) {
        return false;
    }
    report_document_init(&p->document, c->arena, (enum report_language)c->arguments->language);
    if (!report_compose(&p->document, &p->source, p->charts, p->chart_count)) {
        return out_of_memory(c);
    }
    return write_report(p);
}

int cmd_report(struct command *c)
{
    struct reporting *p = arena_alloc(c->arena, sizeof *p);
    if (p == NULL) {
        out_of_memory(c);
        return EXIT_FAILED;
    }
    *p = (struct reporting){.command = c, .folder = c->arguments->operands[0]};
    bool done = find_path(p) && report(p);
    result_tables_release(&p->tables);
    report_extras_release(&p->extras);
    if (done && p->path != NULL && !c->quiet) {
        fputs("Report: ", stdout);
        command_print(p->path);
        putchar('\n');
    }
    return done ? EXIT_DONE : EXIT_USAGE;
}
