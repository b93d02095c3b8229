// Thread-local variables, one of which is read after its thread has ended.
#include <pthread.h>
#include <assert.h>

static __thread int mine = 5;
int shared;
static int *leak;

static void *t(void *a) {
    for (int i = 0; i < 2; i++) mine += (int)(long)a;
    leak = &mine;
    shared += mine;
    return 0;
}

int main(void) {
    pthread_t p, q;
    mine = 9;
    pthread_create(&p, 0, t, (void *)1L);
    pthread_create(&q, 0, t, (void *)2L);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(mine == 9);
    assert(shared == 16);
    return *leak;
}
