// Memory with a lock in it ends while the lock is held.
#include <pthread.h>

static void hold(void) {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
}

int main(void) {
    pthread_mutex_t m;
    pthread_mutex_init(&m, 0);
    pthread_mutex_lock(&m);
    hold();
    return 0;
}
