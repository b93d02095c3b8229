//@ unsupported: 18 control depends on addresses
// The id of a detached thread that has ended may be given to another one.
#include <assert.h>
#include <pthread.h>

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, nothing, 0);
    pthread_detach(first);
    pthread_create(&second, 0, nothing, 0);
    int same = pthread_equal(first, second);
    assert(!same);
    pthread_join(second, 0);
    return 0;
}
