/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables, and what is looked up in them. Decimal and binary multiples of bytes are those of IEC
 * 80000-13. */
#include "engine/quantity_units.h"

#include <math.h>
#include <string.h>

#define YEAR_S          31557600.0 /* 365.25 days: of a rate only */
#define HOURS_PER_MONTH 730.0      /* only to turn a monthly rate into an hourly one */

const struct unit unit_times[] = {{"us", 1, 1e6}, {"ms", 1, 1e3},  {"s", 1, 1},      {"min", 60, 1},
                                  {"h", 3600, 1}, {"d", 86400, 1}, {"w", 604800, 1}, {NULL, 0, 0}};
static const struct unit data_units[] = {
    {"B", 1, 1},        {"kB", 1e3, 1},     {"MB", 1e6, 1},     {"GB", 1e9, 1},
    {"TB", 1e12, 1},    {"PB", 1e15, 1},    {"KiB", 1024, 1},   {"MiB", 1048576, 1},
    {"GiB", 0x1p30, 1}, {"TiB", 0x1p40, 1}, {"PiB", 0x1p50, 1}, {NULL, 0, 0}};
static const struct unit data_rate_units[] = {
    {"B/s", 1, 1},        {"kB/s", 1e3, 1},     {"MB/s", 1e6, 1},     {"GB/s", 1e9, 1},
    {"TB/s", 1e12, 1},    {"PB/s", 1e15, 1},    {"KiB/s", 1024, 1},   {"MiB/s", 1048576, 1},
    {"GiB/s", 0x1p30, 1}, {"TiB/s", 0x1p40, 1}, {"PiB/s", 0x1p50, 1}, {"kbit/s", 1e3, 8},
    {"Mbit/s", 1e6, 8},   {"Gbit/s", 1e9, 8},   {"Tbit/s", 1e12, 8},  {"kbps", 1e3, 8},
    {"Mbps", 1e6, 8},     {"Gbps", 1e9, 8},     {"Tbps", 1e12, 8},    {NULL, 0, 0}};
static const struct unit flops_units[] = {
    {"FLOPS", 1, 1},      {"kFLOPS", 1e3, 1},   {"MFLOPS", 1e6, 1},  {"GFLOPS", 1e9, 1},
    {"TFLOPS", 1e12, 1},  {"PFLOPS", 1e15, 1},  {"EFLOPS", 1e18, 1}, {"FLOP/s", 1, 1},
    {"kFLOP/s", 1e3, 1},  {"MFLOP/s", 1e6, 1},  {"GFLOP/s", 1e9, 1}, {"TFLOP/s", 1e12, 1},
    {"PFLOP/s", 1e15, 1}, {"EFLOP/s", 1e18, 1}, {NULL, 0, 0}};
const struct unit unit_rates[] = {{"/s", 1, 1},       {"/min", 1, 60},   {"/h", 1, 3600},
                                  {"/d", 1, 86400},   {"/w", 1, 604800}, {"/y", 1, YEAR_S},
                                  {"/yr", 1, YEAR_S}, {NULL, 0, 0}};
const struct unit unit_prices[] = {
    {"/h", 1, 1},    {"/d", 1, 24},   {"/w", 1, 168}, {"/mo", 1, HOURS_PER_MONTH},
    {"/min", 60, 1}, {"/s", 3600, 1}, {NULL, 0, 0}};
static const struct unit share_units[] = {{"%", 1, 100}, {NULL, 0, 0}};
const struct unit unit_magnitudes[] = {{"k", 1e3, 1}, {"M", 1e6, 1},  {"B", 1e9, 1},
                                       {"G", 1e9, 1}, {"T", 1e12, 1}, {NULL, 0, 0}};

#define WORDS(noun, examples) noun, examples, noun " such as " examples

const struct dimension_words unit_words[] = {
    [DIMENSION_COUNT] = {WORDS("a number", "5, 2.5k or 7B"), "", unit_magnitudes, true, true},
    [DIMENSION_SHARE] = {WORDS("a share", "0.12 or 12 %"), "share", share_units, true, true},
    [DIMENSION_TIME] = {WORDS("a duration", "90s, 4min or 2h"), "s", unit_times, true, false},
    [DIMENSION_SPAN] = {WORDS("a span of time", "60d, 3mo or 1y"), "s", unit_times, true, false},
    [DIMENSION_OFFSET] = {WORDS("an offset of time", "-5h, 8h or 90min"), "s", unit_times, true,
                          true},
    [DIMENSION_DATA] = {WORDS("an amount of data", "98 GB or 16 GiB"), "bytes", data_units, true,
                        false},
    [DIMENSION_DATA_RATE] = {WORDS("a data rate", "2 GB/s or 100 Gbit/s"), "bytes/s",
                             data_rate_units, false, false},
    [DIMENSION_RATE] = {WORDS("a rate", "30/s, 2/min or 0.2/h"), "1/s", unit_rates, false, false},
    [DIMENSION_HAZARD] = {WORDS("a rate or a mean time between events", "0.2/h or 14h"), "1/s",
                          unit_rates, false, false},
    [DIMENSION_MONEY] = {WORDS("an amount of money", "6000 USD or 6k USD"), "USD", NULL, true,
                         true},
    [DIMENSION_PRICE] = {WORDS("a price per hour", "0.9 USD/h or $0.9/h"), "USD/h", unit_prices,
                         false, false},
    [DIMENSION_FLOPS] = {WORDS("a computing speed", "312 TFLOPS"), "FLOP/s", flops_units, false,
                         false},
};

/* What people also write, and what to say to it. */
static const struct {
    enum dimension dimension;
    const char *written, *hint;
} hints[] = {
    {DIMENSION_TIME, "m", "'m' may be minutes or months: write min for minutes"},
    {DIMENSION_TIME, "M", "'M' may be minutes or months: write min for minutes"},
    {DIMENSION_TIME, "sec", "write s for seconds"},
    {DIMENSION_TIME, "secs", "write s for seconds"},
    {DIMENSION_TIME, "second", "write s for seconds"},
    {DIMENSION_TIME, "seconds", "write s for seconds"},
    {DIMENSION_TIME, "mins", "write min for minutes"},
    {DIMENSION_TIME, "minute", "write min for minutes"},
    {DIMENSION_TIME, "minutes", "write min for minutes"},
    {DIMENSION_TIME, "hr", "write h for hours"},
    {DIMENSION_TIME, "hrs", "write h for hours"},
    {DIMENSION_TIME, "hour", "write h for hours"},
    {DIMENSION_TIME, "hours", "write h for hours"},
    {DIMENSION_TIME, "day", "write d for days"},
    {DIMENSION_TIME, "days", "write d for days"},
    {DIMENSION_TIME, "week", "write w for weeks"},
    {DIMENSION_TIME, "weeks", "write w for weeks"},
    {DIMENSION_TIME, "month", "months have no fixed length: write days, as in 30d"},
    {DIMENSION_TIME, "months", "months have no fixed length: write days, as in 30d"},
    {DIMENSION_TIME, "mo", "months have no fixed length: write days, as in 30d"},
    {DIMENSION_TIME, "y", "years have no fixed length: write days, as in 365d"},
    {DIMENSION_TIME, "year", "years have no fixed length: write days, as in 365d"},
    {DIMENSION_TIME, "years", "years have no fixed length: write days, as in 365d"},
    {DIMENSION_SPAN, "m", "'m' may be minutes or months: write min or mo"},
    {DIMENSION_SPAN, "M", "'M' may be minutes or months: write min or mo"},
    {DIMENSION_SPAN, "month", "write mo for months"},
    {DIMENSION_SPAN, "months", "write mo for months"},
    {DIMENSION_SPAN, "year", "write y for years"},
    {DIMENSION_SPAN, "years", "write y for years"},
    {DIMENSION_DATA, "KB", "'KB' has two readings: write kB for 1000 or KiB for 1024 bytes"},
    {DIMENSION_DATA, "K", "write kB for 1000 or KiB for 1024 bytes"},
    {DIMENSION_DATA, "k", "write kB for 1000 or KiB for 1024 bytes"},
    {DIMENSION_DATA, "M", "write MB for 10^6 or MiB for 2^20 bytes"},
    {DIMENSION_DATA, "G", "write GB for 10^9 or GiB for 2^30 bytes"},
    {DIMENSION_DATA, "T", "write TB for 10^12 or TiB for 2^40 bytes"},
    {DIMENSION_DATA, "kb", "'kb' may be bits: write kB for bytes"},
    {DIMENSION_DATA, "Mb", "'Mb' may be bits: write MB for bytes"},
    {DIMENSION_DATA, "Gb", "'Gb' may be bits: write GB for bytes"},
    {DIMENSION_DATA, "Tb", "'Tb' may be bits: write TB for bytes"},
    {DIMENSION_DATA, "bytes", "write B for bytes"},
    {DIMENSION_DATA_RATE, "Gb/s", "'Gb/s' may be bits: write Gbit/s for bits or GB/s for bytes"},
    {DIMENSION_DATA_RATE, "Mb/s", "'Mb/s' may be bits: write Mbit/s for bits or MB/s for bytes"},
    {DIMENSION_COUNT, "m", "'m' is no magnitude: write M for a million"},
    {DIMENSION_COUNT, "b", "write B for 10^9"},
    {DIMENSION_COUNT, "K", "write k for 1000"},
    {DIMENSION_COUNT, "%", "a number is wanted here, not a share"},
    {DIMENSION_RATE, "/hour", "write /h for per hour"},
    {DIMENSION_RATE, "/hr", "write /h for per hour"},
    {DIMENSION_RATE, "/m", "'/m' may be per minute or per month: write /min"},
    {DIMENSION_RATE, "/day", "write /d for per day"},
    {DIMENSION_RATE, "/sec", "write /s for per second"},
    {DIMENSION_RATE, "/mo", "months have no fixed length: write the rate per day, /d"},
    {DIMENSION_RATE, "/year", "write /y for per year of 365.25 days"},
    {DIMENSION_RATE, "Hz", "write /s for per second"},
    {DIMENSION_PRICE, "/m", "'/m' may be per minute or per month: write /min or /mo"},
    {DIMENSION_PRICE, "/hour", "write /h for per hour"},
    {DIMENSION_PRICE, "/hr", "write /h for per hour"},
    {DIMENSION_PRICE, "/day", "write /d for per day"},
    {DIMENSION_PRICE, "/month", "write /mo for per month of 730 h"},
};

const struct unit unit_one = {"", 1, 1};

const struct unit *unit_find(const struct unit *units, const char *name)
{
    for (; units->name != NULL; units++)
        if (strcmp(units->name, name) == 0)
            return units;
    return NULL;
}

const char *unit_hint(enum dimension dimension, const char *unit)
{
    for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
        if (hints[i].dimension == dimension && strcmp(hints[i].written, unit) == 0)
            return hints[i].hint;
    if (dimension == DIMENSION_HAZARD && unit[0] == '/')
        return unit_hint(DIMENSION_RATE, unit);
    if (dimension == DIMENSION_HAZARD || dimension == DIMENSION_SPAN ||
        dimension == DIMENSION_OFFSET)
        return unit_hint(DIMENSION_TIME, unit);
    return NULL;
}

const char *quantity_wanted(enum dimension dimension)
{
    return unit_words[dimension].wanted;
}

const char *quantity_unit(enum dimension dimension)
{
    return unit_words[dimension].unit;
}

double quantity_least(enum dimension dimension)
{
    return unit_words[dimension].negative ? -HUGE_VAL : 0;
}
