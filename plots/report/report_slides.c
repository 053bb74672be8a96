/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_slides.h"

#include "plots/report/report_wrap.h"
#include "plots/text/label.h"

#include <math.h>
#include <string.h>

/* At font size z an em is z / 1200 of the page's width, z / 675 of its height. */
#define EMS_PER_PAGE 1200.0
#define EMS_HIGH     675.0
#define LEFT         0.03
#define RIGHT        0.97
#define BOTTOM       0.085
#define TOP          0.84
#define LINE         1.34 /* height of a line, in em */
#define CELL_GAP     0.012

void report_slides_init(struct report_slides *s, FILE *data, const char *foot)
{
    *s = (struct report_slides){.data = data, .foot = foot, .title = ""};
    text_init(&s->gp, 0);
}

void report_slides_release(struct report_slides *s)
{
    if (s->open)
        chart_script_release(&s->script);
    text_release(&s->gp);
}

static double line_height(int size)
{
    return LINE * size / EMS_HIGH;
}

static void label(struct report_slides *s, const char *text, double x, double y, int size,
                  bool bold, enum chart_align align, const char *colour)
{
    chart_script_label(&s->script, &(struct chart_label){.text = text,
                                                         .x = x,
                                                         .y = y,
                                                         .size = size,
                                                         .bold = bold,
                                                         .align = align,
                                                         .colour = colour});
}

/* Lines under each other; y is the middle of the first. Returns the height. */
static double lines(struct report_slides *s, const char *text, double x, double y, double width,
                    int size, bool bold, enum chart_align align, const char *colour)
{
    struct report_wrap w = {text, width * EMS_PER_PAGE / size, bold};
    struct text line;
    double down = 0.0;

    text_init(&line, 0);
    while (report_wrap_next(&w, &line)) {
        label(s, line.data, x, y - down, size, bold, align, colour);
        down += line_height(size);
    }
    text_release(&line);
    return fmax(down, line_height(size));
}

static double height_of(const char *text, double width, int size, bool bold)
{
    return line_height(size) * (double)report_wrap_count(text, width * EMS_PER_PAGE / size, bold);
}

/* ---- pages ---- */

static void page(struct report_slides *s, const char *title, const char *subtitle)
{
    if (!chart_script_init(&s->script, "slide", s->data)) {
        s->failed = true;
        return;
    }
    s->open = true;
    chart_script_head(&s->script, title, subtitle);
    chart_script_add(&s->script, "unset border; unset tics; unset grid\n");
    chart_script_margins(&s->script, 0.0, 1.0, 0.0, 1.0);
    chart_script_ranges(&s->script, 0.0, 1.0, 0.0, 1.0);
    label(s, s->foot, LEFT, 0.035, 17, false, CHART_LEFT, NULL);
    s->y = TOP - (s->script.top < 0.77 ? 0.035 : 0.0);
}

void report_slides_end(struct report_slides *s)
{
    if (!s->open)
        return;
    chart_script_plot_end(&s->script);
    chart_script_tail(&s->script);
    s->failed = !chart_script_finish(&s->script) || s->failed;
    text_add(&s->gp, s->script.gp.data);
    chart_script_release(&s->script);
    s->open = false;
}

void report_slides_begin(struct report_slides *s, const char *title)
{
    report_slides_end(s);
    s->title = title;
    page(s, title, "");
}

/* A new page under the same title when there is no room for this height. */
static void need(struct report_slides *s, double height)
{
    if (!s->open || s->y - height >= BOTTOM || s->y >= TOP - 0.06)
        return;
    report_slides_end(s);
    page(s, s->title, "");
}

void report_slides_cover(struct report_slides *s, const char *title, const char *subtitle,
                         const char *sentence)
{
    double y = 0.62;

    report_slides_end(s);
    page(s, "", "");
    if (!s->open)
        return;
    chart_script_box(&s->script, 0.0, 0.0, 0.012, 1.0, "screen", "BLUE");
    y -= lines(s, title, 0.06, y, 0.88, 34, true, CHART_LEFT, CHART_INK) + 0.01;
    y -= lines(s, subtitle, 0.06, y, 0.88, 21, false, CHART_LEFT, NULL) + 0.05;
    lines(s, sentence, 0.06, y, 0.88, 27, false, CHART_LEFT, CHART_INK);
    report_slides_end(s);
}

/* ---- blocks ---- */

static void put_text(struct report_slides *s, const char *text, int size, const char *colour,
                     double indent)
{
    double width = RIGHT - LEFT - indent, height = height_of(text, width, size, false);

    need(s, height);
    if (!s->open)
        return;
    if (indent > 0.0)
        label(s, "\xe2\x80\xa2", LEFT, s->y - 0.5 * line_height(size), size, false, CHART_LEFT,
              colour);
    lines(s, text, LEFT + indent, s->y - 0.5 * line_height(size), width, size, false, CHART_LEFT,
          colour);
    s->y -= height + 0.012;
}

static void put_tile(struct report_slides *s, const struct report_cell *c, double x, double width,
                     double height)
{
    double inner = width - 0.02, y = s->y - 0.03;

    chart_script_box(&s->script, x, s->y - height, x + width, s->y, "screen", "'#F3F6F9'");
    y -= lines(s, c[0].text, x + 0.01, y, inner, 19, false, CHART_LEFT, NULL) + 0.008;
    y -= lines(s, c[1].text, x + 0.01, y, inner, 31, true, CHART_LEFT, CHART_INK) + 0.002;
    lines(s, c[2].text, x + 0.01, y, inner, 19, false, CHART_LEFT, NULL);
}

static void put_tiles(struct report_slides *s, const struct report_block *b)
{
    size_t across = b->rows == 6 || b->rows < 4 ? 3 : 4;
    double gap = 0.012, width = (RIGHT - LEFT - gap * (double)(across - 1)) / (double)across;

    for (size_t row = 0; row < b->rows; row += across) {
        double height = 0.0;
        for (size_t i = row; i < b->rows && i < row + across; i++) {
            const struct report_cell *c = &b->cells[i * b->columns];
            height = fmax(height, height_of(c[0].text, width - 0.02, 19, false) +
                                      height_of(c[1].text, width - 0.02, 31, true) +
                                      height_of(c[2].text, width - 0.02, 19, false) + 0.04);
        }
        need(s, height);
        if (!s->open)
            return;
        for (size_t i = row; i < b->rows && i < row + across; i++)
            put_tile(s, &b->cells[i * b->columns], LEFT + (width + gap) * (double)(i - row), width,
                     height);
        s->y -= height + gap;
    }
    s->y -= 0.012;
}

/* The broadest word, which a column should not break. */
static double longest_word(const char *s, bool bold)
{
    double longest = 0.0;
    struct text word;

    text_init(&word, 0);
    while (*s != '\0') {
        size_t length = strcspn(s, " ");
        text_clear(&word);
        text_add_bytes(&word, s, length);
        longest = fmax(longest, label_width(word.data, bold));
        s += length;
        s += strspn(s, " ");
    }
    text_release(&word);
    return longest;
}

/* Each column as broad as its broadest text, all of them within the page: the broad ones give, down
 * to their longest word while that is less than an equal share. */
static void column_widths(const struct report_block *b, int size, double widths[REPORT_COLUMNS_MAX])
{
    double room = RIGHT - LEFT - CELL_GAP * (double)(b->columns - 1), em = size / EMS_PER_PAGE;
    double least[REPORT_COLUMNS_MAX], sum = 0.0, slack = 0.0, fair = room / (double)b->columns;

    for (size_t i = 0; i < b->columns; i++) {
        widths[i] = label_width(b->head[i], true);
        least[i] = longest_word(b->head[i], true);
        for (size_t row = 0; row < b->rows; row++) {
            const char *text = b->cells[row * b->columns + i].text;
            widths[i] = fmax(widths[i], label_width(text, false));
            least[i] = fmax(least[i], longest_word(text, false));
        }
        widths[i] = (widths[i] + 0.5) * em;
        least[i] = fmin(widths[i], fmin((least[i] + 0.5) * em, fair));
        sum += widths[i];
        slack += widths[i] - least[i];
    }
    for (size_t i = 0; i < b->columns; i++)
        widths[i] += sum <= room ? (room - sum) / (double)b->columns
                                 : -(widths[i] - least[i]) * (sum - room) / slack;
}

static double put_row(struct report_slides *s, const struct report_block *b, const double *widths,
                      const struct report_cell *cells, int size)
{
    double x = LEFT, height = 0.0;

    for (size_t i = 0; i < b->columns; i++) {
        const char *text = cells == NULL ? b->head[i] : cells[i].text;
        bool right = b->right[i];
        lines(s, text, right ? x + widths[i] : x, s->y - 0.5 * line_height(size) - 0.006, widths[i],
              size, cells == NULL, right ? CHART_RIGHT : CHART_LEFT,
              cells == NULL ? NULL : CHART_INK);
        height = fmax(height, height_of(text, widths[i], size, cells == NULL));
        x += widths[i] + CELL_GAP;
    }
    height += 0.014;
    s->y -= height;
    chart_script_line(
        &s->script,
        &(struct chart_line){
            .x1 = LEFT, .y1 = s->y, .x2 = RIGHT, .y2 = s->y, .colour = "GRID", .width = 1.2});
    return height;
}

static double row_height(const struct report_block *b, const double *widths,
                         const struct report_cell *cells, int size)
{
    double height = 0.0;

    for (size_t i = 0; i < b->columns; i++)
        height = fmax(height, height_of(cells[i].text, widths[i], size, false));
    return height + 0.014;
}

static void put_grid(struct report_slides *s, const struct report_block *b)
{
    double widths[REPORT_COLUMNS_MAX];
    int size = b->columns > 6 ? 18 : 21;
    bool headed = false;
    double last = s->y;

    if (b->columns == 0)
        return;
    column_widths(b, size, widths);
    for (size_t row = 0; row < b->rows; row++) {
        const struct report_cell *cells = &b->cells[row * b->columns];
        need(s, row_height(b, widths, cells, size) + (headed ? 0.0 : 0.06));
        if (!s->open)
            return;
        if (!headed || s->y > last) /* also on a page that has just begun */
            put_row(s, b, widths, NULL, size);
        headed = true;
        put_row(s, b, widths, cells, size);
        last = s->y;
    }
    s->y -= 0.016;
}

void report_slides_block(struct report_slides *s, const struct report_block *b)
{
    switch (b->kind) {
    case REPORT_LEAD:
    case REPORT_TEXT:
        put_text(s, b->text, 22, CHART_INK, 0.0);
        break;
    case REPORT_NOTE:
        put_text(s, b->text, 19, NULL, 0.0);
        break;
    case REPORT_ITEM:
        put_text(s, b->text, 22, CHART_INK, 0.018);
        break;
    case REPORT_TILES:
        put_tiles(s, b);
        break;
    case REPORT_GRID:
        put_grid(s, b);
        break;
    case REPORT_HEADING:
    case REPORT_CHART:
    case REPORT_BREAK:
        break;
    }
}
