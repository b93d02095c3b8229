//@ property: thread-misuse verdict: unsafe line: 12
//@ property: assertion,data-race,deadlock,lock-misuse,memory verdict: safe
#include <pthread.h>

static void *work(void *arg) { return arg; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    pthread_cancel(t);
    return 0;
}
