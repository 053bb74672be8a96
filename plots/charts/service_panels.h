/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the charts of a service over time have in common: the service that is shown, the stretch of
 * time, a panel for each strategy, overload behind its data. */
#ifndef FLEETCAST_PLOTS_SERVICE_PANELS_H
#define FLEETCAST_PLOTS_SERVICE_PANELS_H

#include "plots/charts/chart_panels.h"
#include "plots/facts/service_course.h"

/* The colour of what is overloaded. */
#define SERVICE_PANELS_OVERLOAD "'#F6D5C9'"

struct service_panels {
    struct chart_shown shown;
    const char *workload;
    size_t others; /* further services, which are not shown */
    struct service_course course[CHART_PANELS_MAX];
    struct service_window window;
    struct service_hours hours[CHART_PANELS_MAX];
    size_t subject; /* of `shown`: what the title is about */
    double bucket_s;
};

/* CHART_DRAWN: there is something to draw. */
enum chart_result service_panels_read(struct service_panels *p, const struct chart_context *c);
/* "'images', mean of each 10 minutes; from 2 Mar 2026, UTC; one of 3 services" */
void service_panels_say(struct text *subtitle, const struct service_panels *p,
                        const struct chart_frame *frame, const char *what);
/* Time axes of the panels: the window. */
struct chart_panel_ends service_panels_ends(const struct service_panels *p);
/* Where the panels begin, and fewer dates where a week of them would touch. */
void service_panels_place_time(struct chart_panels *panels, const struct service_panels *p);
/* Whether the bucket is shown, and where: seconds from the window's begin. */
bool service_panels_place(const struct service_panels *p, const struct service_course *c, size_t k,
                          double *from_s, double *to_s);
/* Rectangles behind the data where the service was overloaded. */
void service_panels_overload(struct chart_script *s, const struct service_panels *p, size_t panel,
                             double y_high);
/* "overloaded 3.2 of 48 h", "never overloaded" */
void service_panels_hours(const struct service_panels *p, size_t panel, char *out, size_t size);
/* A colour and its name above the panels. */
struct service_panels_key {
    const char *name, *colour, *text;
    double x;
};
void service_panels_keys(struct chart_script *s, double y, const struct service_panels_key *keys,
                         size_t count);

#endif
