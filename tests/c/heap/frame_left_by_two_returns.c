//@ property: use-after-free verdict: unsafe line: 22
// The frame ends by either return; a pointer into it is left behind.
#include <pthread.h>

static int *volatile shared;
static int way;
int __VERIFIER_nondet_int(void);

static void leave(int early)
{
    int local = 3;
    shared = &local;
    if (early) {
        way = 1;
        return;
    }
    way = 2;
}
static void *look(void *unused)
{
    int *seen = shared;
    return seen ? (void *)(long)*seen : unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    leave(__VERIFIER_nondet_int());
    pthread_join(thread, 0);
    return 0;
}
