//@ property: all verdict: safe
//@ run: gcc
// Enumerators count on from the last; the enumeration's own type depends on the values.
#include <stdio.h>

enum plain { A, B, C = 10, D, E = C + 5, F = B };
enum negative { MINUS = -5, NEXT, LATER };
enum large { BIG = 0x100000000, BIGGER };
enum unsigned_max { UMAX = 0xffffffffu };
typedef enum { RED = 1 << 0, GREEN = 1 << 1, BLUE = 1 << 2 } colour;
enum { ANON_SIZE = sizeof(int[7]) };
enum packed_one { SMALL, SMALLER } __attribute__((packed));

static const char *name(enum plain p) {
    switch (p) {
    case A: return "A";
    case B: return "B/F";
    case C: return "C";
    case D: return "D";
    default: return "other";
    }
}

int main(void) {
    printf("%d %d %d %d %d %d\n", A, B, C, D, E, F);
    printf("%d %d %d\n", MINUS, NEXT, LATER);
    printf("%zu %zu %zu %zu\n", sizeof(enum plain), sizeof(enum negative), sizeof(enum large), sizeof(BIGGER));
    printf("%ld %zu\n", (long)BIGGER, sizeof(enum packed_one));
    enum plain p = -1;
    enum negative n = -1;
    printf("%d %d\n", p > 0, n > 0);
    printf("%d\n", UMAX > 0);
    colour mix = RED | BLUE;
    printf("%d %d\n", mix, mix & GREEN);
    printf("%d\n", ANON_SIZE);
    for (enum plain i = A; i <= D; i++)
        if (i <= B || i >= C)
            printf("%s ", name(i));
    puts("");
    enum { A = 77 };
    printf("%d\n", A);
    return 0;
}
