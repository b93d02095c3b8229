//@ property: all verdict: safe
//@ run: gcc
// Names that are types in one scope and something else in another.
#include <stdio.h>

typedef int T;
typedef char U, *P, (*F)(T);
struct s { unsigned T : 3; T : 2; T U; P p; };

static char id(T x) { return x; }
static T function(T T) { return T * 2; }
static int unnamed(T, U);
static int unnamed(T a, U b) { return a + b; }
static int takes_function(T(T)) { return 7; }

int main(void) {
    struct s s = {5, 9, "p"};
    printf("%d %d %s\n", s.T, s.U, s.p);
    T a = (T)+5, b = (T)-5, c = (T)(6), d = (T)*&a;
    printf("%d %d %d %d\n", a, b, c, d);
    printf("%zu %zu %zu\n", sizeof(T) * 2, sizeof(U), sizeof(T *));
    F f = id;
    printf("%d %d\n", f(65), function(4));
    {
        int T = 3, U = 4;
        printf("%d %d %zu\n", (T) + 5, (T)*U, sizeof(T));
        int P = T * U;
        printf("%d\n", P);
        if (T < U)
            T++;
    T:
        if (T++ < 6)
            goto T;
        printf("%d\n", T);
    }
    T *pointer = &a;
    printf("%d %d\n", *pointer, unnamed(1, 2));
    unsigned(U) = 200;
    printf("%d\n", U);
    {
        typedef long T;
        {
            T T = sizeof T;
            printf("%ld\n", T);
        }
    }
    for (T T = 0; T < 2; T++)
        printf("%d ", T);
    T(x), (y) = 2, *(z) = &y;
    x = *z;
    printf("%d %d\n", x, takes_function(function));
    struct T { T T; } T = {.T = 11};
    printf("%d\n", T.T);
    return 0;
}
