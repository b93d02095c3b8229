//@ property: data-race verdict: unsafe line: 14
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Two of three steps are enough to let the reader go. Lines 14 and 24 race.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int steps;
static int data;

static void *work(void *unused)
{
    steps++;
    steps++;
    data = 1;
    steps++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (steps == 2)
        data = 2;
    pthread_join(thread, 0);
    return 0;
}
