// A worker that detaches itself, and a main thread that joins it all the same. FIXED: main alone decides.
#include <pthread.h>

static void *work(void *arg)
{
#ifndef FIXED
    pthread_detach(pthread_self());
#endif
    return arg;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    pthread_join(worker, 0);
    return 0;
}
