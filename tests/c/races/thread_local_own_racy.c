//@ property: data-race verdict: unsafe line: 10
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The variable is one for all threads. Line 10 races with itself.
#include <pthread.h>

static int own;

static void *work(void *unused)
{
    own++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
