//@ property: all verdict: safe
//@ run: gcc
// Any object may be read and written as bytes; little-endian order.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct mixed { char tag; int number; short tail; };

static void dump(const void *object, size_t size) {
    const unsigned char *p = object;
    for (size_t i = 0; i < size; i++)
        printf("%02x", p[i]);
    puts("");
}

int main(void) {
    int i = 0x01020304;
    dump(&i, sizeof i);
    long long ll = -2;
    dump(&ll, sizeof ll);
    unsigned short h = 0xabcd;
    dump(&h, sizeof h);
    struct mixed m;
    memset(&m, 0xee, sizeof m);
    m.tag = 'A';
    m.number = 5;
    m.tail = -1;
    dump(&m.number, sizeof m.number + sizeof m.tail);
    ((unsigned char *)&i)[3] = 0x7f;
    printf("%#x\n", i);
    uint8_t raw[8] = {1, 0, 0, 0, 2, 0, 0, 0};
    uint64_t joined;
    memcpy(&joined, raw, 8);
    printf("%lu\n", joined);
    char *c = (char *)&ll;
    c[0] = 0x10;
    printf("%lld\n", ll);
    int *pointers[2] = {&i, 0};
    int *copy;
    unsigned char *from = (unsigned char *)&pointers[0], *to = (unsigned char *)&copy;
    for (size_t k = 0; k < sizeof copy; k++)
        to[k] = from[k];
    printf("%d %#x\n", copy == &i, *copy);
    return 0;
}

//@ known: order all unknown(addresses)
//@ known: explicit all unknown(addresses)
//@ known: portfolio all unknown(addresses)
