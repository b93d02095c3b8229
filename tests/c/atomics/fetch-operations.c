//@ property: all verdict: safe
//@ run: gcc
// atomic_fetch_*: the old value comes back; wrap in the object's own type.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
    atomic_int i = 10;
    printf("%d ", atomic_fetch_add(&i, 5));
    printf("%d ", atomic_fetch_sub(&i, 20));
    printf("%d\n", i);
    atomic_uint bits = 0xf0;
    printf("%x ", atomic_fetch_or(&bits, 0x0f));
    printf("%x ", atomic_fetch_and(&bits, 0x3c));
    printf("%x ", atomic_fetch_xor(&bits, 0xff));
    printf("%x\n", bits);
    _Atomic uint8_t byte = 255;
    printf("%d ", atomic_fetch_add(&byte, 2));
    printf("%d\n", byte);
    _Atomic int8_t s = 127;
    atomic_fetch_add(&s, 1);
    printf("%d\n", s);
    atomic_int wrap = INT32_MAX;
    atomic_fetch_add(&wrap, 1);
    printf("%d\n", wrap);
    int array[5] = {1, 2, 3, 4, 5};
    int *_Atomic p = array;
    int *old = atomic_fetch_add(&p, 3 * sizeof(int));
    printf("%d %td\n", *old, p - array);
    printf("%ld\n", (long)atomic_fetch_add_explicit(&(atomic_long){7}, 1, memory_order_relaxed));
    _Atomic _Bool b = 0;
    printf("%d ", atomic_exchange(&b, 5));
    printf("%d\n", b);
    atomic_store_explicit(&i, 9, memory_order_release);
    printf("%d\n", atomic_load_explicit(&i, memory_order_acquire));
    return 0;
}
