//@ property: deadlock verdict: unsafe
//@ property: lock-misuse verdict: unsafe
//@ property: assertion,data-race,memory verdict: safe
// Nobody has woken the thread that may wait there. Unchecked, glibc's destruction waits for those who wait: here for ever, if the thread was faster. If main is, the
// program ends.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *wait(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, wait, 0);
    pthread_cond_destroy(&c);
    return 0;
}
