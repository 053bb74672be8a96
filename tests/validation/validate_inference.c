/* SPDX-License-Identifier: GPL-3.0-or-later
 * The serving speed of language models against published measurements: `make validate DATA=FOLDER`,
 * FOLDER with a file validation/inference.csv of the columns that tests/support/serving_rows.h
 * names. Every row is predicted from its own inputs, the default numbers of the step equation and
 * the factor of its engine's profile, or listed with what it lacks. The numbers are fitted again
 * with each source left out in turn, so that what is predicted was never seen. */
#include "engine/double_sort.h"
#include "engine/gsl_errors.h"
#include "tests/support/published.h"
#include "tests/support/serving_prediction.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST_ROWS     4096
#define LEAST_FIGURES 3 /* to take a profile's factor from */
#define MOST_FIGURES  (MOST_ROWS * SERVING_MEASURES)

/* One measured value. */
struct figure {
    const struct serving_row *row;
    enum serving_measure measure;
    double measured, predicted;
    double error;  /* ln(predicted / measured), defaults and the profile's factor */
    double unseen; /* likewise, fitted without its source */
    double factor; /* on all times, with which the defaults would say what was measured */
};

static struct {
    struct serving_row rows[MOST_ROWS];
    size_t count, text, read;
    struct figure figures[MOST_FIGURES];
    size_t figure_count;
} all;

/* ---- reading ---- */

static bool read_rows(const char *path, const struct catalogue *c, struct diagnostics *d)
{
    struct csv_reader *r = csv_open(path, path, serving_columns, d);
    int got = r == NULL ? -1 : 1;
    while (got > 0 && all.count < MOST_ROWS) {
        got = csv_next(r);
        if (got <= 0) {
            break;
        }
        struct serving_row *row = &all.rows[all.count];
        const struct serving_numbers n = serving_numbers_default();
        double out[SERVING_MEASURES];
        const char *reason = serving_row_read(row, r, c);
        if (reason == NULL && !serving_predict(row, &n, 1, out)) {
            reason = "does not fit into the memory as the engine divides it";
        }
        all.read++;
        all.text += row->text;
        if (reason != NULL && row->text) {
            printf("  not predicted  %-6s %-16s %s\n", row->id, row->metric, reason);
        }
        all.count += reason == NULL;
    }
    csv_close(r);
    return got >= 0;
}

/* ---- judging ---- */

static void add_figures(const struct serving_row *row)
{
    const struct serving_numbers n = serving_numbers_default();
    double usual[SERVING_MEASURES], plain[SERVING_MEASURES];
    serving_predict(row, &n, llm_engine_profiles[row->engine].usual, usual);
    serving_predict(row, &n, 1, plain);
    for (int m = 0; m < SERVING_MEASURES; m++) {
        if (!(row->measured[m] > 0) || !(usual[m] > 0)) {
            continue;
        }
        const bool rate = m == SERVING_TOKENS_PER_S;
        all.figures[all.figure_count++] = (struct figure){
            .row = row,
            .measure = (enum serving_measure)m,
            .measured = row->measured[m],
            .predicted = usual[m],
            .error = log(usual[m] / row->measured[m]),
            .unseen = (double)NAN,
            .factor = rate ? plain[m] / row->measured[m] : row->measured[m] / plain[m]};
    }
}

/* The factor of a profile by what its other sources measured; the usual one where there is none. */
static double factor_without(const char *source, enum llm_engine engine)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < all.figure_count; i++) {
        const struct figure *f = &all.figures[i];
        if (f->row->engine == engine && !f->row->assumed && strcmp(f->row->source, source) != 0) {
            sum += log(f->factor);
            n++;
        }
    }
    return engine == LLM_ENGINE_TUNED || n < LEAST_FIGURES ? llm_engine_profiles[engine].usual
                                                           : exp(sum / n);
}

static void judge_unseen(void)
{
    size_t sources = 0;
    for (size_t i = 0; i < all.figure_count; i++) {
        const char *source = all.figures[i].row->source;
        struct serving_numbers n;
        if (!isnan(all.figures[i].unseen)) {
            continue;
        }
        sources++;
        serving_fit(&n, all.rows, all.count, source);
        for (size_t k = i; k < all.figure_count; k++) {
            struct figure *f = &all.figures[k];
            double out[SERVING_MEASURES];
            if (strcmp(f->row->source, source) == 0) {
                const double factor = factor_without(source, f->row->engine);
                f->unseen = serving_predict(f->row, &n, factor, out)
                                ? log(out[f->measure] / f->measured)
                                : HUGE_VAL;
            }
        }
    }
    printf("%zu sources, each left out once\n", sources);
}

static bool inside(const struct figure *f)
{
    const struct llm_engine_profile *p = &llm_engine_profiles[f->row->engine];
    return f->factor >= p->low && f->factor <= p->high;
}

/* ---- tables ---- */

static const char *load_text(const struct serving_row *row, char *out, size_t size)
{
    switch (row->load) {
    case SERVING_PROMPT:
        snprintf(out, size, "prompts of %.0f", row->batch);
        break;
    case SERVING_STATIC:
        snprintf(out, size, "batch of %.0f", row->batch);
        break;
    case SERVING_SATURATED:
        snprintf(out, size, "saturated");
        break;
    case SERVING_BURST:
        snprintf(out, size, "burst of %.0f", row->batch);
        break;
    case SERVING_CLOSED:
        snprintf(out, size, "%.0f users", row->batch);
        break;
    case SERVING_OPEN:
        snprintf(out, size, "%.3g/s", row->rate_per_s);
        break;
    }
    return out;
}

static void print_figures(void)
{
    printf("\nevery figure of a replica: predicted, measured (tokens/s, ms), their quotient, the "
           "same with its source\nleft out, and the factor on all times that would explain it "
           "(o: outside the profile's 90 %%)\n");
    for (size_t i = 0; i < all.figure_count; i++) {
        const struct figure *f = &all.figures[i];
        const double scale = f->measure == SERVING_TOKENS_PER_S ? 1 : 1e3;
        char load[64], on[64];
        snprintf(on, sizeof on, "%.0f x %s", f->row->hardware.accelerators, f->row->chip);
        printf("  %-6s %-14s %-14s %-14s %5.0f/%-5.0f%s %-8s %8.5g %8.5g  %5.2f %5.2f  %5.2f %s "
               "%s%s\n",
               f->row->id, f->row->name, on, load_text(f->row, load, sizeof load),
               f->row->lengths.prompt, f->row->lengths.output,
               f->row->assumed  ? "*"
               : f->row->varied ? "~"
                                : " ",
               serving_measure_names[f->measure], f->predicted * scale, f->measured * scale,
               exp(f->error), exp(f->unseen), f->factor, inside(f) ? " " : "o",
               f->row->unpredictable != NULL ? "unpredictable: " : "",
               f->row->unpredictable != NULL ? f->row->unpredictable : "");
    }
}

typedef bool choosing(const struct figure *f, const void *by);

static bool of_source(const struct figure *f, const void *by)
{
    const struct figure *like = by;
    return strcmp(f->row->source, like->row->source) == 0 && f->measure == like->measure &&
           f->row->engine == like->row->engine;
}
static bool of_profile(const struct figure *f, const void *by)
{
    return f->row->engine == *(const enum llm_engine *)by && !f->row->assumed;
}
static bool predictable(const struct figure *f, const void *by)
{
    return (f->row->unpredictable == NULL) == *(const bool *)by && !f->row->assumed;
}

/* The value in the middle of the chosen; count 0: NAN. */
static double middle(double *values, size_t n)
{
    static double spare[MOST_FIGURES];
    double_sort(values, spare, n);
    return n > 0 ? quantile_of(values, n, 0.5) : (double)NAN;
}

static void print_summary(const char *name, choosing *chosen, const void *by)
{
    static double size[MOST_FIGURES], unseen[MOST_FIGURES], sign[MOST_FIGURES],
        unseen_sign[MOST_FIGURES];
    double worst = 0, covered = 0;
    size_t n = 0;
    for (size_t i = 0; i < all.figure_count; i++) {
        const struct figure *f = &all.figures[i];
        if (!chosen(f, by)) {
            continue;
        }
        sign[n] = expm1(f->error);
        unseen_sign[n] = expm1(f->unseen);
        size[n] = fabs(sign[n]);
        unseen[n] = fabs(unseen_sign[n]);
        worst = fabs(sign[n]) > fabs(worst) ? sign[n] : worst;
        covered += inside(f);
        n++;
    }
    if (n == 0) {
        return;
    }
    double bias = middle(sign, n), unseen_bias = middle(unseen_sign, n);
    printf("%-52s %3zu  %5.0f %% %+5.0f %% %+5.0f %%   %5.0f %% %+5.0f %%   %4.0f %%\n", name, n,
           100 * middle(size, n), 100 * bias, 100 * worst, 100 * middle(unseen, n),
           100 * unseen_bias, 100 * covered / (double)n);
}

static void print_sources(void)
{
    static bool shown[MOST_FIGURES];
    memset(shown, 0, sizeof shown);
    printf("\n%-52s %3s  %7s %7s %7s   %7s %7s   %6s\n", "predicted / measured - 1", "n", "median",
           "bias", "worst", "unseen", "bias", "in 90%");
    for (size_t i = 0; i < all.figure_count; i++) {
        const struct figure *f = &all.figures[i];
        char name[160];
        if (shown[i]) {
            continue;
        }
        for (size_t k = i; k < all.figure_count; k++) {
            shown[k] = shown[k] || of_source(&all.figures[k], f);
        }
        snprintf(name, sizeof name, "%s %s%s", llm_engine_names[f->row->engine],
                 serving_measure_names[f->measure], f->row->assumed ? ", lengths assumed *" : "");
        printf("%s\n", f->row->source);
        char indented[176];
        snprintf(indented, sizeof indented, "    %s", name);
        print_summary(indented, of_source, f);
    }
    printf("\n");
    for (int e = 0; e < LLM_ENGINE_COUNT; e++) {
        const enum llm_engine engine = (enum llm_engine)e;
        char name[96];
        snprintf(name, sizeof name, "engine %s, x %.1f (%.2f to %.2f) and %.0f ms a step",
                 llm_engine_names[e], llm_engine_profiles[e].usual, llm_engine_profiles[e].low,
                 llm_engine_profiles[e].high, 1e3 * llm_engine_profiles[e].host_s);
        print_summary(name, of_profile, &engine);
    }
    print_summary("what hardware should tell", predictable, &(const bool){true});
    print_summary("what it does not (unpredictable)", predictable, &(const bool){false});
}

/* ---- ratios between accelerators ---- */

static bool same_text(const struct serving_row *a, const struct serving_row *b)
{
    return strcmp(a->source, b->source) == 0 && strcmp(a->name, b->name) == 0 &&
           a->engine == b->engine && a->load == b->load && !a->assumed && !b->assumed &&
           fabs(a->lengths.prompt - b->lengths.prompt) < 0.5 &&
           fabs(a->lengths.output - b->lengths.output) < 0.5;
}

static void print_ratios(void)
{
    static double told[MOST_FIGURES], untold[MOST_FIGURES];
    size_t told_count = 0, untold_count = 0;
    printf("\nratios between accelerators, same engine, model, load and lengths, per accelerator: "
           "predicted, measured\n");
    for (size_t i = 0; i < all.figure_count; i++) {
        for (size_t k = i + 1; k < all.figure_count && told_count + untold_count < MOST_FIGURES;
             k++) {
            const struct figure *a = &all.figures[i], *b = &all.figures[k];
            if (a->measure != b->measure || !same_text(a->row, b->row) ||
                strcmp(a->row->chip, b->row->chip) == 0) {
                continue;
            }
            const bool rate = a->measure == SERVING_TOKENS_PER_S;
            const double g =
                rate ? b->row->hardware.accelerators / a->row->hardware.accelerators : 1.0;
            const double ours = g * a->predicted / b->predicted;
            const double theirs = g * a->measured / b->measured;
            printf("  %-6s %-6s %-16s %2.0f x %-10s %2.0f x %-10s %-8s %6.2f %6.2f  %+4.0f %%\n",
                   a->row->id, b->row->id, a->row->name, a->row->hardware.accelerators,
                   a->row->chip, b->row->hardware.accelerators, b->row->chip,
                   serving_measure_names[a->measure], ours, theirs, 100 * (ours / theirs - 1));
            if (a->row->unpredictable == NULL && b->row->unpredictable == NULL) {
                told[told_count++] = fabs(ours / theirs - 1);
            } else {
                untold[untold_count++] = fabs(ours / theirs - 1);
            }
        }
    }
    if (told_count > 0) {
        const double median = middle(told, told_count);
        printf("%zu ratios that hardware should tell: median error (at most 15 %%) %.1f %%  %s\n",
               told_count, 100 * median, median <= 0.15 ? "met" : "MISSED");
    }
    if (untold_count > 0) {
        printf("%zu with a row that it does not: %.1f %%\n", untold_count,
               100 * middle(untold, untold_count));
    }
}

static void print_fit(void)
{
    const struct serving_numbers shipped = serving_numbers_default();
    struct serving_numbers now;
    const size_t used = serving_fit(&now, all.rows, all.count, NULL);
    printf("\nthe numbers of the step equation, fitted to the %zu rows of tuned engines\n"
           "%-14s %10s %10s\n",
           used, "number", "shipped", "fit here");
    for (int i = 0; i < SERVING_NUMBERS; i++) {
        printf("%-14s %10.4g %10.4g\n", serving_number_names[i], shipped.of[i], now.of[i]);
    }
}

/* ---- what a generation of engines has in common ---- */

/* ln(measured time / predicted time) of a figure, with so much host time a step. */
static double slowness(const struct figure *f, double host_s)
{
    const struct serving_numbers n = serving_numbers_default();
    struct serving_row row = *f->row;
    double out[SERVING_MEASURES];
    row.host_s = host_s;
    if (!serving_predict(&row, &n, 1, out)) {
        return 0;
    }
    const double e = log(out[f->measure] / f->measured);
    return f->measure == SERVING_TOKENS_PER_S ? e : -e;
}

static bool in_part(const struct figure *f, enum llm_engine engine, const char *source, bool of_it)
{
    return f->row->engine == engine && !f->row->assumed &&
           (strcmp(f->row->source, source) == 0) == of_it;
}

/* The host time that leaves the least squares, with a factor of 1; by a grid. */
static double host_without(enum llm_engine engine, const char *source)
{
    double best_s = 0, least = HUGE_VAL;
    for (double host_s = 0; host_s <= 40e-3; host_s += 0.5e-3) {
        double squares = 0;
        for (size_t i = 0; i < all.figure_count; i++) {
            if (in_part(&all.figures[i], engine, source, false)) {
                squares += pow(slowness(&all.figures[i], host_s), 2);
            }
        }
        best_s = squares < least ? host_s : best_s;
        least = fmin(least, squares);
    }
    return best_s;
}

static double factor_of_others(enum llm_engine engine, const char *source)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < all.figure_count; i++) {
        if (in_part(&all.figures[i], engine, source, false)) {
            sum += slowness(&all.figures[i], 0);
            n++;
        }
    }
    return n > 0 ? exp(sum / n) : 0;
}

static double error_of(enum llm_engine engine, const char *source, double host_s, double factor)
{
    static double error[MOST_FIGURES];
    size_t n = 0;
    for (size_t i = 0; i < all.figure_count; i++) {
        if (in_part(&all.figures[i], engine, source, true)) {
            error[n++] = fabs(expm1(slowness(&all.figures[i], host_s) - log(factor)));
        }
    }
    return middle(error, n);
}

/* Whether a generation is slow by a factor, or by the host's time a step: each told by the other
 * sources of the generation alone. */
static void print_forms(void)
{
    printf("\nan engine's generation told by its other sources: as a factor, median error; as host "
           "time a step\n");
    for (size_t i = 0; i < all.figure_count; i++) {
        const struct figure *f = &all.figures[i];
        bool seen = f->row->engine == LLM_ENGINE_TUNED || f->row->assumed;
        for (size_t k = 0; k < i; k++) {
            seen = seen || in_part(&all.figures[k], f->row->engine, f->row->source, true);
        }
        const double factor = seen ? 0 : factor_of_others(f->row->engine, f->row->source);
        if (factor > 0) {
            const double host_s = host_without(f->row->engine, f->row->source);
            printf("  %-12s %-72s x %.2f %4.0f %%   %4.1f ms %4.0f %%\n",
                   llm_engine_names[f->row->engine], f->row->source, factor,
                   100 * error_of(f->row->engine, f->row->source, 0, factor), 1e3 * host_s,
                   100 * error_of(f->row->engine, f->row->source, host_s, 1));
        }
    }
}

static int validate(const char *path, const struct catalogue *c, struct diagnostics *d)
{
    if (!read_rows(path, c, d)) {
        return 1;
    }
    printf("%zu rows, %zu of language models, %zu predicted\n", all.read, all.text, all.count);
    for (size_t i = 0; i < all.count; i++) {
        add_figures(&all.rows[i]);
    }
    if (all.figure_count == 0) {
        return 0;
    }
    judge_unseen();
    print_figures();
    print_fit();
    print_sources();
    print_ratios();
    print_forms();
    printf("* lengths not stated; shown with 200 and 250 tokens, in no sum over sources\n"
           "~ means of the named set; that lengths are exponential about them is assumed\n");
    return 0;
}

int main(int argc, char **argv)
{
    gsl_errors_install();
    char path[4096];
    const char *folder = argc > 1 ? argv[1] : "";
    snprintf(path, sizeof path, "%s/validation/inference.csv", folder);
    if (folder[0] == '\0' || access(path, R_OK) != 0) {
        printf("validate-inference skipped: give DATA=FOLDER, with "
               "FOLDER/validation/inference.csv\n");
        return 0;
    }
    printf("validate-inference: %s\n", path);
    struct diagnostics *d = diagnostics_new();
    struct catalogue *c = catalogue_load(NULL, NULL, 0, d);
    const int failed = c == NULL ? 1 : validate(path, c, d);
    diagnostics_write(d, stdout);
    catalogue_free(c);
    diagnostics_free(d);
    return failed;
}
