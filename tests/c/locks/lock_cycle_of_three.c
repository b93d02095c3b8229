//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Three philosophers.
#include <pthread.h>

static pthread_mutex_t fork[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                  PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *arg) {
    int seat = (int)(long)arg;
    pthread_mutex_lock(&fork[seat]);
    pthread_mutex_lock(&fork[(seat + 1) % 3]);
    pthread_mutex_unlock(&fork[(seat + 1) % 3]);
    pthread_mutex_unlock(&fork[seat]);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, dine, (void *)i);
    dine((void *)2);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    return 0;
}
