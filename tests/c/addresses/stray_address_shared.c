//@ unsupported: 21 control depends on addresses
// The same of one that another thread has moved: is there room before the object for what follows null?
#include <assert.h>
#include <pthread.h>

static int object;
static char *_Atomic shared;

static void *work(void *arg)
{
    shared = (char *)&object - 100;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    char *found = shared;
    assert((unsigned long)found > 4095 || found == 0);
    return 0;
}
