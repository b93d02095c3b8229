//@ property: assertion verdict: unsafe line: 24
//@ property: memory verdict: safe
// One thread writes a word, the other reads one byte of it.
#include <assert.h>
#include <pthread.h>

static union {
    unsigned word;
    unsigned char byte[4];
} shared;

static void *set(void *arg)
{
    shared.word = 0x01020304;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    unsigned char second = shared.byte[1];
    pthread_join(thread, 0);
    assert(second != 3);
    return 0;
}
