//@ property: all verdict: safe
//@ run: gcc
// Fall-through, default in the middle, nested switches, values of many types.
#include <limits.h>
#include <stdio.h>

static void fall(int n) {
    switch (n) {
    case 3: printf("3");
    case 2: printf("2");
    default: printf("d");
    case 1: printf("1"); break;
    case 0: printf("0");
    }
    printf(" ");
}
static const char *of_char(char c) {
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u': return "vowel";
    case '0' ... '9': return "digit";
    case -1: return "minus one";
    default: return "other";
    }
}
static int of_long(long long v) {
    switch (v) {
    case LLONG_MIN: return 1;
    case -1: return 2;
    case 0x100000000: return 3;
    case 0: return 4;
    default: return 5;
    }
}
static int of_unsigned(unsigned u) {
    switch (u) {
    case -1: return 1;
    case 0x80000000: return 2;
    }
    return 3;
}

int main(void) {
    for (int i = -1; i < 5; i++)
        fall(i);
    puts("");
    printf("%s %s %s %s\n", of_char('e'), of_char('7'), of_char('\xff'), of_char('z'));
    printf("%d %d %d %d %d\n", of_long(LLONG_MIN), of_long(-1), of_long(1ll << 32), of_long(0), of_long(1));
    printf("%d %d %d\n", of_unsigned(UINT_MAX), of_unsigned(1u << 31), of_unsigned(1));
    for (int i = 0; i < 3; i++)
        switch (i) {
        case 1:
            switch (i * 2) {
            case 2: printf("inner "); break;
            case 1: printf("wrong ");
            }
            printf("outer ");
            continue;
        default:
            printf("%d ", i);
        }
    puts("");
    switch (1) {
        int declared;
    case 1:
        declared = 6;
        printf("%d\n", declared);
    }
    switch (7)
        case 7: puts("no braces");
    switch (8) {}
    switch (9)
        if (0)
        case 9: puts("inside if");
    return 0;
}
