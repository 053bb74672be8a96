/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plots/report/report_html.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

struct html {
    FILE *out;
    struct text text; /* escaped */
    const struct report_picture *pictures;
    size_t picture_count;
    bool listing; /* inside <ul> */
    bool failed;
};

void report_html_escape(struct text *out, const char *s)
{
    for (; *s != '\0'; s++) {
        const char *entity = *s == '&'    ? "&amp;"
                             : *s == '<'  ? "&lt;"
                             : *s == '>'  ? "&gt;"
                             : *s == '"'  ? "&quot;"
                             : *s == '\'' ? "&#39;"
                                          : NULL;
        if (entity != NULL)
            text_add(out, entity);
        else
            text_add_bytes(out, s, 1);
    }
}

static void put(struct html *h, const char *s)
{
    h->failed = fputs(s, h->out) == EOF || h->failed;
}

/* Text between two pieces of markup of ours. */
static void put_text(struct html *h, const char *before, const char *s, const char *after)
{
    text_clear(&h->text);
    report_html_escape(&h->text, s);
    h->failed = h->failed || h->text.overflow;
    put(h, before);
    put(h, h->text.data);
    put(h, after);
}

static void put_base64(struct html *h, const char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < length; i += 3) {
        uint32_t b[3] = {(unsigned char)bytes[i], i + 1 < length ? (unsigned char)bytes[i + 1] : 0u,
                         i + 2 < length ? (unsigned char)bytes[i + 2] : 0u};
        uint32_t word = b[0] << 16 | b[1] << 8 | b[2];
        char four[5] = {digits[word >> 18 & 63], digits[word >> 12 & 63],
                        i + 1 < length ? digits[word >> 6 & 63] : '=',
                        i + 2 < length ? digits[word & 63] : '=', '\0'};
        put(h, four);
    }
}

/* Grey and one blue, as on the charts; a page of paper holds the first part. */
static const char style[] =
    ":root{--ink:#1b2733;--mute:#5b6b7a;--line:#d9e0e6;--blue:#0b62a4;--pale:#f3f6f9}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:#e9edf0;color:var(--ink);font:15px/1.45 Inter,'Segoe UI',"
    "'Helvetica Neue',Arial,'Noto Sans CJK SC','PingFang SC','Microsoft YaHei','Droid Sans "
    "Fallback',sans-serif}\n"
    "main{max-width:66rem;margin:1.5rem auto;padding:2.2rem 2.4rem;background:#fff;"
    "box-shadow:0 1px 4px #0002}\n"
    "h1{font-size:1.65rem;line-height:1.2;margin:0 0 .2rem;overflow-wrap:anywhere}\n"
    ".sub{color:var(--mute);margin:0 0 1.1rem}\n"
    "h2{font-size:1.05rem;margin:1.5rem 0 .45rem;padding-top:.7rem;border-top:1px solid "
    "var(--line)}\n"
    "p{margin:.35rem 0;overflow-wrap:anywhere}\n"
    ".lead{font-size:1.22rem;font-weight:600;line-height:1.35;margin:.2rem 0 1rem;"
    "padding:.75rem 1rem;border-left:5px solid var(--blue);background:var(--pale)}\n"
    ".note{color:var(--mute);font-size:.83rem}\n"
    ".tiles{display:grid;gap:.6rem;margin:.8rem 0 1rem}\n"
    ".c1,.c2,.c3{grid-template-columns:repeat(3,1fr)}.c4{grid-template-columns:repeat(4,1fr)}"
    ".c5{grid-template-columns:repeat(5,1fr)}\n"
    "@media screen and (max-width:50rem){.tiles{grid-template-columns:repeat(2,1fr)}"
    "main{padding:1.2rem}}\n"
    ".tile{border:1px solid var(--line);border-radius:4px;padding:.55rem .75rem}\n"
    ".tile b{display:block;font-size:1.32rem;line-height:1.25;overflow-wrap:anywhere}\n"
    ".tile span{display:block;color:var(--mute);font-size:.83rem;overflow-wrap:anywhere}\n"
    ".wide{overflow-x:auto;margin:.4rem 0}\n"
    "table{border-collapse:collapse;width:100%;font-size:.85rem}\n"
    "th,td{text-align:left;vertical-align:top;padding:.28rem .6rem .28rem 0;border-bottom:1px "
    "solid var(--line);overflow-wrap:anywhere}\n"
    "th{color:var(--mute);font-weight:600}\n"
    "th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:normal}\n"
    "td.n{white-space:nowrap}.n+td:not(.n),.n+th:not(.n){padding-left:1rem}\n"
    "td:last-child,th:last-child{padding-right:0}\n"
    "ul{margin:.3rem 0;padding-left:1.2rem}\n"
    "figure{margin:1rem 0 1.4rem;break-inside:avoid}\n"
    "figure img{width:100%;height:auto;display:block;border:1px solid var(--line)}\n"
    "figcaption{margin-top:.4rem}\n"
    ".wide td:first-child{min-width:8.5rem}\n"
    "@page{margin:12mm 13mm}\n"
    "@media print{html{font-size:9.3pt}body{background:#fff;font-size:1rem;line-height:1.3}"
    "main{max-width:none;margin:0;padding:0;box-shadow:none}"
    ".sub{margin-bottom:.6rem}"
    ".lead{padding:.5rem .8rem;margin:.1rem 0 .6rem;-webkit-print-color-adjust:exact;"
    "print-color-adjust:exact}"
    ".tiles{gap:.35rem;margin:.4rem 0 .5rem}"
    ".tile{padding:.25rem .5rem}.tile b{font-size:1.25rem}.tile span{font-size:.86rem}"
    "h1{font-size:1.75rem}h2{margin:.65rem 0 .2rem;padding-top:.35rem;break-after:avoid}"
    "p{margin:.12rem 0;orphans:2;widows:2}table{font-size:.92rem}"
    "th,td{padding-top:.13rem;padding-bottom:.13rem}"
    ".wide{overflow:visible;margin:.15rem 0}ul{margin:.1rem 0}"
    "tr,.tile{break-inside:avoid}thead{display:table-header-group}"
    ".break{break-before:page}.break+h2{border-top:0;margin-top:0}figure{margin:.4rem 0 .8rem}"
    "figure img{max-height:112mm;width:auto;max-width:100%;margin:0 auto}}\n";

static void put_tiles(struct html *h, const struct report_block *b)
{
    /* Rows of the same length, as far as it goes. */
    size_t across = b->rows <= 5 ? b->rows : b->rows == 6 || b->rows == 9 ? 3 : 4;
    char open[64];

    snprintf(open, sizeof open, "<div class=\"tiles c%zu\">\n", across);
    put(h, open);
    for (size_t row = 0; row < b->rows; row++) {
        const struct report_cell *c = &b->cells[row * b->columns];
        put_text(h, "<div class=\"tile\"><span>", c[0].text, "</span>");
        put_text(h, "<b>", c[1].text, "</b>");
        put_text(h, "<span>", c[2].text, "</span></div>\n");
    }
    put(h, "</div>\n");
}

static void put_grid(struct html *h, const struct report_block *b)
{
    bool headed = false;

    for (size_t i = 0; i < b->columns; i++)
        headed = headed || b->head[i][0] != '\0';
    put(h, "<div class=\"wide\"><table>\n");
    if (headed)
        put(h, "<thead><tr>");
    for (size_t i = 0; headed && i < b->columns; i++)
        put_text(h, b->right[i] ? "<th class=\"n\" scope=\"col\">" : "<th scope=\"col\">",
                 b->head[i], "</th>");
    put(h, headed ? "</tr></thead>\n<tbody>\n" : "<tbody>\n");
    for (size_t row = 0; row < b->rows; row++) {
        put(h, "<tr>");
        for (size_t i = 0; i < b->columns; i++)
            put_text(h, b->right[i] ? "<td class=\"n\">" : "<td>",
                     b->cells[row * b->columns + i].text, "</td>");
        put(h, "</tr>\n");
    }
    put(h, "</tbody></table></div>\n");
}

static void put_chart(struct html *h, const struct report_block *b)
{
    put(h, "<figure>");
    for (size_t i = 0; i < h->picture_count; i++) {
        const struct report_picture *p = &h->pictures[i];
        if (strcmp(p->chart, b->chart) != 0)
            continue;
        put_text(h, "<img alt=\"", b->text, "\" src=\"data:image/svg+xml;base64,");
        put_base64(h, p->bytes, p->length);
        put(h, "\">");
    }
    put_text(h, "<figcaption>", b->text, "</figcaption></figure>\n");
}

static void put_block(struct html *h, const struct report_block *b)
{
    if ((b->kind == REPORT_ITEM) != h->listing)
        put(h, h->listing ? "</ul>\n" : "<ul>\n");
    h->listing = b->kind == REPORT_ITEM;
    switch (b->kind) {
    case REPORT_HEADING:
        put_text(h, "<h2>", b->text, "</h2>\n");
        break;
    case REPORT_LEAD:
        put_text(h, "<p class=\"lead\">", b->text, "</p>\n");
        break;
    case REPORT_TEXT:
        put_text(h, "<p>", b->text, "</p>\n");
        break;
    case REPORT_NOTE:
        put_text(h, "<p class=\"note\">", b->text, "</p>\n");
        break;
    case REPORT_ITEM:
        put_text(h, "<li>", b->text, "</li>\n");
        break;
    case REPORT_TILES:
        put_tiles(h, b);
        break;
    case REPORT_GRID:
        put_grid(h, b);
        break;
    case REPORT_CHART:
        put_chart(h, b);
        break;
    case REPORT_BREAK:
        put(h, "<div class=\"break\"></div>\n");
        break;
    }
}

bool report_html_write(const struct report_document *r, const struct report_picture *pictures,
                       size_t picture_count, FILE *out)
{
    struct html h = {.out = out, .pictures = pictures, .picture_count = picture_count};

    text_init(&h.text, 0);
    put(&h, "<!DOCTYPE html><!-- fleetcast report -->\n<html lang=\"");
    put(&h, r->language == REPORT_ZH ? "zh-Hans" : "en");
    put(&h, "\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "img-src data:; style-src 'unsafe-inline'\">\n"
            "<meta name=\"viewport\" content=\"width=device-width\">\n"
            "<meta name=\"generator\" content=\"fleetcast report\">\n");
    put_text(&h, "<title>", r->title, "</title>\n<style>\n");
    put(&h, style);
    put_text(&h, "</style>\n</head>\n<body>\n<main>\n<h1>", r->title, "</h1>\n");
    put_text(&h, "<p class=\"sub\">", r->subtitle, "</p>\n");
    for (const struct report_block *b = r->first; b != NULL; b = b->next)
        put_block(&h, b);
    if (h.listing)
        put(&h, "</ul>\n");
    put(&h, "</main>\n</body>\n</html>\n");
    if (h.failed && h.text.overflow)
        errno = ENOMEM;
    text_release(&h.text);
    return !h.failed;
}
