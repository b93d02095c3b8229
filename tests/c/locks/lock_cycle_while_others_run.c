//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Two threads are stuck for ever although a third, which writes in every round, never is.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done, ticks;

static void *ab(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    done++;
    return 0;
}

static void *ba(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    done++;
    return 0;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], 0, ab, 0);
    pthread_create(&t[1], 0, ba, 0);
    while (done < 2)
        ticks = 1 - ticks;
    return 0;
}

//@ known: order memory,assertion,data-race,lock-misuse unknown(loop-bound)
