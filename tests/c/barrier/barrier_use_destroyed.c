//@ property: lock-misuse verdict: unsafe line: 14
//@ property: assertion,data-race,deadlock,memory verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_barrier_t b;

int main(void)
{
    pthread_barrier_init(&b, 0, 1);
    assert(pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD);
    assert(pthread_barrier_destroy(&b) == 0);
    assert(pthread_barrier_wait(&b) == EINVAL);
    return 0;
}
