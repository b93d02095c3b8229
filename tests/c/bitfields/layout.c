//@ property: all verdict: safe
//@ run: gcc
// Where gcc puts bit-fields: the bytes after setting one field at a time to all ones.
#include <stdio.h>
#include <string.h>

struct crossing { unsigned a : 20, b : 20; unsigned char c : 3; };
struct zero { char a : 3; int : 0; char b : 3; };
struct unnamed { int a : 5; int : 7; int b : 9; };
struct mixed { char a; int b : 4; short c : 12; char d; long long e : 50; };
struct tail { short s; unsigned char bits : 2; };
struct only_zero { char c; int : 0; };

#define SHOW(type, field) do { \
    struct type x; \
    memset(&x, 0, sizeof x); \
    x.field = -1; \
    unsigned char bytes[sizeof x]; \
    memcpy(bytes, &x, sizeof x); \
    printf("%s.%s:", #type, #field); \
    for (unsigned i = 0; i < sizeof x; i++) \
        printf("%02x", bytes[i]); \
    puts(""); \
} while (0)

int main(void) {
    SHOW(crossing, a);
    SHOW(crossing, b);
    SHOW(crossing, c);
    SHOW(zero, a);
    SHOW(zero, b);
    SHOW(unnamed, a);
    SHOW(unnamed, b);
    SHOW(mixed, a);
    SHOW(mixed, b);
    SHOW(mixed, c);
    SHOW(mixed, d);
    SHOW(mixed, e);
    SHOW(tail, bits);
    printf("%zu %zu %zu %zu\n", sizeof(struct crossing), sizeof(struct zero), sizeof(struct mixed), sizeof(struct only_zero));
    printf("%zu %zu\n", _Alignof(struct tail), _Alignof(struct mixed));
    return 0;
}
