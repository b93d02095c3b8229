//@ property: all verdict: safe
//@ run: gcc
// Packed records let bit-fields cross any boundary.
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) header {
    unsigned version : 3;
    unsigned length : 13;
    unsigned long long stamp : 43;
    unsigned flags : 5;
    unsigned short port;
};

int main(void) {
    struct header h;
    memset(&h, 0, sizeof h);
    h.version = 5;
    h.length = 0x1234;
    h.stamp = 0x7123456789aull;
    h.flags = 0x15;
    h.port = 8080;
    printf("%zu\n", sizeof h);
    printf("%u %x %llx %x %d\n", h.version, h.length, (unsigned long long)h.stamp, h.flags, h.port);
    unsigned char bytes[sizeof h];
    memcpy(bytes, &h, sizeof h);
    for (unsigned i = 0; i < sizeof h; i++)
        printf("%02x", bytes[i]);
    puts("");
    h.stamp = 0;
    printf("%u %x %llx %x %d\n", h.version, h.length, (unsigned long long)h.stamp, h.flags, h.port);
    h.length--;
    h.flags ^= 0x1f;
    printf("%u %x %llx %x\n", h.version, h.length, (unsigned long long)h.stamp, h.flags);
    struct header copies[3] = {h, h};
    copies[1].stamp = 1;
    copies[2] = copies[1];
    printf("%llu %llu %x\n", (unsigned long long)copies[0].stamp, (unsigned long long)copies[2].stamp, copies[2].length);
    return 0;
}
