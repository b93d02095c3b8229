//@ property: assertion verdict: unsafe line: 17
// A routine that returns nothing leaves any value to its joiner.
#include <assert.h>
#include <pthread.h>

static void nothing(void *arg)
{
    (void)arg;
}

int main(void)
{
    pthread_t thread;
    void *value;
    pthread_create(&thread, 0, (void *(*)(void *))nothing, 0);
    pthread_join(thread, &value);
    assert(value == 0);
    return 0;
}
