//@ property: all verdict: safe
//@ run: gcc
// All threads come to the data through the once control.
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int data;

static void make(void)
{
    data = 42;
}

static void *use(void *unused)
{
    pthread_once(&control, make);
    return data == 42 ? unused : &data;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    pthread_once(&control, make);
    int seen = data;
    pthread_join(thread, 0);
    return seen != 42;
}
