//@ property: lock-misuse verdict: unsafe
// The lock that is released has the index of the one that is held, but is in another array.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t left[2], right[2];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 1)
        return 0;
    pthread_mutex_lock(&left[i]);
    pthread_mutex_unlock(&right[i]);
    return 0;
}
