//@ property: data-race verdict: unsafe line: 14
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Two threads can draw the same number, and then work on the same element. Line 14 races with itself.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next;
static int cell[2];

static void *work(void *unused)
{
    int own = atomic_load(&next);
    atomic_store(&next, own + 1);
    cell[own]++;
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
