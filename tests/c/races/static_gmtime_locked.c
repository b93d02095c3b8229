//@ property: all verdict: safe
//@ model: gmtime
// With a mutex around the call and the use of its result there is no race.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static time_t when;

static int second(void)
{
    int result;
    pthread_mutex_lock(&lock);
    result = gmtime(&when)->tm_sec;
    pthread_mutex_unlock(&lock);
    return result;
}

static void *other(void *unused)
{
    (void)unused;
    second();
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, other, 0);
    second();
    pthread_join(a, 0);
    return 0;
}
