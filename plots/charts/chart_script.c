/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/charts/chart_script.h"

#include "plots/sentences/phrases.h"
#include "plots/text/label.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#define SCRIPT_LIMIT ((size_t)4 << 20)

/* At font size z an em is z / 1200 of the page's width (1600 points of 4/3 pixel). */
#define EMS_PER_PAGE 1200.0
#define TITLE_WIDTH  0.945

static const int font_sizes[] = {16, 17, 18, 19, 20, 21, 22, 24, 27, 28, 30, 31, 34};

/* Beside colour, each series differs in lightness, marker and dash. Red is left for limits. */
static const struct chart_series_style series_styles[CHART_SERIES_MAX] = {
    {"BLUE", "BLUE_L", "solid", 7, 2.5, "P"},
    {"ORANGE", "ORANGE_L", "(16,6)", 5, 2.3, "P"},
    {"GREEN", "GREEN_L", "(5,5)", 9, 2.7, "PT"},
    {"PURPLE", "PURPLE_L", "(16,5,4,5)", 13, 2.8, "PT"},
    {"SKY", "SKY_L", "(10,4)", 11, 2.7, "PT"},
    {"BROWN", "BROWN_L", "(3,4)", 15, 2.5, "P"},
    {"SLATE", "SLATE_L", "(20,8)", 6, 2.4, "P"},
    {"BLACK", "BLACK_L", "(8,4,3,4)", 4, 2.3, "P"}};

const struct chart_series_style *chart_series_style(size_t index)
{
    return &series_styles[index % CHART_SERIES_MAX];
}

bool chart_script_init(struct chart_script *s, const char *name, FILE *data)
{
    *s = (struct chart_script){.name = name};
    text_init(&s->gp, SCRIPT_LIMIT);
    text_init(&s->plot, SCRIPT_LIMIT);
    return csv_writer_init(&s->csv, data);
}

bool chart_script_finish(struct chart_script *s)
{
    return csv_writer_finish(&s->csv) && !s->gp.overflow;
}

void chart_script_release(struct chart_script *s)
{
    text_release(&s->gp);
    text_release(&s->plot);
}

void chart_script_add(struct chart_script *s, const char *format, ...)
{
    char line[1024];
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    if (length < 0 || length >= (int)sizeof line)
        s->gp.overflow = true;
    else
        text_add_bytes(&s->gp, line, (size_t)length);
}

static void add_style(struct chart_script *s)
{
    chart_script_add(s,
                     "# %s: draws %s.png and %s.svg from %s.csv. Draw again: gnuplot %s.gp\n"
                     "# Another font: gnuplot -e \"FONT = 'Liberation Sans'\" %s.gp\n",
                     s->name, s->name, s->name, s->name, s->name, s->name);
    text_add(
        &s->gp,
        "if (!exists('FONT')) FONT = 'Inter'\n"
        "if (!exists('PART')) PART = ''\n"
        "PAGE = exists('DECK') ? 'pdf' : exists('PAGE') ? 'svg' : 'png'\n"
        "reset\n"
        "set encoding utf8\n"
        "set loadpath\n"
        "set datafile separator ','\n"
        "set datafile missing ''\n"
        "if (PAGE eq 'png') set terminal pngcairo noenhanced size 1600,900 font FONT.',22' "
        "background '#FFFFFF'\n"
        "if (PAGE eq 'svg') set terminal svg noenhanced size 1280,720 dynamic standalone "
        "font FONT.',23' background '#FFFFFF'\n"
        "Q = sprintf('%c', 39)\n"
        "# Q: a quote. S: size of text, P and PT: of points, W: of lines. &#44; is a comma that "
        "does not end a font's name.\n"
        "S = PAGE eq 'svg' ? 1.05 : 1.0; P = PAGE eq 'svg' ? 0.33 : 1.0; "
        "PT = PAGE eq 'svg' ? 0.26 : 1.0; W = PAGE eq 'svg' ? 0.8 : 1.0\n"
        "FAMILY = FONT.(PAGE eq 'svg' ? '&#44; Segoe UI&#44; Helvetica Neue&#44; Arial&#44; "
        "sans-serif' : '')\n");
    for (size_t i = 0; i < sizeof font_sizes / sizeof font_sizes[0]; i++)
        chart_script_add(s,
                         "F%d = sprintf('%%s,%%.1f', FAMILY, %d*S); "
                         "B%d = sprintf('%%s Bold,%%.1f', FAMILY, %d*S)\n",
                         font_sizes[i], font_sizes[i], font_sizes[i], font_sizes[i]);
    text_add(&s->gp,
             "INK = '#1B2733'; MUTE = '#5B6B7A'; GRID = '#E3E8ED'; AXIS = '#9AA7B3'; "
             "RED = '#C4420B'; GREY = '#B9C3CC'; DARK = '#8A97A3'; PALE = '#EEF6F2'\n"
             "BLUE = '#0B62A4'; ORANGE = '#C97A00'; GREEN = '#00875F'; PURPLE = '#A8518A'\n"
             "SKY = '#3A9AD9'; BROWN = '#7A5C1E'; SLATE = '#5B6B7A'; BLACK = '#1B2733'\n"
             "BLUE_L = '#9CC3E0'; ORANGE_L = '#F2C063'; GREEN_L = '#8CCDB4'; "
             "PURPLE_L = '#D9A9C8'\n"
             "SKY_L = '#C3E3F7'; BROWN_L = '#D5C29A'; SLATE_L = '#C3CBD3'; BLACK_L = '#8E98A3'\n"
             "set border 1 lc rgb AXIS lw 1.5*W\n"
             "set tics nomirror scale 0 textcolor rgb MUTE font F21\n"
             "set grid y lc rgb GRID lw 1.5*W lt 1\n"
             "unset key\n"
             "set style fill solid 1.0 noborder\n");
}

/* A name is not parted where a title breaks: its spaces and hyphens are hard ones while lines are
 * measured. */
#define HARD_SPACE  "\xc2\xa0"
#define HARD_HYPHEN "\xe2\x80\x91"

static void exchange(struct text *out, const char *s, const char *from, const char *to)
{
    const size_t length = strlen(from);

    for (const char *at; (at = strstr(s, from)) != NULL; s = at + length) {
        text_add_bytes(out, s, (size_t)(at - s));
        text_add(out, to);
    }
    text_add(out, s);
}

static void harden_names(const struct chart_script *s, struct text *title, double max_em)
{
    struct text clean, hard, kept;

    text_init(&clean, 4096);
    text_init(&hard, 4096);
    text_init(&kept, 4096);
    for (size_t i = 0; i < s->name_count; i++) {
        text_clear(&clean);
        text_clear(&hard);
        text_clear(&kept);
        label_clean(&clean, s->names[i]);
        if (clean.length == 0 || label_width(clean.data, true) > 0.6 * max_em)
            continue;
        exchange(&kept, clean.data, " ", HARD_SPACE);
        exchange(&hard, kept.data, "-", HARD_HYPHEN);
        text_clear(&kept);
        exchange(&kept, title->data, clean.data, hard.data);
        text_clear(title);
        text_add(title, kept.data);
    }
    text_release(&clean);
    text_release(&hard);
    text_release(&kept);
}

static void soften(struct text *line)
{
    struct text soft;

    text_init(&soft, 4096);
    exchange(&soft, line->data, HARD_SPACE, " ");
    text_clear(line);
    exchange(line, soft.data, HARD_HYPHEN, "-");
    text_release(&soft);
}

/* Two lines of about the same length: the narrowest measure that loses nothing; false when even
 * max_em loses something. */
static bool wrap_evenly(struct text *first, struct text *second, const char *title, double max_em)
{
    double whole = label_width(title, true);

    for (double em = fmin(0.5 * whole, max_em); em < max_em; em += 0.02 * whole) {
        text_clear(first);
        if (label_wrap(first, second, title, em, true))
            return true;
    }
    text_clear(first);
    return label_wrap(first, second, title, max_em, true);
}

/* The largest type in which the title stands on one line, else on two. */
static void add_title(struct chart_script *s, const char *title)
{
    static const struct {
        int size, lines;
    } ways[] = {{34, 1}, {31, 1}, {28, 1}, {30, 2}, {27, 2}, {24, 2}};
    const char *as_given = title;
    struct text first, second, hard;
    bool fits = false;
    int size = 0;

    text_init(&first, 0);
    text_init(&second, 0);
    text_init(&hard, 0);
    text_add(&hard, title);
    harden_names(s, &hard, TITLE_WIDTH * EMS_PER_PAGE / ways[3].size);
    title = hard.data;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && !fits; i++) {
        double max_em = TITLE_WIDTH * EMS_PER_PAGE / ways[i].size;
        size = ways[i].size;
        text_clear(&first);
        text_clear(&second);
        if (ways[i].lines == 2)
            fits = wrap_evenly(&first, &second, title, max_em);
        else if ((fits = label_width(as_given, true) <= max_em))
            text_add(&first, as_given);
    }
    if (!fits) { /* names may be broken rather than letters lost */
        text_clear(&first);
        wrap_evenly(&first, &second, as_given, TITLE_WIDTH * EMS_PER_PAGE / size);
    }
    soften(&first);
    soften(&second);
    const bool two = second.length > 0;
    chart_script_label_lines(s,
                             (struct chart_label){.text = first.data,
                                                  .x = 0.03,
                                                  .y = two ? 0.945 : 0.935,
                                                  .size = size,
                                                  .bold = true,
                                                  .colour = CHART_INK},
                             second.data, 0.053);
    s->top = two ? 0.77 - 0.035 : 0.77;
    text_release(&first);
    text_release(&second);
    text_release(&hard);
}

static void add_subtitle(struct chart_script *s, const char *subtitle)
{
    double y = s->top + 0.105;
    struct text first, second;
    int size = label_width(subtitle, false) * 21.0 <= TITLE_WIDTH * EMS_PER_PAGE ? 21 : 19;

    text_init(&first, 0);
    text_init(&second, 0);
    label_wrap(&first, &second, subtitle, TITLE_WIDTH * EMS_PER_PAGE / size, false);
    chart_script_label_lines(
        s, (struct chart_label){.text = first.data, .x = 0.03, .y = y, .size = size}, second.data,
        0.037);
    if (second.length > 0)
        s->top -= 0.03;
    text_release(&first);
    text_release(&second);
}

/* A name of the user's is no word. */
static bool is_name(const struct chart_script *s, const char *text)
{
    struct text clean;
    bool found = false;

    text_init(&clean, 4096);
    for (size_t i = 0; i < s->name_count && !found; i++) {
        text_clear(&clean);
        label_clean(&clean, s->names[i]);
        found = strcmp(clean.data, text) == 0;
    }
    text_release(&clean);
    return found;
}

/* The text in the script's language; out is cleared before. */
static const char *in_words(const struct chart_script *s, struct text *out, const char *english)
{
    text_clear(out);
    if (s->language == REPORT_EN)
        return english;
    phrase_add(out, s->language, PHRASES_OF_CHARTS, english);
    return out->data;
}

static const char *in_language(const struct chart_script *s, struct text *out, const char *english)
{
    return is_name(s, english) ? english : in_words(s, out, english);
}

void chart_script_head(struct chart_script *s, const char *title, const char *subtitle)
{
    struct text clean, words;

    add_style(s);
    chart_script_add(s, "if (PAGE ne 'pdf') set output '%s.'.PAGE.PART\n", s->name);
    text_init(&clean, 4096);
    text_init(&words, 4096);
    label_clean(&clean, in_language(s, &words, title));
    snprintf(s->title, sizeof s->title, "%s", clean.data);
    add_title(s, clean.data);
    text_clear(&clean);
    label_clean(&clean, in_language(s, &words, subtitle));
    add_subtitle(s, clean.data);
    text_release(&clean);
    text_release(&words);
}

void chart_script_tail(struct chart_script *s)
{
    text_add(&s->gp, "if (PAGE ne 'pdf') set output\n"
                     "if (PAGE eq 'png') reread\n"
                     "undefine PAGE\n");
}

void chart_script_columns(struct chart_script *s, const char *const *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        csv_put_text(&s->csv, columns[i]);
    csv_end_row(&s->csv);
}

void chart_script_put_name(struct chart_script *s, const char *name)
{
    struct text clean;

    text_init(&clean, 4096);
    label_clean(&clean, name);
    csv_put_text(&s->csv, clean.data);
    text_release(&clean);
}

void chart_script_row_end(struct chart_script *s)
{
    csv_end_row(&s->csv);
    s->rows++;
}

void chart_script_label(struct chart_script *s, const struct chart_label *label)
{
    struct text words;

    static const char *const aligns[] = {"left", "center", "right"};
    int size = label->size == 0 ? 21 : label->size;

    chart_script_add(s, "set label %d ", ++s->tags);
    text_init(&words, 4096);
    label_quote(&s->gp, label->name   ? label->text
                        : label->word ? in_words(s, &words, label->text)
                                      : in_language(s, &words, label->text));
    text_release(&words);
    chart_script_add(s, " at %s %.6g, %s %.6g %s font %c%d textcolor rgb %s front",
                     label->x_in == NULL ? "screen" : label->x_in, label->x,
                     label->y_in == NULL ? "screen" : label->y_in, label->y, aligns[label->align],
                     label->bold ? 'B' : 'F', size,
                     label->colour == NULL ? CHART_MUTE : label->colour);
    if (label->dx != 0.0 || label->dy != 0.0)
        chart_script_add(s, " offset %.3g,%.3g", label->dx, label->dy);
    text_add(&s->gp, "\n");
}

double chart_script_label_lines(struct chart_script *s, struct chart_label label,
                                const char *second, double step)
{
    chart_script_label(s, &label);
    if (second[0] != '\0') {
        label.text = second;
        label.y -= step;
        chart_script_label(s, &label);
    }
    return label.y;
}

void chart_script_line(struct chart_script *s, const struct chart_line *line)
{
    const char *x_in = line->x_in == NULL ? "screen" : line->x_in;
    const char *y_in = line->y_in == NULL ? "screen" : line->y_in;
    double width = line->width == 0.0 ? 2.5 : line->width;

    /* gnuplot's SVG forgets a dash when colour and width stay the same as of the line before. */
    if (line->dash != NULL)
        width -= 0.1;
    chart_script_add(s, "set arrow %d from %s %.10g, %s %.10g to %s %.10g, %s %.10g ", ++s->tags,
                     x_in, line->x1, y_in, line->y1, x_in, line->x2, y_in, line->y2);
    chart_script_add(s, "%s lc rgb %s lw %.3g*W dt %s %s\n",
                     line->head ? "head filled size screen 0.012,22" : "nohead",
                     line->colour == NULL ? CHART_INK : line->colour, width,
                     line->dash == NULL ? "solid" : line->dash, line->back ? "back" : "front");
}

void chart_script_box(struct chart_script *s, double x1, double y1, double x2, double y2,
                      const char *in, const char *colour)
{
    chart_script_add(s,
                     "set object %d rectangle from %s %.10g, %s %.10g to %s %.10g, %s %.10g "
                     "fs solid 1.0 noborder fc rgb %s behind\n",
                     ++s->tags, in, x1, in, y1, in, x2, in, y2, colour);
}

void chart_script_ticks(struct chart_script *s, const char *axis, const struct ticks *t)
{
    if (t->count == 0) {
        chart_script_add(s, "unset %stics\n", axis);
        return;
    }
    struct text words;
    text_init(&words, 4096);
    chart_script_add(s, "set %stics (", axis);
    for (size_t i = 0; i < t->count; i++) {
        text_add(&s->gp, i == 0 ? "" : ", ");
        label_quote_tic(&s->gp, in_language(s, &words, t->tick[i].label));
        chart_script_add(s, " %.10g", t->tick[i].at);
    }
    text_add(&s->gp, ")\n");
    text_release(&words);
}

void chart_script_margins(struct chart_script *s, double left, double right, double bottom,
                          double top)
{
    chart_script_add(s,
                     "set lmargin at screen %.6g; set rmargin at screen %.6g; "
                     "set bmargin at screen %.6g; set tmargin at screen %.6g\n",
                     left, right, bottom, top);
}

void chart_script_ranges(struct chart_script *s, double x_low, double x_high, double y_low,
                         double y_high)
{
    chart_script_add(s, "set xrange [%.10g:%.10g]; set yrange [%.10g:%.10g]\n", x_low, x_high,
                     y_low, y_high);
}

void chart_script_plot(struct chart_script *s, size_t first, size_t last, const char *format, ...)
{
    char element[512];
    va_list args;
    int length;

    if (last < first || last >= s->rows)
        return;
    va_start(args, format);
    length = vsnprintf(element, sizeof element, format, args);
    va_end(args);
    if (length < 0 || length >= (int)sizeof element) {
        s->gp.overflow = true;
        return;
    }
    text_format(&s->plot, "%s'%s.csv' skip 1 every ::%zu::%zu %s",
                s->plot.length > 0 ? ", \\\n     " : "plot ", s->name, first, last, element);
}

void chart_script_plot_end(struct chart_script *s)
{
    /* Ranges are always set and never hold this value, so it draws nothing. */
    text_add(&s->gp, s->plot.length > 0 ? s->plot.data : "plot -1e30 notitle");
    text_add(&s->gp, "\n");
    s->gp.overflow = s->gp.overflow || s->plot.overflow;
    text_clear(&s->plot);
}
