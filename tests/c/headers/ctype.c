//@ property: all verdict: safe
//@ run: gcc
// ctype.h: every class counted over all bytes, and case conversion.
#include <ctype.h>
#include <stdio.h>

int main(void) {
    int counts[12] = {0};
    for (int c = -1; c < 256; c++) {
        counts[0] += isalpha(c) != 0;
        counts[1] += isdigit(c) != 0;
        counts[2] += isalnum(c) != 0;
        counts[3] += isspace(c) != 0;
        counts[4] += isupper(c) != 0;
        counts[5] += islower(c) != 0;
        counts[6] += ispunct(c) != 0;
        counts[7] += isprint(c) != 0;
        counts[8] += isgraph(c) != 0;
        counts[9] += iscntrl(c) != 0;
        counts[10] += isxdigit(c) != 0;
        counts[11] += isblank(c) != 0;
    }
    for (int i = 0; i < 12; i++)
        printf("%d ", counts[i]);
    puts("");
    for (const char *p = "Mixed Case 42!"; *p; p++)
        putchar(isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p));
    puts("");
    printf("%d %d %d\n", toupper('1'), tolower(200), toupper(-1));
    return 0;
}
