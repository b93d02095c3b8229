//@ property: data-race verdict: unsafe line: 10
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// A plain read against an atomic operation is a race. Lines 10 and 18 race.
#include <pthread.h>

static int counter;

static void *count(void *unused)
{
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    int seen = counter;
    pthread_join(thread, 0);
    return seen > 1;
}
