/* SPDX-License-Identifier: GPL-3.0-or-later
 * Days to dates and back by arithmetic on a year that begins in March, so that the leap day is its
 * last (Howard Hinnant, "chrono-compatible low-level date algorithms", days_from_civil and
 * civil_from_days). Neither the C library's time zone nor its locale is asked. */
#include "engine/civil_time.h"

#define DAY_S         86400
#define DAYS_400Y     146097                  /* days in 400 Gregorian years */
#define EPOCH_DAY     719468                  /* days from 0000-03-01 to 1970-01-01 */
#define FIRST_INSTANT (INT64_C(-62167219200)) /* 0000-01-01T00:00:00Z */
#define LAST_INSTANT  INT64_C(253402300799)   /* 9999-12-31T23:59:59Z */

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t days_from_civil(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = floor_divide(year, 400);
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * DAYS_400Y + day_of_era - EPOCH_DAY;
}

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_in_month(int64_t year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

struct civil civil_from_unix(int64_t unix_s)
{
    if (unix_s < FIRST_INSTANT) {
        unix_s = FIRST_INSTANT;
    } else if (unix_s > LAST_INSTANT) {
        unix_s = LAST_INSTANT;
    }
    int64_t day = floor_divide(unix_s, DAY_S);
    int second_of_day = (int)(unix_s - day * DAY_S);
    day += EPOCH_DAY;
    int64_t era = floor_divide(day, DAYS_400Y);
    int64_t day_of_era = day - era * DAYS_400Y;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month_from_march = (5 * day_of_year + 2) / 153;
    int month = (int)(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
    return (struct civil){
        .year = (int)(year_of_era + era * 400 + (month <= 2)),
        .month = month,
        .day = (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1),
        .hour = second_of_day / 3600,
        .minute = second_of_day / 60 % 60,
        .second = second_of_day % 60,
    };
}

/* Month counted from 1, anywhere outside 1..12, carried into the year. */
static int carry_months(int64_t *year, int64_t month)
{
    int64_t years = floor_divide(month - 1, 12);
    *year += years;
    return (int)(month - years * 12);
}

int64_t civil_to_unix(struct civil c)
{
    int64_t year = c.year;
    int month = carry_months(&year, c.month);
    int64_t day = days_from_civil(year, month, 1) + c.day - 1;
    return day * DAY_S + (int64_t)c.hour * 3600 + (int64_t)c.minute * 60 + c.second;
}

int64_t civil_add_months(int64_t unix_s, int months)
{
    struct civil c = civil_from_unix(unix_s);
    int64_t year = c.year;
    int month = carry_months(&year, (int64_t)c.month + months);
    int last = days_in_month(year, month);
    int64_t day = days_from_civil(year, month, c.day < last ? c.day : last);
    return day * DAY_S + c.hour * 3600 + c.minute * 60 + c.second;
}

int64_t civil_month_start(int64_t unix_s)
{
    struct civil c = civil_from_unix(unix_s);
    return days_from_civil(c.year, c.month, 1) * DAY_S;
}

int civil_weekday(int64_t unix_s)
{
    int64_t day = floor_divide(unix_s, DAY_S) + 3; /* 1970-01-01 was a Thursday */
    return (int)(day - floor_divide(day, 7) * 7);
}

/* Reads exactly `digits` digits; moves *text behind them. */
static bool read_digits(const char **text, int digits, int *value)
{
    *value = 0;
    for (int i = 0; i < digits; i++) {
        char c = **text;
        if (c < '0' || c > '9') {
            return false;
        }
        *value = *value * 10 + (c - '0');
        ++*text;
    }
    return true;
}

static bool read_mark(const char **text, char mark)
{
    if (**text != mark) {
        return false;
    }
    ++*text;
    return true;
}

/* What follows the date: nothing, " 08:00", "T08:00Z" or "T08:00:00Z". */
static bool read_clock(const char **text, struct civil *c)
{
    if (**text == '\0') {
        return true;
    }
    bool spaced = **text == ' ';
    if (!spaced && **text != 'T') {
        return false;
    }
    ++*text;
    if (!read_digits(text, 2, &c->hour) || !read_mark(text, ':') ||
        !read_digits(text, 2, &c->minute)) {
        return false;
    }
    if (spaced) {
        return true;
    }
    if (**text == ':') {
        ++*text;
        if (!read_digits(text, 2, &c->second)) {
            return false;
        }
    }
    return read_mark(text, 'Z');
}

bool civil_parse(const char *text, int64_t *unix_s)
{
    struct civil c = {0};
    if (!read_digits(&text, 4, &c.year) || !read_mark(&text, '-') ||
        !read_digits(&text, 2, &c.month) || !read_mark(&text, '-') ||
        !read_digits(&text, 2, &c.day) || !read_clock(&text, &c) || *text != '\0') {
        return false;
    }
    bool date_exists = c.year >= 1970 && c.year <= 2999 && c.month >= 1 && c.month <= 12 &&
                       c.day >= 1 && c.day <= days_in_month(c.year, c.month);
    if (!date_exists || c.hour > 23 || c.minute > 59 || c.second > 59) {
        return false;
    }
    *unix_s = civil_to_unix(c);
    return true;
}

/* Zero-padded digits of a number known to fit. */
static char *write_digits(char *out, int value, int digits)
{
    for (int i = digits - 1; i >= 0; i--) {
        out[i] = (char)('0' + value % 10);
        value /= 10;
    }
    return out + digits;
}

static char *write_date(char *out, struct civil c)
{
    out = write_digits(out, c.year, 4);
    *out++ = '-';
    out = write_digits(out, c.month, 2);
    *out++ = '-';
    return write_digits(out, c.day, 2);
}

char *civil_date_text(int64_t unix_s, char out[24])
{
    *write_date(out, civil_from_unix(unix_s)) = '\0';
    return out;
}

char *civil_time_text(int64_t unix_s, char out[24])
{
    struct civil c = civil_from_unix(unix_s);
    char *end = write_date(out, c);
    *end++ = 'T';
    end = write_digits(end, c.hour, 2);
    *end++ = ':';
    end = write_digits(end, c.minute, 2);
    *end++ = ':';
    end = write_digits(end, c.second, 2);
    *end++ = 'Z';
    *end = '\0';
    return out;
}
