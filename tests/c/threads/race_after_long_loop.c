//@ property: data-race verdict: unsafe line: 11
// The write comes after exactly so many steps that nobody sees that the thread would pause before it.
#include <pthread.h>

static int x;

static void *writer(void *arg)
{
    int i;
    for (i = 0; i < 4999; i++);
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    x = 2;
    pthread_join(thread, 0);
    return 0;
}
