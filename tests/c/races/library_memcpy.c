//@ property: all verdict: safe
//@ run: gcc
// Two threads copy from the same place, and to different ones.
#include <pthread.h>
#include <string.h>

static char source[3] = {1, 2, 3}, one[3], two[3];

static void *copy(void *unused)
{
    memcpy(one, source, sizeof one);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, copy, 0);
    memcpy(two, source, sizeof two);
    pthread_join(thread, 0);
    return 0;
}
