//@ property: all verdict: safe
//@ property: data-race verdict: unsafe
//@ model: gmtime
// What gmtime returned is read while another thread calls it.
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
    struct tm *mine = gmtime(&when);
    int second;
    pthread_create(&a, 0, other, 0);
    second = mine->tm_sec;
    pthread_join(a, 0);
    return second;
}
