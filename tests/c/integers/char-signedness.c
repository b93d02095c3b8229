//@ property: all verdict: safe
//@ run: gcc
// Plain char is signed on x86; the three character types stay distinct.
#include <stdio.h>

int main(void) {
    char c = '\xff';
    unsigned char u = '\xff';
    signed char s = 200;
    printf("%d %d %d\n", c, u, s);
    printf("%d %d\n", c == u, (unsigned char)c == u);
    printf("%d\n", '\377' == -1);
    printf("%d %d\n", c >> 1, u >> 1);
    const char *text = "\x80\xfe\x7f";
    for (int i = 0; i < 4; i++)
        printf("%d ", text[i]);
    puts("");
    const unsigned char *bytes = (const unsigned char *)text;
    for (int i = 0; i < 4; i++)
        printf("%d ", bytes[i]);
    puts("");
    c = 127;
    c++;
    printf("%d\n", c);
    u = 0;
    u--;
    printf("%d\n", u);
    int hash = 5381;
    for (const char *p = "na\xc3\xafve"; *p; p++)
        hash = (hash * 33 + *p) & 0xffffff;
    printf("%d\n", hash);
    printf("%s\n", _Generic((char)0, signed char: "signed", unsigned char: "unsigned", char: "plain"));
    return 0;
}
