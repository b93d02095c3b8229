//@ property: lock-misuse verdict: unsafe line: 11
//@ property: assertion,data-race,deadlock,memory verdict: safe
// A mutex that nobody holds cannot be unlocked.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
