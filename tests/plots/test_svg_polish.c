/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/testing.h"

#include "plots/charts/svg_polish.h"

#include <string.h>

static void replaces_the_first_title_and_drops_the_others(void **state)
{
    const char *svg = "<svg><title>Gnuplot</title><g><title>gnuplot_plot_1</title><path/></g>"
                      "<g><title>gnuplot_plot_2</title></g></svg>\n";
    struct text t;

    (void)state;
    text_init(&t, 0);
    assert_true(svg_polish(&t, svg, strlen(svg), "a < b & c > d"));
    assert_string_equal(t.data, "<svg><title>a &lt; b &amp; c &gt; d</title><g><path/></g>"
                                "<g></g></svg>\n");
    text_release(&t);
}

static void leaves_text_alone(void **state)
{
    const char *svg = "<svg><title>Gnuplot</title><text>&lt;title>x&lt;/title></text></svg>";
    struct text t;

    (void)state;
    text_init(&t, 0);
    assert_true(svg_polish(&t, svg, strlen(svg), "t"));
    assert_string_equal(t.data, "<svg><title>t</title><text>&lt;title>x&lt;/title></text></svg>");
    text_release(&t);
}

static void refuses_half_a_picture(void **state)
{
    const char *svg = "<svg><title>Gnuplot</title><g>";
    struct text t;

    (void)state;
    text_init(&t, 0);
    assert_false(svg_polish(&t, svg, strlen(svg), "t"));
    assert_false(svg_polish(&t, "", 0, "t"));
    text_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replaces_the_first_title_and_drops_the_others),
        cmocka_unit_test(leaves_text_alone), cmocka_unit_test(refuses_half_a_picture)};

    return cmocka_run_group_tests_name("svg_polish", tests, NULL, NULL);
}
