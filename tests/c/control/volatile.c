//@ property: all verdict: safe
//@ run: gcc
// volatile, register and const change nothing in a sequential run.
#include <stdio.h>

static volatile int flag;
static volatile struct { int a; volatile char b[4]; } device;
struct reg { volatile unsigned status; const int id; };

static int wait(volatile int *p) {
    int n = 0;
    while (*p < 5) {
        ++*p;
        n++;
    }
    return n;
}

int main(void) {
    printf("%d ", wait(&flag));
    printf("%d\n", flag);
    device.a = 3;
    device.b[device.a] = 'x';
    printf("%d %c\n", device.a, device.b[3]);
    struct reg r = {.status = 0x80, .id = 7};
    r.status |= 1;
    r.status >>= 1;
    printf("%#x %d\n", r.status, r.id);
    register int fast = 10;
    for (register unsigned i = 0; i < 3; i++)
        fast *= 2;
    printf("%d\n", fast);
    int x = 1;
    volatile int *volatile p = &x;
    *p = *p + *p;
    (void)*p;
    *p;
    printf("%d\n", x);
    const volatile int cv = 9;
    printf("%d\n", cv);
    return 0;
}
