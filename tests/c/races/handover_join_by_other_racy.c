//@ property: data-race verdict: unsafe line: 10
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Joins a thread that has not joined the one that writes. Lines 10 and 27 race.
#include <pthread.h>

static int data;

static void *write_data(void *unused)
{
    data = 1;
    return unused;
}

static void *pass(void *unused)
{
    pthread_t inner;
    pthread_create(&inner, 0, write_data, 0);
    pthread_detach(inner);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, pass, 0);
    pthread_join(thread, 0);
    data++;
    return 0;
}
