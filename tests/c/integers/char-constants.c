//@ property: all verdict: safe
//@ run: gcc
// Character constants: escapes, octal and hex, several characters, wide and Unicode prefixes.
#include <stdio.h>
#include <uchar.h>
#include <wchar.h>

int main(void) {
    printf("%d %d %d %d %d %d %d\n", '\a', '\b', '\f', '\n', '\r', '\t', '\v');
    printf("%d %d %d %d %d\n", '\\', '\'', '"', '\"', '\?');
    printf("%d %d %d\n", '\e', '\0', '\101');
    printf("%d %d %d\n", '\x41', '\x7F', '\xff');
    printf("%d %d %d\n", 'ab', 'abcd', '\1\2');
    printf("%zu %zu %zu %zu\n", sizeof 'a', sizeof L'a', sizeof u'a', sizeof U'a');
    printf("%d %d\n", (int)L'\x1234', (int)u'\u00e9');
    printf("%u\n", (unsigned)U'\U0001f600');
    printf("%d\n", (int)L'\u20ac');
    printf("%d\n", "\12345"[1]);
    printf("%d %d\n", "\x4\x41"[0], "\x4\x41"[1]);
    printf("%d\n", 'z' - 'a');
    switch ('\101') {
    case 'A':
        puts("A");
        break;
    case 'B':
        puts("B");
    }
    return 0;
}
