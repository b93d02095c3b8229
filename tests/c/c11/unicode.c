//@ property: all verdict: safe
//@ run: gcc
// u8, u, U and L strings; universal character names; concatenation of prefixes.
#include <stdio.h>
#include <uchar.h>
#include <wchar.h>

static const char utf8[] = u8"\u00e9\u20ac\U0001f600";
static const char16_t utf16[] = u"a\u20ac\U0001f600";
static const char32_t utf32[] = U"a\U0001f600";
static const wchar_t wide[] = L"w" L"ide \x263a";

int main(void) {
    for (unsigned i = 0; i < sizeof utf8; i++)
        printf("%02x ", (unsigned char)utf8[i]);
    puts("");
    for (unsigned i = 0; i < sizeof utf16 / sizeof *utf16; i++)
        printf("%04x ", utf16[i]);
    puts("");
    for (unsigned i = 0; i < sizeof utf32 / sizeof *utf32; i++)
        printf("%x ", utf32[i]);
    puts("");
    printf("%zu %x\n", sizeof wide / sizeof *wide, (unsigned)wide[5]);
    printf("%zu %zu\n", sizeof L"abc", sizeof "a" L"bc");
    printf("%s\n", "\u00fcber");
    const char *raw = "naïve";
    int n = 0;
    while (raw[n])
        n++;
    printf("%d %s\n", n, raw);
    int na\u00efve = 4;
    printf("%d\n", naïve + 1);
    return 0;
}
