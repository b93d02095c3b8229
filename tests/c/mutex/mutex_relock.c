//@ property: lock-misuse verdict: unsafe line: 11
//@ property: deadlock verdict: unsafe
//@ property: assertion,data-race,memory verdict: safe
// A normal mutex cannot be taken twice.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return 0;
}
