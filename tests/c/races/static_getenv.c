//@ property: all verdict: safe
//@ property: memory-cleanup verdict: unsafe
//@ model: getenv setenv
// The environment is set up before there are threads; then it is only looked at.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *other(void *unused)
{
    (void)unused;
    assert(*getenv("A") == '1');
    return 0;
}

int main(void)
{
    pthread_t a;
    setenv("A", "1", 1);
    pthread_create(&a, 0, other, 0);
    assert(*getenv("A") == '1');
    pthread_join(a, 0);
    return 0;
}

//@ known: order memory-leak unknown(may-be-lost)
