// A function in which threads begin is also called, and starts a thread in itself.
#include <pthread.h>
#include <assert.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t(void *a) {
    pthread_t q;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    if (a) {
        pthread_create(&q, 0, t, 0);
        pthread_join(q, 0);
        t(0);
    }
    return a;
}

int main(void) {
    pthread_t p;
    void *r;
    t(0);
    pthread_create(&p, 0, t, &x);
    t(0);
    pthread_join(p, &r);
    assert(r == &x);
    assert(x == 5);
    assert(x != 5);
    return 0;
}
