//@ property: data-race verdict: unsafe
//@ property: deadlock,lock-misuse,memory verdict: safe
// Two mutexes protect nothing from each other.
#include <pthread.h>

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int counter;

static void *add(void *arg) {
    pthread_mutex_t *own = arg;
    pthread_mutex_lock(own);
    counter++;
    pthread_mutex_unlock(own);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, &m[0]);
    add(&m[1]);
    pthread_join(t, 0);
    return 0;
}
