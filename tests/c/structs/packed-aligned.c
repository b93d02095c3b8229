//@ property: all verdict: safe
//@ run: gcc
// packed and aligned, on records, members and both together.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct __attribute__((packed)) wire { char type; int length; short port; double value; };
struct partly { char c; int i __attribute__((packed)); long l; };
struct over { char c; int i __attribute__((aligned(16))); };
struct __attribute__((aligned(32))) line { char c; };
struct __attribute__((packed, aligned(4))) both { char c; short s; char d; };
struct outer { char c; struct wire w; struct line l; };
typedef int aligned_int __attribute__((aligned(64)));

int main(void) {
    printf("%zu %zu %zu %zu\n", sizeof(struct wire), _Alignof(struct wire), offsetof(struct wire, length), offsetof(struct wire, value));
    printf("%zu %zu\n", sizeof(struct partly), offsetof(struct partly, i));
    printf("%zu %zu\n", sizeof(struct over), offsetof(struct over, i));
    printf("%zu %zu\n", sizeof(struct line), sizeof(struct line[3]));
    printf("%zu %zu %zu\n", sizeof(struct both), _Alignof(struct both), offsetof(struct both, s));
    printf("%zu %zu %zu\n", sizeof(struct outer), offsetof(struct outer, w), offsetof(struct outer, l));
    printf("%zu\n", _Alignof(aligned_int));
    struct wire w = {1, 0x01020304, 80, -2.5};
    w.length++;
    w.value *= 2;
    printf("%d %#x %d %g\n", w.type, w.length, w.port, w.value);
    unsigned char bytes[sizeof w];
    memcpy(bytes, &w, sizeof w);
    printf("%02x%02x%02x\n", bytes[0], bytes[1], bytes[4]);
    struct wire array[2] = {w, {2, 2, 2, 2}};
    printf("%g %td\n", array[1].value, (char *)&array[1] - (char *)&array[0]);
    static struct line lines[2];
    aligned_int x = 5;
    printf("%d %d %d\n", (int)((size_t)&lines[1] % 32), (int)((size_t)&x % 64), x);
    return 0;
}
