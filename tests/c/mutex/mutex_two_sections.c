//@ property: assertion verdict: unsafe line: 30
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// No race, and still wrong: the value is read in one critical section and written in another.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *arg) {
    int old;
    pthread_mutex_lock(&m);
    old = counter;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    counter = old + 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_mutex_lock(&m);
    int now = counter;
    pthread_mutex_unlock(&m);
    assert(now == 2);
    return 0;
}
