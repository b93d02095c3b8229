//@ property: all verdict: safe
//@ run: gcc
// The type of ?: is the common type of both arms, also of the one not taken.
#include <stdio.h>

int main(int argc, char **argv) {
    int yes = argc;
    printf("%zu %zu %zu\n", sizeof(yes ? 1 : 2L), sizeof(yes ? 'a' : (char)1), sizeof(yes ? 1.0f : 1));
    printf("%d\n", (yes ? -1 : 0u) > 0);
    printf("%d\n", (yes ? -1 : 0l) > 0);
    printf("%g\n", (yes ? 3 : 0.5) / 2);
    printf("%d\n", (yes ? (char)200 : 0));
    printf("%d\n", (yes ? (unsigned char)200 : 0));
    const char *text = yes ? "text" : 0;
    void *any = yes ? (void *)text : NULL;
    printf("%s %d\n", text, any == text);
    int a = 1, b = 2;
    *(yes ? &a : &b) = 10;
    printf("%d %d\n", a, b);
    int x = yes > 5 ? 1 : yes > 0 ? 2 : 3;
    printf("%d\n", x);
    yes ? (void)a++ : (void)b++;
    printf("%d %d\n", a, b);
    struct pair { int l, r; } p = {1, 2}, q = {3, 4};
    struct pair chosen = yes ? q : p;
    printf("%d %d %d\n", chosen.l, chosen.r, (yes ? p : q).r);
    printf("%s\n", _Generic(yes ? (int *)0 : (const int *)0, const int *: "const int *", default: "other"));
    printf("%s\n", _Generic(yes ? (int *)0 : (void *)argv, void *: "void *", default: "other"));
    printf("%s\n", _Generic(yes ? (int *)0 : (void *)0, int *: "int *", default: "other"));
    return 0;
}
