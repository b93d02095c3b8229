//@ property: all verdict: safe
//@ run: gcc
// Narrow operands in every operator: computed in int, converted back only on assignment.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint8_t a = 200, b = 100;
    int8_t c = -100, d = 100;
    uint16_t h = 60000;
    printf("%d %d %d %d\n", a + b, a - b - 150, c - d, c * d);
    printf("%d %d\n", (uint8_t)(a + b), (int8_t)(c - d));
    printf("%d %d %d\n", a + b > 255, (uint8_t)(a + b) > 255, c < a);
    printf("%d %d\n", ~a >> 4, (uint8_t)~a >> 4);
    printf("%d %d\n", -a < 0, (uint8_t)-a < 0);
    printf("%d\n", (a << 1) >> 1 == a);
    printf("%d\n", (uint8_t)(a << 1) >> 1 == a);
    printf("%d %d\n", h + h, (uint16_t)(h + h));
    a += b;
    printf("%d\n", a);
    a = 255;
    printf("%d ", a++ == 255);
    printf("%d\n", a == 0);
    c = 127;
    printf("%d\n", ++c == -128);
    printf("%d\n", (a = 300) == 44);
    uint8_t x = 5;
    x = x - 10;
    printf("%d %d\n", x, (uint8_t)(x / 2));
    _Bool t = 1;
    printf("%d %d %d\n", t + t, -t, ~t);
    char big = 'z' + 10;
    printf("%d\n", big);
    printf("%d\n", a ? c : h);
    unsigned short us = 1;
    printf("%d %u\n", us - 2 < 0, (unsigned)(us - 2));
    printf("%d\n", sizeof(us - 2) == sizeof(int));
    return 0;
}
