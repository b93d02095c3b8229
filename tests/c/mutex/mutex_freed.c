//@ property: use-after-free verdict: unsafe line: 9
// The block that holds the mutex is freed under the thread that uses it.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
    pthread_mutex_t *m = arg;
    if (m)
        pthread_mutex_lock(m);
    return 0;
}

int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_t t;
    pthread_mutex_init(m, 0);
    pthread_create(&t, 0, work, m);
    free(m);
    pthread_join(t, 0);
    return 0;
}
