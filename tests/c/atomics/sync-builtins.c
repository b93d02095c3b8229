//@ property: all verdict: safe
//@ run: gcc
// The older __sync builtins.
#include <stdio.h>

int main(void) {
    int x = 5;
    printf("%d ", __sync_fetch_and_add(&x, 3));
    printf("%d ", __sync_add_and_fetch(&x, 3));
    printf("%d ", __sync_fetch_and_sub(&x, 1));
    printf("%d ", __sync_sub_and_fetch(&x, 1));
    printf("%d\n", x);
    unsigned long u = 0xf0;
    printf("%lx ", __sync_fetch_and_or(&u, 0xf));
    printf("%lx ", __sync_and_and_fetch(&u, 0x3c));
    printf("%lx ", __sync_xor_and_fetch(&u, 0xff));
    printf("%lx ", __sync_nand_and_fetch(&u, 0xc0));
    printf("%lx\n", u);
    printf("%d ", __sync_bool_compare_and_swap(&x, 9, 100));
    printf("%d ", __sync_bool_compare_and_swap(&x, 9, 200));
    printf("%d ", __sync_val_compare_and_swap(&x, 100, 300));
    printf("%d ", __sync_val_compare_and_swap(&x, 100, 400));
    printf("%d\n", x);
    int lock = 0;
    printf("%d ", __sync_lock_test_and_set(&lock, 1));
    printf("%d ", __sync_lock_test_and_set(&lock, 1));
    __sync_lock_release(&lock);
    printf("%d\n", lock);
    __sync_synchronize();
    unsigned char c = 254;
    __sync_fetch_and_add(&c, 3);
    printf("%d\n", c);
    void *p = 0, *q = &x;
    printf("%d ", __sync_bool_compare_and_swap(&p, 0, q));
    printf("%d\n", p == &x);
    return 0;
}
