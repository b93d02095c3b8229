//@ property: all verdict: safe
//@ model: gmtime_r localtime_r asctime_r
// The functions with a buffer of the caller's share nothing.
#include <pthread.h>
#include <time.h>

static time_t when;

static void *other(void *unused)
{
    struct tm mine;
    (void)unused;
    gmtime_r(&when, &mine);
    return 0;
}

int main(void)
{
    pthread_t a;
    struct tm mine;
    pthread_create(&a, 0, other, 0);
    localtime_r(&when, &mine);
    pthread_join(a, 0);
    return mine.tm_sec;
}
