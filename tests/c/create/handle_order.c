//@ property: assertion verdict: unsafe line: 17
// Ids have no order.
#include <assert.h>
#include <pthread.h>

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, nothing, 0);
    pthread_create(&b, 0, nothing, 0);
    assert(a != b);
    assert(a > b);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
