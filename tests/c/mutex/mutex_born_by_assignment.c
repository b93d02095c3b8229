//@ property: all verdict: safe
//@ run: gcc
// A plain write over the object makes it a mutex: a static initialiser, the copy of a struct that holds one.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct box {
    int value;
    pthread_mutex_t m;
    pthread_cond_t c;
};

static const struct box model = {7, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

static void use(struct box *box)
{
    assert(pthread_mutex_lock(&box->m) == 0);
    box->value++;
    assert(pthread_cond_broadcast(&box->c) == 0);
    assert(pthread_mutex_unlock(&box->m) == 0);
}

static struct box made(void)
{
    struct box box = model;
    pthread_mutex_init(&box.m, 0);
    pthread_cond_init(&box.c, 0);
    use(&box);
    return box;
}

int main(void)
{
    pthread_mutex_t *m = malloc(sizeof *m);
    struct box *a = malloc(sizeof *a);
    struct box *b = malloc(sizeof *b);
    struct box c;
    *m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    assert(pthread_mutex_lock(m) == 0);
    assert(pthread_mutex_unlock(m) == 0);
    *a = model;
    use(a);
    memcpy(b, &model, sizeof *b);
    use(b);
    c = made();
    use(&c);
    assert(a->value == 8 && b->value == 8 && c.value == 9);
    free(m);
    free(a);
    free(b);
    return 0;
}
