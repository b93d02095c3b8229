//@ property: data-race verdict: unsafe
//@ property: assertion verdict: unsafe line: 12
//@ property: deadlock,lock-misuse,memory verdict: safe
// The same without the barrier.
#include <assert.h>
#include <pthread.h>

static int cell[2];
static void *work(void *arg) {
    int own = (int)(long)arg;
    cell[own] = own + 1;
    assert(cell[1 - own] == 2 - own);
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, (void *)1);
    work((void *)0);
    pthread_join(t, 0);
    return 0;
}
