//@ property: all verdict: safe
//@ run: gcc
// Bytes beside those that the other thread sets.
#include <pthread.h>
#include <string.h>

static char buffer[6];

static void *fill(void *unused)
{
    memset(buffer, 1, 3);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, fill, 0);
    buffer[3] = 2;
    pthread_join(thread, 0);
    return 0;
}
