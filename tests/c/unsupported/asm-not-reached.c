//@ property: all verdict: safe
//@ run: gcc
// A program that contains unsupported constructs runs as long as none of them is reached.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf env;
static unsigned long ticks(void) {
    unsigned low, high;
    asm volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long)high << 32 | low;
}
static int jumps(int n) {
    static void *targets[] = {&&zero, &&one};
    goto *targets[n];
zero:
    return 10;
one:
    return 20;
}
static int nested(int n) {
    int inner(int x) { return x + n; }
    return inner(1);
}
static double modulus(void) {
    _Complex double z = 3.0 + 4.0i;
    return __real__ z;
}
static int saved(void) {
    if (setjmp(env))
        return 1;
    longjmp(env, 1);
}

int main(int argc, char **argv) {
    if (argc > 5)
        printf("%lu %d %d %g %d\n", ticks(), jumps(1), nested(2), modulus(), saved());
    puts("fine");
    return 0;
}
