//@ property: all verdict: safe
//@ run: gcc
// Each number is drawn by one thread, so each element has one owner.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next;
static int cell[2];

static void *work(void *unused)
{
    int own = atomic_fetch_add(&next, 1);
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
