//@ property: data-race verdict: unsafe
// Elements of one block are written under locks of another block that the same call has made.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct shelf {
    int items[2];
    pthread_spinlock_t locks[2];
};

struct pair {
    struct shelf *written, *locked;
};

static struct shelf *make(void)
{
    struct shelf *s = malloc(sizeof *s);
    s->items[0] = s->items[1] = 0;
    pthread_spin_init(&s->locks[0], 0);
    pthread_spin_init(&s->locks[1], 0);
    return s;
}

static void *worker(void *argument)
{
    struct pair *pair = argument;
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 1)
        return 0;
    pthread_spin_lock(&pair->locked->locks[i]);
    pair->written->items[i] = 1;
    pthread_spin_unlock(&pair->locked->locks[i]);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    struct shelf *first = make(), *second = make();
    struct pair same = { first, first }, mixed = { first, second };
    pthread_create(&a, 0, worker, &same);
    pthread_create(&b, 0, worker, &mixed);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
