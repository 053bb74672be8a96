/* SPDX-License-Identifier: GPL-3.0-or-later
 * One chart as two files: NAME.gp, a gnuplot script that needs nothing else than NAME.csv beside it
 * and draws NAME.png and NAME.svg, and that NAME.csv.
 *
 * The house style is written into each script: the message as title, a grey line that says what is
 * drawn, text beside the data instead of a legend box, ticks made in C, a palette after Okabe and
 * Ito that also differs in grey. The script runs twice through itself (`reread`), once for each
 * terminal, so that its body stands there once; with DECK set it draws on the page of an open deck
 * instead. User text enters only through label_quote. */
#ifndef FLEETCAST_PLOTS_CHART_SCRIPT_H
#define FLEETCAST_PLOTS_CHART_SCRIPT_H

#include "engine/csv_writer.h"
#include "engine/text.h"
#include "plots/text/report_words.h"
#include "plots/text/ticks.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Names of colours that every script defines. */
#define CHART_INK  "INK"
#define CHART_MUTE "MUTE"
#define CHART_RED  "RED"

struct chart_script {
    const char *name; /* file stem, ours: letters, digits, '-' */
    char title[512];  /* cleaned, for the SVG's <title> */
    struct text gp;
    struct csv_writer csv;
    size_t rows;                   /* of data, so far */
    int tags;                      /* labels, arrows and objects, so far */
    struct text plot;              /* elements of the plot command that is being gathered */
    double top;                    /* screen y under the title block: where a plot may begin */
    enum report_language language; /* in which texts are drawn; see phrases.h */
    const char *const *names;      /* borrowed: texts that are kept as they are */
    size_t name_count;
};

/* data: the open CSV file; stays the caller's. False when out of memory. */
bool chart_script_init(struct chart_script *s, const char *name, FILE *data);
void chart_script_release(struct chart_script *s);
/* Closes the CSV; false when something was lost (memory, the script's cap of 4 MiB, a write). */
bool chart_script_finish(struct chart_script *s);

/* The head of the script: style, title and subtitle, fitted to the page. */
void chart_script_head(struct chart_script *s, const char *title, const char *subtitle);
/* The last lines: closes the picture and goes round for the next terminal. */
void chart_script_tail(struct chart_script *s);

/* Lines of script; format and arguments must hold nothing of the user's. %.10g for numbers. */
void chart_script_add(struct chart_script *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The CSV: a header (comma-separated, ours), then rows through s->csv closed by _row_end. */
void chart_script_columns(struct chart_script *s, const char *const *columns, size_t count);
/* A user's text as the row's last value, cleaned: gnuplot counts lines, so none may hold a line
 * break, and whatever it makes of quotes there, the numbers stand before it. */
void chart_script_put_name(struct chart_script *s, const char *name);
void chart_script_row_end(struct chart_script *s);

enum chart_align { CHART_LEFT, CHART_CENTRE, CHART_RIGHT };

struct chart_label {
    const char *text; /* the user's or ours */
    double x, y;
    const char *x_in; /* "screen", "graph", "first"; NULL = "screen" */
    const char *y_in;
    enum chart_align align;
    int size; /* 17, 18 … 22, 24; 0 = 21 */
    bool bold;
    const char *colour; /* a colour's name or '#RRGGBB' with quotes; NULL = MUTE */
    double dx, dy;      /* offset in characters */
    bool name;          /* the user's, or a part of it: kept as it is in every language */
    bool word;          /* ours, though a strategy may be called so ("spot") */
};
void chart_script_label(struct chart_script *s, const struct chart_label *label);
/* Likewise, and a second line of text a step below it unless that is empty. The y of the last. */
double chart_script_label_lines(struct chart_script *s, struct chart_label label,
                                const char *second, double step);

struct chart_line {
    double x1, y1, x2, y2;
    const char *x_in, *y_in; /* NULL = "screen" */
    const char *colour;      /* NULL = INK */
    double width;            /* 0 = 2.5 */
    const char *dash;        /* gnuplot's dt, "(12,7)"; NULL = solid */
    bool head;               /* an arrow head at the end */
    bool back;               /* behind the data */
};
void chart_script_line(struct chart_script *s, const struct chart_line *line);
/* A filled rectangle behind the data. */
void chart_script_box(struct chart_script *s, double x1, double y1, double x2, double y2,
                      const char *in, const char *colour);

/* axis: "x" or "y". No ticks: `unset`. */
void chart_script_ticks(struct chart_script *s, const char *axis, const struct ticks *t);
void chart_script_margins(struct chart_script *s, double left, double right, double bottom,
                          double top);
void chart_script_ranges(struct chart_script *s, double x_low, double x_high, double y_low,
                         double y_high);

/* One element of the plot command, which is written by _plot_end: settings may still be added. It
 * draws rows first..last (counted from 0) of the CSV; without rows (last < first) nothing. The
 * format gives what follows: "using 2:3 with lines lc rgb BLUE". */
void chart_script_plot(struct chart_script *s, size_t first, size_t last, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Ends the plot command; when it has no element, an empty one draws axes and labels alone. */
void chart_script_plot_end(struct chart_script *s);

/* Series colours: variable names for full and light tone, gnuplot point type and dash. index < 8.
 */
#define CHART_SERIES_MAX 8
struct chart_series_style {
    const char *full, *light, *dash;
    int point;
    double point_size;
    const char *point_scale; /* "P" or "PT": SVG draws triangles and diamonds larger */
};
const struct chart_series_style *chart_series_style(size_t index);

#endif
