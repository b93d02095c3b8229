// Objects of main that a thread writes.
#include <assert.h>
#include <pthread.h>

struct job {
    int in, out;
    int *where;
};

static void *t(void *a) {
    struct job *j = a;
    j->out = j->in + 1;
    *j->where = 7;
    return 0;
}

static void set(int *p, int v) {
    *p = v;
}

int main(void) {
    pthread_t p;
    int mine = 1, other = 2;
    struct job j = { 3, 0, &mine };
    int *q = j.in > 2 ? &other : &mine;
    pthread_create(&p, 0, t, &j);
    set(q, 5);
    pthread_join(p, 0);
    assert(other == 5 && j.out == 4);
    assert(mine == 1);
    return 0;
}
