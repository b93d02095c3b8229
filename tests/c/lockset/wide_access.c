//@ property: data-race verdict: unsafe
// Two elements are written at once under the lock of the first one.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static struct {
    int items[4];
    pthread_spinlock_t locks[4];
} s;

static void *two(void *unused)
{
    int i = __VERIFIER_nondet_int() & 2;
    pthread_spin_lock(&s.locks[i]);
    *(long *)&s.items[i] = __VERIFIER_nondet_int();
    pthread_spin_unlock(&s.locks[i]);
    return unused;
}

static void *one(void *unused)
{
    int i = __VERIFIER_nondet_int() & 3;
    pthread_spin_lock(&s.locks[i]);
    s.items[i] = __VERIFIER_nondet_int();
    pthread_spin_unlock(&s.locks[i]);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    for (int i = 0; i < 4; i++)
        pthread_spin_init(&s.locks[i], 0);
    pthread_create(&a, 0, two, 0);
    pthread_create(&b, 0, one, 0);
    return 0;
}
