//@ property: all verdict: safe
//@ property: data-race verdict: unsafe
//@ model: gmtime localtime
// gmtime and localtime share one object: two calls at the same time race, whatever the result is used for.
#include <pthread.h>
#include <time.h>

static time_t when;

static void *other(void *unused)
{
    (void)unused;
    gmtime(&when);
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, other, 0);
    localtime(&when);
    pthread_join(a, 0);
    return 0;
}
