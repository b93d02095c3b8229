//@ property: all verdict: safe
//@ run: gcc
// Hints and fences of the processor do nothing under sequential consistency; operands pass through.
#include <immintrin.h>
#include <stdio.h>

struct pair { int a, b; };

static inline void cpu_relax(void) { asm volatile("rep; nop" ::: "memory"); }
static inline void full_fence(void) { asm volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc"); }
static int *hide(int *p) {
    int *q;
    asm("" : "=r"(q) : "0"(p));
    return q;
}

int main(void) {
    int x = 1, y = 2, list[3] = {10, 20, 30}, *p = list;
    long l = 5;
    struct pair s = {3, 4};
    __asm__ __volatile__("pause");
    asm volatile("pause\n\t" "nop" : : : "memory");
    asm volatile("mfence; lfence; sfence" ::: "memory");
    _mm_pause();
    _mm_mfence();
    __builtin_ia32_pause();
    cpu_relax();
    full_fence();
    /* The identity on a variable, a member, an element; the lvalue is evaluated once. */
    asm("" : "+r"(x));
    asm("" : "+r"(s.b), "+r"(l));
    asm volatile("" : "+r"(*p++));
    asm volatile("" : "+m"(*p++) : "r"(x), "m"(s), "i"(3));
    /* Inputs are read before outputs are written. */
    asm("" : "=r"(x), "=r"(y) : "0"(y), "1"(x));
    asm("" : [out] "=&r"(l) : "[out]"(l + 1));
    *hide(&list[2]) += 1;
    printf("%d %d %ld %d %d %d %d\n", x, y, l, s.a, s.b, (int)(p - list), list[2]);
    return 0;
}
