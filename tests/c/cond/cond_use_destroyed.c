//@ property: lock-misuse verdict: unsafe line: 12
//@ property: assertion,data-race,deadlock,memory verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

int main(void)
{
    pthread_cond_destroy(&c);
    assert(pthread_cond_signal(&c) == EINVAL);
    return 0;
}
