/* SPDX-License-Identifier: GPL-3.0-or-later
 * Small repairs of an SVG that gnuplot wrote: the document's <title> becomes the message of the
 * chart (what a screen reader says and a browser's tab shows), and the titles of its groups, which
 * browsers show as tooltips ("gnuplot_plot_1"), go. */
#ifndef FLEETCAST_PLOTS_SVG_POLISH_H
#define FLEETCAST_PLOTS_SVG_POLISH_H

#include "engine/text.h"

#include <stdbool.h>
#include <stddef.h>

/* svg: the file's bytes; title: plain text, clean UTF-8. False when memory is out or it is no SVG
 * that ends with </svg>. */
bool svg_polish(struct text *out, const char *svg, size_t length, const char *title);

#endif
