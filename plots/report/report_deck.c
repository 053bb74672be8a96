/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_deck.h"

#include "plots/charts/charts.h"
#include "plots/charts/gnuplot.h"
#include "plots/report/report_slides.h"
#include "plots/text/font_coverage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT   "deck.gp"
#define NO_PLACE ((struct place){0})
/* A chart takes well under a second; there may be twenty. */
#define TIMEOUT_S (4.0 * GNUPLOT_TIMEOUT_S)

/* 1200 × 675 points in the charts' own measure, so that one size of type fits both. */
static const char opening[] =
    "DECK = 1\n"
    "if (!exists('FONT')) FONT = 'Inter'\n"
    "if (!exists('PART')) PART = ''\n"
    "set encoding utf8\n"
    "set terminal pdfcairo noenhanced size 16.6667in,9.375in font FONT.',22' fontscale 0.75 "
    "linewidth 1.6 background '#FFFFFF'\n"
    "set output '" REPORT_DECK_FILE "'.PART\n";

static bool complain(struct diagnostics *d, const char *what, const char *why)
{
    diagnostics_add(d, DIAGNOSTIC_FAILURE, NO_PLACE, "the deck %s: %s", what, why);
    return false;
}

/* The sentence under the chart, where it is in another language than the chart. */
static const char *title_of(const void *of, const char *chart)
{
    const struct report_document *r = of;

    for (const struct report_block *b = r->first; b != NULL && r->language != REPORT_EN;
         b = b->next) {
        if (b->kind == REPORT_CHART && strcmp(b->chart, chart) == 0)
            return b->text;
    }
    return NULL;
}

static bool is_drawn(const struct chart_pages *pages, const char *chart)
{
    for (size_t i = 0; i < pages->count; i++) {
        if (strcmp(pages->name[i], chart) == 0)
            return true;
    }
    return false;
}

/* A heading over charts, or over nothing, makes no slide. */
static bool has_slide(const struct report_block *heading)
{
    const struct report_block *next = heading->next;

    return next != NULL && next->kind != REPORT_CHART && next->kind != REPORT_HEADING &&
           next->kind != REPORT_BREAK && !next->appendix;
}

static void add_slides(struct report_slides *s, const struct report_document *r,
                       const struct chart_pages *pages)
{
    const char *lead = "";
    bool charts = false;

    for (const struct report_block *b = r->first; b != NULL && lead[0] == '\0'; b = b->next)
        lead = b->kind == REPORT_LEAD ? b->text : "";
    report_slides_cover(s, r->title, r->subtitle, lead);
    for (const struct report_block *b = r->first; b != NULL && !b->appendix; b = b->next) {
        if (b->kind == REPORT_CHART) {
            report_slides_end(s);
            charts = true;
            if (is_drawn(pages, b->chart))
                text_format(&s->gp, "load '%s.gp'\n", b->chart);
        } else if (b->kind == REPORT_LEAD) {
            report_slides_begin(s, b->text);
        } else if (b->kind == REPORT_HEADING && has_slide(b)) {
            report_slides_begin(s, b->text);
        } else if (!charts && b->kind != REPORT_HEADING && b->kind != REPORT_BREAK) {
            report_slides_block(s, b);
        }
    }
    report_slides_end(s);
}

/* Writes the script; characters that no font has are exchanged. */
static bool write_script(const struct text *gp, enum report_language language, const char *folder,
                         struct diagnostics *d)
{
    struct font_coverage *fonts = malloc(sizeof *fonts);
    char path[4096];
    struct text masked;
    size_t lacking;
    FILE *out;
    bool ok;

    if (fonts == NULL)
        return complain(d, "cannot be written", strerror(ENOMEM));
    font_coverage_of_machine(fonts);
    text_init(&masked, 0);
    lacking = font_coverage_mask(fonts, &masked, gp->data, gp->length);
    free(fonts);
    if (lacking > 0)
        diagnostics_add(d, DIAGNOSTIC_WARNING, NO_PLACE,
                        "no font of this machine has some characters of the deck, which shows a "
                        "box for each; install one (Debian: %s)",
                        language == REPORT_ZH ? "fonts-noto-cjk"
                                              : "fonts-noto-core, "
                                                "fonts-noto-cjk");
    ok = snprintf(path, sizeof path, "%s/%s", folder, SCRIPT) < (int)sizeof path;
    out = ok ? fopen(path, "wb") : NULL;
    ok = out != NULL && fwrite(masked.data, 1, masked.length, out) == masked.length;
    ok = (out == NULL || fclose(out) == 0) && ok && !masked.overflow;
    text_release(&masked);
    return ok ? true : complain(d, "cannot be written", strerror(errno));
}

static bool draw(const char *folder, struct diagnostics *d)
{
    const char *program = gnuplot_program();
    struct gnuplot_result r = gnuplot_run(program, folder, SCRIPT, "", TIMEOUT_S);

    if (r.status == GNUPLOT_DONE)
        return true;
    if (r.status == GNUPLOT_ABSENT) {
        diagnostics_add(d, DIAGNOSTIC_FAILURE, NO_PLACE,
                        "the deck is drawn by gnuplot, and '%s' cannot be run: %s; install it "
                        "(Debian: gnuplot-nox) or name it in GNUPLOT",
                        program, r.message);
        return false;
    }
    return complain(d, "cannot be drawn", r.message[0] != '\0' ? r.message : "gnuplot failed");
}

bool report_deck_draw(const struct report_document *r, const struct chart_frame *frame,
                      const struct chart_tables *tables, const char *folder, struct diagnostics *d)
{
    struct chart_pages pages = {.title = title_of, .of = r};
    struct report_slides s;
    struct text gp;
    char path[4096];
    FILE *data;
    bool ok;

    if (!charts_write(frame, tables, folder, &pages, d))
        return false;
    snprintf(path, sizeof path, "%.4000s/slide.csv", folder);
    data = fopen(path, "wb");
    if (data == NULL)
        return complain(d, "cannot be written", strerror(errno));
    report_slides_init(&s, data, r->subtitle);
    add_slides(&s, r, &pages);
    text_init(&gp, 0);
    text_add(&gp, opening);
    text_add(&gp, s.gp.data);
    text_add(&gp, "set output\n");
    ok = !s.failed && !s.gp.overflow && !gp.overflow && fclose(data) == 0;
    ok = ok ? write_script(&gp, r->language, folder, d) && draw(folder, d)
            : complain(d, "cannot be written", strerror(ENOMEM));
    text_release(&gp);
    report_slides_release(&s);
    return ok;
}
