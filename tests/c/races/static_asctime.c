//@ property: all verdict: safe
//@ property: data-race verdict: unsafe
//@ model: asctime
// asctime writes its text into one buffer for all threads.
#include <pthread.h>
#include <time.h>

static const struct tm when = {.tm_mday = 1, .tm_year = 70};

static void *other(void *unused)
{
    (void)unused;
    asctime(&when);
    return 0;
}

int main(void)
{
    pthread_t a;
    char first;
    asctime(&when);
    pthread_create(&a, 0, other, 0);
    first = *asctime(&when);
    pthread_join(a, 0);
    return first == 0;
}

//@ known: order all unknown(limit)
