//@ unsupported: 25 control depends on addresses
// The id of a thread that was detached from the start and has ended may be given to another one.
#include <pthread.h>

static int ran;

static void *nothing(void *arg)
{
    return arg;
}

static void *runs(void *arg)
{
    ran = 1;
    return arg;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t first, second;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_create(&first, &attr, nothing, 0);
    if (pthread_create(&second, 0, runs, 0) == 0 && first == second)
        return 1;
    pthread_join(second, 0);
    return !ran;
}
