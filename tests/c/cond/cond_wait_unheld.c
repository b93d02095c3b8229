//@ property: lock-misuse verdict: unsafe line: 9
//@ property: assertion,data-race,memory verdict: safe
// The mutex must be held by who begins to wait.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) {
    pthread_cond_wait(&c, &m);
    return 0;
}
