//@ property: all verdict: safe
//@ run: gcc
// A bit-field and the ordinary member after it are two memory locations.
#include <pthread.h>

static struct {
    unsigned char flag : 1;
    unsigned char other;
} s;

static void *set(void *unused)
{
    s.flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    int seen = s.other;
    pthread_join(thread, 0);
    return seen;
}
