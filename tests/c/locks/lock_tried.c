//@ property: assertion verdict: unsafe line: 19
//@ property: data-race,deadlock,lock-misuse verdict: safe
// Whether a lock is free when it is tried depends on who has it then.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, failed;

static void *work(void *arg) {
    if (pthread_mutex_trylock(&m))
        return 0;
    count++;
    pthread_mutex_unlock(&m);
    return 0;
}

static void check(void) {
    assert(count == 2);
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 1 || count == 2);
    check();
    return 0;
}
