/* SPDX-License-Identifier: GPL-3.0-or-later
 * The program never calls setlocale, so widths come from an own table (UAX #11 and the general
 * categories Mn, Me and Cf of Unicode 14) and not from wcwidth, which knows ASCII only then. */
#include "engine/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_init(struct text *t, size_t limit_bytes)
{
    /* The literal is never written: capacity 0 keeps every writer away. */
    *t = (struct text){.data = "", .limit = limit_bytes == 0 ? SIZE_MAX - 1 : limit_bytes};
}

void text_release(struct text *t)
{
    if (t->capacity > 0)
        free(t->data);
    t->data = "";
    t->length = t->capacity = 0;
}

void text_clear(struct text *t)
{
    t->length = 0;
    t->overflow = false;
    if (t->capacity > 0)
        t->data[0] = '\0';
}

/* Room for `more` bytes and the NUL; false (and overflow) when there is none. */
static bool reserve(struct text *t, size_t more)
{
    size_t capacity = t->capacity;
    char *data;

    if (t->overflow || more > t->limit - t->length) {
        t->overflow = true;
        return false;
    }
    if (t->length + more < capacity)
        return true;
    if (capacity == 0)
        capacity = 64;
    while (capacity <= t->length + more)
        capacity = capacity > SIZE_MAX / 2 ? t->length + more + 1 : capacity * 2;
    data = realloc(t->capacity > 0 ? t->data : NULL, capacity);
    if (data == NULL) {
        t->overflow = true;
        return false;
    }
    data[t->length] = '\0';
    t->data = data;
    t->capacity = capacity;
    return true;
}

void text_add_bytes(struct text *t, const char *s, size_t length)
{
    if (length == 0 || !reserve(t, length))
        return;
    memcpy(t->data + t->length, s, length);
    t->length += length;
    t->data[t->length] = '\0';
}

void text_add(struct text *t, const char *s)
{
    text_add_bytes(t, s, strlen(s));
}

void text_format(struct text *t, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0) {
        t->overflow = true;
        return;
    }
    if (length == 0 || !reserve(t, (size_t)length))
        return;
    va_start(args, format);
    vsnprintf(t->data + t->length, (size_t)length + 1, format, args);
    va_end(args);
    t->length += (size_t)length;
}

size_t text_decode(const char *s, size_t length, uint32_t *code_point)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *b = (const unsigned char *)s;
    size_t n = b[0] < 0x80 ? 1 : b[0] < 0xc0 ? 0 : b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : 4;
    uint32_t c;

    if (n == 1) {
        *code_point = b[0];
        return 1;
    }
    if (n == 0 || n > length || b[0] > 0xf4)
        return 0;
    c = b[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) {
        if ((b[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (b[i] & 0x3fu);
    }
    if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    *code_point = c;
    return n;
}

bool text_is_utf8(const char *s, size_t length)
{
    uint32_t c;

    for (size_t i = 0, n; i < length; i += n) {
        n = text_decode(s + i, length - i, &c);
        if (n == 0)
            return false;
    }
    return true;
}

/* Line and paragraph separators, and the marks that reorder what is shown ("Trojan Source",
 * Boucher and Anderson 2021). */
bool text_misleads(uint32_t c)
{
    return c == 0x2028 || c == 0x2029 || c == 0x200e || c == 0x200f || c == 0x061c ||
           (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

static void add_escaped(struct text *t, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        text_format(t, "\\x%02x", (unsigned)(unsigned char)bytes[i]);
}

void text_add_visible(struct text *t, const char *s, size_t max_bytes)
{
    size_t length = strlen(s);

    for (size_t i = 0, n; i < length; i += n) {
        uint32_t c = 0;
        n = text_decode(s + i, length - i, &c);
        if (i + (n == 0 ? 1 : n) > max_bytes) {
            text_add(t, "...");
            return;
        }
        if (n == 0) {
            n = 1;
            add_escaped(t, s + i, n);
        } else if (c == '\n' || c == '\r' || c == '\t') {
            text_add(t, c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t");
        } else if (c < 0x20 || (c >= 0x7f && c < 0xa0)) {
            add_escaped(t, s + i, n);
        } else if (text_misleads(c)) {
            text_format(t, "\\u%04x", (unsigned)c);
        } else {
            text_add_bytes(t, s + i, n);
        }
    }
}

struct range {
    uint32_t first, last;
};

static const struct range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x3247},   {0x3250, 0xA4C6},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE10, 0xFE6B},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x16FE0, 0x1B2FB}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E},
    {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C},
    {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0},
    {0x1F3F4, 0x1F3F4}, {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC},
    {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A},
    {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5},
    {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC},
    {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945},
    {0x1F947, 0x1F9FF}, {0x1FA70, 0x1FAF6}, {0x20000, 0x3FFFD}};

/* Marks that sit on the character before them, and invisible format characters. */
static const struct range zero[] = {
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},    {0x5BF, 0x5BF},   {0x5C1, 0x5C2},
    {0x5C4, 0x5C5},   {0x5C7, 0x5C7},   {0x600, 0x605},    {0x610, 0x61A},   {0x61C, 0x61C},
    {0x64B, 0x65F},   {0x670, 0x670},   {0x6D6, 0x6DD},    {0x6DF, 0x6E4},   {0x6E7, 0x6E8},
    {0x6EA, 0x6ED},   {0x70F, 0x70F},   {0x711, 0x711},    {0x730, 0x74A},   {0x7A6, 0x7B0},
    {0x7EB, 0x7F3},   {0x7FD, 0x7FD},   {0x816, 0x819},    {0x81B, 0x823},   {0x825, 0x827},
    {0x829, 0x82D},   {0x859, 0x85B},   {0x890, 0x89F},    {0x8CA, 0x902},   {0x93A, 0x93A},
    {0x93C, 0x93C},   {0x941, 0x948},   {0x94D, 0x94D},    {0x951, 0x957},   {0x962, 0x963},
    {0x981, 0x981},   {0x9BC, 0x9BC},   {0x9C1, 0x9C4},    {0x9CD, 0x9CD},   {0x9E2, 0x9E3},
    {0x9FE, 0xA02},   {0xA3C, 0xA3C},   {0xA41, 0xA51},    {0xA70, 0xA71},   {0xA75, 0xA75},
    {0xA81, 0xA82},   {0xABC, 0xABC},   {0xAC1, 0xAC8},    {0xACD, 0xACD},   {0xAE2, 0xAE3},
    {0xAFA, 0xB01},   {0xB3C, 0xB3C},   {0xB3F, 0xB3F},    {0xB41, 0xB44},   {0xB4D, 0xB56},
    {0xB62, 0xB63},   {0xB82, 0xB82},   {0xBC0, 0xBC0},    {0xBCD, 0xBCD},   {0xC00, 0xC00},
    {0xC04, 0xC04},   {0xC3C, 0xC3C},   {0xC3E, 0xC40},    {0xC46, 0xC56},   {0xC62, 0xC63},
    {0xC81, 0xC81},   {0xCBC, 0xCBC},   {0xCBF, 0xCBF},    {0xCC6, 0xCC6},   {0xCCC, 0xCCD},
    {0xCE2, 0xCE3},   {0xD00, 0xD01},   {0xD3B, 0xD3C},    {0xD41, 0xD44},   {0xD4D, 0xD4D},
    {0xD62, 0xD63},   {0xD81, 0xD81},   {0xDCA, 0xDCA},    {0xDD2, 0xDD6},   {0xE31, 0xE31},
    {0xE34, 0xE3A},   {0xE47, 0xE4E},   {0xEB1, 0xEB1},    {0xEB4, 0xEBC},   {0xEC8, 0xECD},
    {0xF18, 0xF19},   {0xF35, 0xF35},   {0xF37, 0xF37},    {0xF39, 0xF39},   {0xF71, 0xF7E},
    {0xF80, 0xF84},   {0xF86, 0xF87},   {0xF8D, 0xFBC},    {0xFC6, 0xFC6},   {0x102D, 0x1030},
    {0x1032, 0x1037}, {0x1039, 0x103A}, {0x103D, 0x103E},  {0x1058, 0x1059}, {0x105E, 0x1060},
    {0x1071, 0x1074}, {0x1082, 0x1082}, {0x1085, 0x1086},  {0x108D, 0x108D}, {0x109D, 0x109D},
    {0x1160, 0x11FF}, {0x135D, 0x135F}, {0x1712, 0x1714},  {0x1732, 0x1733}, {0x1752, 0x1753},
    {0x1772, 0x1773}, {0x17B4, 0x17B5}, {0x17B7, 0x17BD},  {0x17C6, 0x17C6}, {0x17C9, 0x17D3},
    {0x17DD, 0x17DD}, {0x180B, 0x180F}, {0x1885, 0x1886},  {0x18A9, 0x18A9}, {0x1920, 0x1922},
    {0x1927, 0x1928}, {0x1932, 0x1932}, {0x1939, 0x193B},  {0x1A17, 0x1A18}, {0x1A1B, 0x1A1B},
    {0x1A56, 0x1A56}, {0x1A58, 0x1A60}, {0x1A62, 0x1A62},  {0x1A65, 0x1A6C}, {0x1A73, 0x1A7F},
    {0x1AB0, 0x1B03}, {0x1B34, 0x1B34}, {0x1B36, 0x1B3A},  {0x1B3C, 0x1B3C}, {0x1B42, 0x1B42},
    {0x1B6B, 0x1B73}, {0x1B80, 0x1B81}, {0x1BA2, 0x1BA5},  {0x1BA8, 0x1BA9}, {0x1BAB, 0x1BAD},
    {0x1BE6, 0x1BE6}, {0x1BE8, 0x1BE9}, {0x1BED, 0x1BED},  {0x1BEF, 0x1BF1}, {0x1C2C, 0x1C33},
    {0x1C36, 0x1C37}, {0x1CD0, 0x1CD2}, {0x1CD4, 0x1CE0},  {0x1CE2, 0x1CE8}, {0x1CED, 0x1CED},
    {0x1CF4, 0x1CF4}, {0x1CF8, 0x1CF9}, {0x1DC0, 0x1DFF},  {0x200B, 0x200F}, {0x202A, 0x202E},
    {0x2060, 0x206F}, {0x20D0, 0x20F0}, {0x2CEF, 0x2CF1},  {0x2D7F, 0x2D7F}, {0x2DE0, 0x2DFF},
    {0x302A, 0x302D}, {0x3099, 0x309A}, {0xA66F, 0xA672},  {0xA674, 0xA67D}, {0xA69E, 0xA69F},
    {0xA6F0, 0xA6F1}, {0xA802, 0xA802}, {0xA806, 0xA806},  {0xA80B, 0xA80B}, {0xA825, 0xA826},
    {0xA82C, 0xA82C}, {0xA8C4, 0xA8C5}, {0xA8E0, 0xA8F1},  {0xA8FF, 0xA8FF}, {0xA926, 0xA92D},
    {0xA947, 0xA951}, {0xA980, 0xA982}, {0xA9B3, 0xA9B3},  {0xA9B6, 0xA9B9}, {0xA9BC, 0xA9BD},
    {0xA9E5, 0xA9E5}, {0xAA29, 0xAA2E}, {0xAA31, 0xAA32},  {0xAA35, 0xAA36}, {0xAA43, 0xAA43},
    {0xAA4C, 0xAA4C}, {0xAA7C, 0xAA7C}, {0xAAB0, 0xAAB0},  {0xAAB2, 0xAAB4}, {0xAAB7, 0xAAB8},
    {0xAABE, 0xAABF}, {0xAAC1, 0xAAC1}, {0xAAEC, 0xAAED},  {0xAAF6, 0xAAF6}, {0xABE5, 0xABE5},
    {0xABE8, 0xABE8}, {0xABED, 0xABED}, {0xFB1E, 0xFB1E},  {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
    {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0001, 0xE01EF}};

static bool within(const struct range *table, size_t count, uint32_t c)
{
    size_t low = 0;

    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (c > table[middle].last)
            low = middle + 1;
        else if (c < table[middle].first)
            count = middle;
        else
            return true;
    }
    return false;
}

int text_code_point_width(uint32_t c)
{
    if (c < 0x20 || (c >= 0x7f && c < 0xa0))
        return 0;
    if (c < 0x300)
        return 1;
    if (within(zero, sizeof(zero) / sizeof(zero[0]), c))
        return 0;
    return within(wide, sizeof(wide) / sizeof(wide[0]), c) ? 2 : 1;
}

size_t text_width(const char *s)
{
    size_t length = strlen(s), width = 0;

    for (size_t i = 0, n; i < length; i += n) {
        uint32_t c = '?';
        n = text_decode(s + i, length - i, &c);
        width += (size_t)text_code_point_width(c);
        if (n == 0)
            n = 1;
    }
    return width;
}

enum { LONGEST_WORD = 64 };

/* The code points of s in lower case (ASCII); their number, or SIZE_MAX when above LONGEST_WORD. */
static size_t folded(const char *s, uint32_t out[LONGEST_WORD])
{
    size_t length = strlen(s), count = 0;

    for (size_t i = 0, n; i < length; i += n) {
        uint32_t c = 0xfffd;
        if (count == LONGEST_WORD)
            return SIZE_MAX;
        n = text_decode(s + i, length - i, &c);
        if (n == 0)
            n = 1;
        out[count++] = c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    }
    return count;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance (Damerau 1964 with each part edited once), three rows. */
static size_t distance(const uint32_t *a, size_t na, const uint32_t *b, size_t nb)
{
    size_t rows[3][LONGEST_WORD + 1];

    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = rows[i % 3];
        const size_t *before = rows[(i + 2) % 3], *two_before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            now[j] =
                least(least(before[j], now[j - 1]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], two_before[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

const char *text_suggest(const char *word, const char *const *candidates, size_t count)
{
    uint32_t w[LONGEST_WORD], c[LONGEST_WORD];
    size_t length = folded(word, w), best_distance;
    const char *best = NULL;

    if (length == SIZE_MAX || length == 0)
        return NULL;
    best_distance = length / 3 < 1 ? 1 : length / 3 > 3 ? 3 : length / 3;
    if (best_distance >= length)
        best_distance = length - 1; /* nothing of the word would be left */
    best_distance++;
    for (size_t i = 0; i < count; i++) {
        size_t n = folded(candidates[i], c), d;
        if (n == SIZE_MAX || n + best_distance <= length || length + best_distance <= n)
            continue;
        d = distance(w, length, c, n);
        if (d < best_distance) {
            best_distance = d;
            best = candidates[i];
        }
    }
    return best;
}
