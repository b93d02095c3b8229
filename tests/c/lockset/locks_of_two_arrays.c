//@ property: data-race verdict: unsafe
// An element of one array is written under the lock of another array with the same index.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static struct entry {
    pthread_mutex_t m;
    int v;
} left[2], right[2];

static void *cross(void *unused)
{
    int i = __VERIFIER_nondet_int() & 1;
    pthread_mutex_lock(&left[i].m);
    right[i].v = 1;
    pthread_mutex_unlock(&left[i].m);
    return unused;
}

static void *straight(void *unused)
{
    int i = __VERIFIER_nondet_int() & 1;
    pthread_mutex_lock(&right[i].m);
    right[i].v = 2;
    pthread_mutex_unlock(&right[i].m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, cross, 0);
    pthread_create(&t, 0, straight, 0);
    return 0;
}
