/* SPDX-License-Identifier: GPL-3.0-or-later
 * The two written forms of a report, above all with names that mean harm. */
#include "tests/support/testing.h"

#include "plots/report/report_html.h"
#include "plots/report/report_markdown.h"
#include "tests/support/report_bed.h"
#include "tests/support/text_table.h"

#include <stdlib.h>
#include <string.h>

/* A tag, a table's bar with code, a mention and a link under a mark that turns text around. */
static const char *const hostile[3] = {"<script>alert(1)</script>",
                                       "a|b `rm` *x* [l](javascript:1) \"onload='",
                                       ("\xe2\x80\xae"
                                        "gnp.live @root http://evil.example www.evil.example")};

static char *written(const struct report_bed *b, bool markdown)
{
    const struct report_picture picture = {"cost", "<svg><script>bad()</script></svg>", 33};
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);

    assert_non_null(out);
    assert_true(markdown ? report_markdown_write(&b->document, "a folder>\n", out)
                         : report_html_write(&b->document, &picture, 1, out));
    assert_int_equal(fclose(out), 0);
    return bytes;
}

static void compose(struct report_bed *b)
{
    assert_true(report_bed_init(b, hostile));
    b->study.frame.scenario = "A & B <i>";
    report_bed_compose(b, REPORT_EN, "cost");
}

static void test_html_holds_no_markup_of_theirs(void **state)
{
    struct report_bed b;
    char *html;

    (void)state;
    compose(&b);
    html = written(&b, false);
    assert_null(strstr(html, "<script"));
    assert_null(strstr(html, "<i>"));
    assert_null(strstr(html, "\"onload"));
    assert_null(strstr(html, "onload='"));
    assert_null(strstr(html, "\xe2\x80\xae"));
    assert_non_null(strstr(html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert_non_null(strstr(html, "<title>A &amp; B &lt;i&gt;</title>"));
    free(html);
    report_bed_release(&b);
}

/* Nothing is fetched, nothing runs, and the picture is inside. */
static void test_html_is_one_file(void **state)
{
    struct report_bed b;
    char *html;

    (void)state;
    compose(&b);
    html = written(&b, false);
    assert_non_null(strstr(html, "default-src 'none'"));
    /* base64 of the picture above */
    assert_non_null(strstr(html, "src=\"data:image/svg+xml;base64,"
                                 "PHN2Zz48c2NyaXB0PmJhZCgpPC9zY3JpcHQ+PC9zdmc+\""));
    assert_null(strstr(html, "src=\"http"));
    assert_null(strstr(html, "href="));
    assert_null(strstr(html, "url("));
    assert_non_null(strstr(html, "@media print"));
    free(html);
    report_bed_release(&b);
}

static void test_base64_of_every_length(void **state)
{
    static const char *const expected[] = {"Zg==", "Zm8=", "Zm9v", "Zm9vYg=="}; /* RFC 4648 */
    struct report_bed b;

    (void)state;
    assert_true(report_bed_init(&b, NULL));
    report_bed_compose(&b, REPORT_EN, "cost");
    for (size_t n = 1; n <= 4; n++) {
        const struct report_picture picture = {"cost", "foob", n};
        char *bytes = NULL, quoted[32];
        size_t length = 0;
        FILE *out = open_memstream(&bytes, &length);
        assert_true(report_html_write(&b.document, &picture, 1, out));
        fclose(out);
        snprintf(quoted, sizeof quoted, "base64,%s\"", expected[n - 1]);
        assert_non_null(strstr(bytes, quoted));
        free(bytes);
    }
    report_bed_release(&b);
}

static void test_html_is_balanced(void **state)
{
    static const char *const tags[] = {"table", "tbody", "thead", "tr",   "td", "th",
                                       "ul",    "div",   "p",     "main", "li", "figure"};
    struct report_bed b;
    const char *const left_out[] = {"a", "b"};
    char *html;

    (void)state;
    compose(&b);
    b.source.not_modelled = left_out;
    b.source.not_modelled_count = 2;
    report_bed_compose(&b, REPORT_EN, "cost");
    html = written(&b, false);
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        char open[16], more[16], close[16];
        long opened = 0, closed = 0;
        snprintf(open, sizeof open, "<%s>", tags[i]);
        snprintf(more, sizeof more, "<%s ", tags[i]);
        snprintf(close, sizeof close, "</%s>", tags[i]);
        for (const char *s = html; *s != '\0'; s++) {
            opened += strncmp(s, open, strlen(open)) == 0 || strncmp(s, more, strlen(more)) == 0;
            closed += strncmp(s, close, strlen(close)) == 0;
        }
        assert_int_equal(opened, closed);
    }
    free(html);
    report_bed_release(&b);
}

static void test_markdown_holds_no_markup_of_theirs(void **state)
{
    struct report_bed b;
    char *md;

    (void)state;
    compose(&b);
    md = written(&b, true);
    assert_null(strstr(md, "<script"));
    assert_null(strstr(md, "| a|b"));
    assert_null(strstr(md, "@root"));
    assert_null(strstr(md, "http://"));
    assert_null(strstr(md, "www."));
    assert_null(strstr(md, "\xe2\x80\xae"));
    assert_non_null(strstr(md, "a\\|b \\`rm\\` \\*x\\* \\[l\\](javascript:1)"));
    /* The folder cannot leave the link. */
    assert_non_null(strstr(md, "](<a folder%3E%0A/cost.svg>)"));
    free(md);
    report_bed_release(&b);
}

static void test_markdown_escape(void **state)
{
    static const struct {
        const char *in, *out;
    } rows[] = {{"1. one", "1\\. one"}, {"2) two", "2\\) two"},
                {"- item", "\\- item"}, {"+5", "+5"},
                {"---", "\\---"},       {"2.98 d", "2.98 d"},
                {"=", "\\="},           {"1 year", "1 year"},
                {"#7", "&#35;7"},       {"a&b", "a&amp;b"},
                {"~x~", "\\~x\\~"},     {"$x$", "\\$x\\$"},
                {"a_b", "a\\_b"},       {"", ""}};
    struct text t;

    (void)state;
    text_init(&t, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text_clear(&t);
        report_markdown_escape(&t, rows[i].in);
        assert_string_equal(t.data, rows[i].out);
    }
    text_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_html_holds_no_markup_of_theirs),
        cmocka_unit_test(test_html_is_one_file),
        cmocka_unit_test(test_base64_of_every_length),
        cmocka_unit_test(test_html_is_balanced),
        cmocka_unit_test(test_markdown_holds_no_markup_of_theirs),
        cmocka_unit_test(test_markdown_escape),
    };

    return cmocka_run_group_tests_name("report_html", tests, NULL, NULL);
}
