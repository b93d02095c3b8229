//@ property: all verdict: safe
//@ run: gcc
// __atomic builtins, both the _n and the generic forms.
#include <stdio.h>

struct pair { int a, b; };

int main(void) {
    int x = 1;
    printf("%d\n", __atomic_load_n(&x, __ATOMIC_SEQ_CST));
    __atomic_store_n(&x, 10, __ATOMIC_RELEASE);
    printf("%d ", __atomic_exchange_n(&x, 20, __ATOMIC_ACQ_REL));
    printf("%d ", __atomic_fetch_add(&x, 5, __ATOMIC_RELAXED));
    printf("%d ", __atomic_add_fetch(&x, 5, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_sub_fetch(&x, 100, __ATOMIC_SEQ_CST));
    printf("%d\n", x);
    unsigned u = 0xff;
    printf("%x ", __atomic_fetch_and(&u, 0x3c, __ATOMIC_SEQ_CST));
    printf("%x ", __atomic_or_fetch(&u, 0x81, __ATOMIC_SEQ_CST));
    printf("%x ", __atomic_xor_fetch(&u, 0xff, __ATOMIC_SEQ_CST));
    printf("%x ", __atomic_fetch_nand(&u, 0x0f, __ATOMIC_SEQ_CST));
    printf("%x\n", u);
    int expected = 3;
    printf("%d ", __atomic_compare_exchange_n(&x, &expected, 50, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    printf("%d ", expected);
    printf("%d ", __atomic_compare_exchange_n(&x, &expected, 50, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    printf("%d\n", x);
    struct pair p = {1, 2}, q = {3, 4}, r;
    __atomic_load(&p, &r, __ATOMIC_SEQ_CST);
    __atomic_store(&p, &q, __ATOMIC_SEQ_CST);
    printf("%d %d %d %d\n", r.a, r.b, p.a, p.b);
    __atomic_exchange(&p, &r, &q, __ATOMIC_SEQ_CST);
    printf("%d %d %d\n", p.a, q.a, q.b);
    long l = 7, want = 7, desired = 8;
    printf("%d %ld\n", __atomic_compare_exchange(&l, &want, &desired, 0, 5, 5), 0l);
    printf("%ld\n", l);
    char flag = 0;
    printf("%d ", __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    printf("%d\n", flag);
    int a[3] = {1, 2, 3}, *ptr = a;
    __atomic_fetch_add(&ptr, 2 * sizeof *a, __ATOMIC_SEQ_CST);
    printf("%d\n", *ptr);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    printf("%d %d\n", __atomic_always_lock_free(4, 0), __atomic_is_lock_free(8, 0));
    unsigned short h = 65535;
    printf("%d ", __atomic_add_fetch(&h, 1, __ATOMIC_SEQ_CST));
    printf("%d\n", h);
    return 0;
}
