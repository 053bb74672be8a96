/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/charts.h"

#include "engine/arena.h"
#include "engine/file.h"
#include "plots/charts/chart_break_even.h"
#include "plots/charts/chart_burn_down.h"
#include "plots/charts/chart_cash.h"
#include "plots/charts/chart_compare.h"
#include "plots/charts/chart_context.h"
#include "plots/charts/chart_cost.h"
#include "plots/charts/chart_cost_time.h"
#include "plots/charts/chart_demand.h"
#include "plots/charts/chart_front.h"
#include "plots/charts/chart_gantt.h"
#include "plots/charts/chart_latency.h"
#include "plots/charts/chart_levels.h"
#include "plots/charts/chart_months.h"
#include "plots/charts/chart_nodes.h"
#include "plots/charts/chart_offers.h"
#include "plots/charts/chart_plan_world.h"
#include "plots/charts/chart_policies.h"
#include "plots/charts/chart_slo.h"
#include "plots/charts/chart_slo_hours.h"
#include "plots/charts/chart_spend.h"
#include "plots/charts/chart_spot_market.h"
#include "plots/charts/chart_survival.h"
#include "plots/charts/chart_sweep.h"
#include "plots/charts/chart_time.h"
#include "plots/charts/chart_tornado.h"
#include "plots/charts/chart_unit_cost.h"
#include "plots/charts/chart_utilisation.h"
#include "plots/charts/chart_week.h"
#include "plots/charts/gnuplot.h"
#include "plots/charts/svg_polish.h"
#include "plots/text/font_coverage.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART        ".part"
#define SVG_LIMIT   ((size_t)64 << 20)
#define ARENA_LIMIT ((size_t)512 << 20)
#define NO_PLACE    ((struct place){0})

static const struct {
    const char *name;
    chart_writer *write;
} charts[] = {{"cost", chart_cost},
              {"time", chart_time},
              {"cost-time", chart_cost_time},
              {"compare", chart_compare},
              {"spend", chart_spend},
              {"nodes", chart_nodes},
              {"months", chart_months},
              {"cash", chart_cash},
              {"levels", chart_levels},
              {"break-even", chart_break_even},
              {"policies", chart_policies},
              {"plan-world", chart_plan_world},
              {"spot-market", chart_spot_market},
              {"survival", chart_survival},
              {"gantt", chart_gantt},
              {"burn-down", chart_burn_down},
              {"demand", chart_demand},
              {"latency", chart_latency},
              {"slo", chart_slo},
              {"slo-hours", chart_slo_hours},
              {"week", chart_week},
              {"tornado", chart_tornado},
              {"sweep", chart_sweep},
              {"unit-cost", chart_unit_cost},
              {"front", chart_front},
              {"utilisation", chart_utilisation},
              {"offers", chart_offers}};
#define CHARTS (sizeof charts / sizeof charts[0])

const char *chart_name(size_t i)
{
    return i < CHARTS ? charts[i].name : NULL;
}

/* folder/name followed by suffix and PART, in the arena. */
static char *path_of(const struct chart_context *c, const char *folder, const char *name,
                     const char *suffix, const char *part)
{
    return arena_format(c->arena, "%s/%s%s%s", folder, name, suffix, part);
}

static bool fail(const struct chart_context *c, const char *path)
{
    diagnostics_add(c->diagnostics, DIAGNOSTIC_FAILURE, NO_PLACE, "cannot write '%s': %s",
                    path == NULL ? "a chart" : path,
                    path == NULL ? "out of memory" : strerror(errno));
    return false;
}

/* Gives folder/name.suffix its final name. */
static bool publish(const struct chart_context *c, const char *folder, const char *name,
                    const char *suffix)
{
    char *from = path_of(c, folder, name, suffix, PART), *to = path_of(c, folder, name, suffix, "");

    if (from == NULL || to == NULL || rename(from, to) != 0)
        return fail(c, to);
    return true;
}

static bool write_bytes(const struct chart_context *c, const char *path, const char *bytes,
                        size_t length)
{
    FILE *out = path == NULL ? NULL : fopen(path, "wb");
    bool ok;

    if (out == NULL)
        return fail(c, path);
    ok = fwrite(bytes, 1, length, out) == length;
    ok = fclose(out) == 0 && ok;
    return ok ? true : fail(c, path);
}

/* The fonts of the machine, asked for at most once, and whether they lacked a character. */
struct fonts {
    struct font_coverage coverage;
    bool asked, lacking;
};

/* Exchanges what no font can draw; false when memory is out. */
static bool mask_script(struct fonts *fonts, struct text *gp)
{
    struct text masked;

    if (font_coverage_any_font(gp->data, gp->length))
        return true;
    if (!fonts->asked)
        font_coverage_of_machine(&fonts->coverage);
    fonts->asked = true;
    text_init(&masked, gp->limit);
    if (font_coverage_mask(&fonts->coverage, &masked, gp->data, gp->length) > 0)
        fonts->lacking = true;
    text_release(gp);
    *gp = masked;
    return !masked.overflow;
}

/* Fills s and writes script and data; CHART_NOTHING leaves no file. */
static enum chart_result write_script(const struct chart_context *c, const char *folder, size_t k,
                                      struct fonts *fonts, struct chart_script *s)
{
    char *data_path = path_of(c, folder, charts[k].name, ".csv", PART);
    char *script_path = path_of(c, folder, charts[k].name, ".gp", PART);
    FILE *data = data_path == NULL ? NULL : fopen(data_path, "wb");
    enum chart_result result;
    bool ok;

    if (data == NULL || script_path == NULL) {
        fail(c, data_path);
        if (data != NULL)
            fclose(data);
        return CHART_BROKEN;
    }
    if (!chart_script_init(s, charts[k].name, data)) {
        fclose(data);
        chart_script_release(s);
        fail(c, NULL);
        return CHART_BROKEN;
    }
    s->language = c->facts->frame->language;
    s->names = c->facts->frame->strategies;
    s->name_count = c->facts->frame->strategy_count;
    result = charts[k].write(s, c);
    ok = chart_script_finish(s) && mask_script(fonts, &s->gp);
    if (fclose(data) != 0)
        ok = false;
    if (result == CHART_DRAWN && !ok) {
        fail(c, data_path);
        result = CHART_BROKEN;
    }
    if (result != CHART_DRAWN) {
        unlink(data_path);
        return result;
    }
    if (!write_bytes(c, script_path, s->gp.data, s->gp.length) ||
        !publish(c, folder, charts[k].name, ".csv") || !publish(c, folder, charts[k].name, ".gp"))
        return CHART_BROKEN;
    return CHART_DRAWN;
}

static void warn(const struct chart_context *c, const char *name, const char *message)
{
    diagnostics_add(c->diagnostics, DIAGNOSTIC_WARNING, NO_PLACE,
                    "the chart '%s' was not drawn: %s", name, message);
}

/* Names the pictures that gnuplot made under their temporary names. */
static bool take_pictures(const struct chart_context *c, const char *folder, const char *name,
                          const char *title)
{
    char *part = path_of(c, folder, name, ".svg", PART);
    char *png = path_of(c, folder, name, ".png", PART);
    struct text polished;
    size_t length = 0;
    char *svg;
    bool ok;

    if (part == NULL || png == NULL)
        return fail(c, NULL);
    if (!file_exists(part) || !file_exists(png)) {
        warn(c, name, "gnuplot ended without an error but wrote no picture");
        return true;
    }
    svg = file_read_regular(c->arena, part, SVG_LIMIT, &length, c->diagnostics);
    if (svg == NULL)
        return false;
    text_init(&polished, 2 * SVG_LIMIT);
    ok = svg_polish(&polished, svg, length, title) &&
         write_bytes(c, part, polished.data, polished.length);
    text_release(&polished);
    return ok && publish(c, folder, name, ".svg") && publish(c, folder, name, ".png");
}

static void drop_pictures(const struct chart_context *c, const char *folder, const char *name)
{
    static const char *const suffixes[] = {".svg", ".png"};

    for (size_t i = 0; i < 2; i++) {
        char *part = path_of(c, folder, name, suffixes[i], PART);
        if (part != NULL)
            unlink(part);
    }
}

/* Runs gnuplot on one script; *absent is set when there is none. False on an I/O error. */
static bool draw(const struct chart_context *c, const char *folder, const char *name,
                 const char *title, bool *absent)
{
    const char *program = gnuplot_program();
    char script[64];
    struct gnuplot_result r;

    snprintf(script, sizeof script, "%s.gp", name);
    r = gnuplot_run(program, folder, script, PART, GNUPLOT_TIMEOUT_S);
    switch (r.status) {
    case GNUPLOT_DONE:
        return take_pictures(c, folder, name, title);
    case GNUPLOT_ABSENT:
        *absent = true;
        diagnostics_add(c->diagnostics, DIAGNOSTIC_WARNING, NO_PLACE,
                        "charts were not drawn, only their scripts written: cannot run '%s': %s; "
                        "install gnuplot (Debian: gnuplot-nox) or name it in GNUPLOT",
                        program, r.message);
        break;
    case GNUPLOT_FAILED:
    case GNUPLOT_TIMEOUT:
    case GNUPLOT_NOT_RUN:
        warn(c, name, r.message[0] != '\0' ? r.message : "gnuplot failed without a message");
        break;
    }
    drop_pictures(c, folder, name);
    return true;
}

/* only: the chart of this name; NULL: all. */
static bool draw_all(const struct chart_context *c, const char *folder, const char *only,
                     struct fonts *fonts)
{
    bool absent = false, ok = true;

    for (size_t k = 0; k < CHARTS && ok; k++) {
        struct chart_script s;
        enum chart_result result;
        if (only != NULL && strcmp(only, charts[k].name) != 0)
            continue;
        result = write_script(c, folder, k, fonts, &s);
        if (result == CHART_DRAWN && !absent)
            ok = draw(c, folder, charts[k].name, s.title, &absent);
        if (result == CHART_BROKEN)
            ok = false;
        chart_script_release(&s);
    }
    return ok;
}

/* The folder is made and its files replaced; a link in its place could lead anywhere. */
static bool make_folder(const char *folder, struct diagnostics *d)
{
    struct stat s;

    if (lstat(folder, &s) == 0 && S_ISLNK(s.st_mode)) {
        diagnostics_add(d, DIAGNOSTIC_ERROR, NO_PLACE,
                        "'%s' is a link, and nothing is written where it leads; delete it", folder);
        return false;
    }
    return file_make_folder(folder, d);
}

static void warn_fonts(const struct chart_context *c)
{
    diagnostics_add(c->diagnostics, DIAGNOSTIC_WARNING, NO_PLACE,
                    "no font of this machine has some characters of the names: charts show a "
                    "box for each; install one (Debian: fonts-noto-core, fonts-noto-cjk) and "
                    "draw them again with `fleetcast plot`");
}

/* Scripts and data alone. */
static bool write_all(struct chart_context *c, const char *folder, struct fonts *fonts,
                      struct chart_pages *pages)
{
    enum chart_result result = CHART_DRAWN;

    for (size_t k = 0; k < CHARTS && k < CHART_PAGES_MAX && result != CHART_BROKEN; k++) {
        struct chart_script s;
        c->title = pages->title == NULL ? NULL : pages->title(pages->of, charts[k].name);
        result = write_script(c, folder, k, fonts, &s);
        if (result == CHART_DRAWN)
            pages->name[pages->count++] = charts[k].name;
        chart_script_release(&s);
    }
    return result != CHART_BROKEN;
}

/* pages NULL: draws. */
static bool draw_charts(const struct study_facts *facts, const struct chart_tables *tables,
                        const char *only, const char *folder, struct chart_pages *pages,
                        struct diagnostics *d)
{
    struct chart_context c = {.facts = facts, .tables = tables, .diagnostics = d};
    struct fonts *fonts;
    bool ok;

    if (!make_folder(folder, d))
        return false;
    c.arena = arena_new(ARENA_LIMIT);
    if (c.arena == NULL)
        return fail(&c, NULL);
    c.shown = chart_shown_pick(facts, CHART_SERIES_MAX);
    fonts = arena_alloc(c.arena, sizeof *fonts);
    if (fonts == NULL) {
        arena_free(c.arena);
        return fail(&c, NULL);
    }
    memset(fonts, 0, sizeof *fonts);
    ok = pages == NULL ? draw_all(&c, folder, only, fonts) : write_all(&c, folder, fonts, pages);
    if (fonts->lacking)
        warn_fonts(&c);
    arena_free(c.arena);
    return ok;
}

bool charts_draw(const struct chart_frame *frame, const struct chart_tables *tables,
                 const char *folder, struct diagnostics *d)
{
    struct study_facts facts;

    return study_facts_init(&facts, frame, tables, d) &&
           draw_charts(&facts, tables, NULL, folder, NULL, d);
}

bool charts_draw_one(const char *name, const struct chart_frame *frame,
                     const struct chart_tables *tables, const char *folder, struct diagnostics *d)
{
    const struct study_facts nothing = {
        .frame = frame, .baseline = -1, .chosen = -1, .subject = -1};

    return draw_charts(&nothing, tables, name, folder, NULL, d);
}

bool charts_write(const struct chart_frame *frame, const struct chart_tables *tables,
                  const char *folder, struct chart_pages *pages, struct diagnostics *d)
{
    struct study_facts facts;

    pages->count = 0;
    return study_facts_init(&facts, frame, tables, d) &&
           draw_charts(&facts, tables, NULL, folder, pages, d);
}
