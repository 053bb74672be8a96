/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/sample_search.h"

#include <math.h>

struct plan {
    const char *name, *status, *parameters;
    double cost, time_h;
};

static const struct plan plans[] = {
    {"plan-1", "finalist", "nodes 1, buy spot", 2000, 96},
    {"plan-2", "chosen", "nodes 2, buy spot", 2100, 48},
    {"plan-3", "dropped", "nodes 4, buy on-demand", 3000, 24},
    {"plan-4", "dropped", "nodes 4, buy spot", 2500, 60},
    {"plan-5", "dropped", "nodes 9, buy spot", 90000, 20},
    {"plan-6", "dropped", "nodes 1, buy spot", (double)NAN, (double)NAN},
    {"plan-7", "refused", "nodes 0, buy spot", (double)NAN, (double)NAN}};
enum { PLANS = sizeof plans / sizeof plans[0], FRONT = 3 };

struct table *sample_candidates_table(void)
{
    static const struct column columns[] = {{"plan", "", "", COLUMN_TEXT, -1},
                                            {"status", "", "", COLUMN_TEXT, -1},
                                            {"worlds", "", "", COLUMN_INTEGER, 0},
                                            {"plan_cost_usd", "usd", "", COLUMN_NUMBER, -1},
                                            {"time_to_train_h", "h", "", COLUMN_NUMBER, -1}};
    struct table *t = table_new("candidates", columns, sizeof columns / sizeof columns[0]);

    for (size_t i = 0; t != NULL && i < PLANS; i++) {
        const size_t row = table_add_row(t);
        table_set_text(t, row, 0, plans[i].name);
        table_set_text(t, row, 1, plans[i].status);
        table_set_integer(t, row, 2, i + 1 < PLANS ? 100 : 0);
        table_set_number(t, row, 3, plans[i].cost);
        table_set_number(t, row, 4, plans[i].time_h);
    }
    return t;
}

struct table *sample_front_table(void)
{
    static const struct column columns[] = {{"plan", "", "", COLUMN_TEXT, -1},
                                            {"status", "", "", COLUMN_TEXT, -1},
                                            {"parameters", "", "", COLUMN_TEXT, -1},
                                            {"meets_limits", "", "", COLUMN_TEXT, -1},
                                            {"cost", "", "", COLUMN_TEXT, -1},
                                            {"plan_cost_usd", "usd", "", COLUMN_NUMBER, -1},
                                            {"cost_low_usd", "usd", "", COLUMN_NUMBER, -1},
                                            {"cost_high_usd", "usd", "", COLUMN_NUMBER, -1},
                                            {"time", "", "", COLUMN_TEXT, -1},
                                            {"time_to_train_h", "h", "", COLUMN_NUMBER, -1},
                                            {"time_low_h", "h", "", COLUMN_NUMBER, -1},
                                            {"time_high_h", "h", "", COLUMN_NUMBER, -1},
                                            {"worlds", "", "", COLUMN_INTEGER, 0}};
    struct table *t = table_new("front", columns, sizeof columns / sizeof columns[0]);

    for (size_t i = 0; t != NULL && i < FRONT; i++) {
        const size_t row = table_add_row(t);
        table_set_text(t, row, 0, plans[i].name);
        table_set_text(t, row, 1, plans[i].status);
        table_set_text(t, row, 2, plans[i].parameters);
        table_set_text(t, row, 3, "yes");
        table_set_text(t, row, 4, "cost_usd.p50");
        table_set_number(t, row, 5, plans[i].cost);
        table_set_number(t, row, 6, plans[i].cost - 50);
        table_set_number(t, row, 7, plans[i].cost + 50);
        table_set_text(t, row, 8, "time_to_train_h.p50");
        table_set_number(t, row, 9, plans[i].time_h);
        table_set_number(t, row, 10, plans[i].time_h - 1);
        table_set_number(t, row, 11, plans[i].time_h + 1);
        table_set_integer(t, row, 12, 400);
    }
    return t;
}

struct table *sample_offers_table(void)
{
    static const struct column columns[] = {
        {"offer", "", "", COLUMN_INTEGER, 0},      {"is", "", "", COLUMN_TEXT, 0},
        {"unit", "", "", COLUMN_TEXT, 0},          {"size", "", "", COLUMN_NUMBER, -1},
        {"mean", "", "", COLUMN_NUMBER, -1},       {"regret", "", "", COLUMN_NUMBER, -1},
        {"regret_low", "", "", COLUMN_NUMBER, -1}, {"regret_high", "", "", COLUMN_NUMBER, -1},
        {"obligation", "", "", COLUMN_NUMBER, -1}};
    static const double means[2][3] = {{5000, 4200, 4700}, {5000, 4500, 4900}};
    struct table *t = table_new("offer_levels", columns, sizeof columns / sizeof columns[0]);

    for (size_t i = 0; t != NULL && i < 6; i++) {
        const size_t row = table_add_row(t), offer = i / 3;
        const double regret = means[offer][i % 3] - means[offer][1];
        table_set_integer(t, row, 0, (int64_t)offer + 1);
        table_set_text(t, row, 1, offer == 0 ? "p4d.24xlarge, 1-year standard" : "1-year plan");
        table_set_text(t, row, 2, offer == 0 ? "instances" : "currency an hour");
        table_set_number(t, row, 3, (double)(i % 3));
        table_set_number(t, row, 4, means[offer][i % 3]);
        table_set_number(t, row, 5, regret);
        table_set_number(t, row, 6, regret * 0.8);
        table_set_number(t, row, 7, regret * 1.2);
        table_set_number(t, row, 8, 2000.0 * (double)(i % 3));
    }
    return t;
}
