//@ property: all verdict: safe
//@ run: gcc
//@ warning: 12 never-initialised
//@ warning: 13 never-initialised
//@ warning: 14 never-initialised
//@ warning: 15 never-initialised
// Semaphores and C11 objects in static storage that no init call touches work as zero, with a warning.
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

static sem_t items;
static mtx_t lock;
static cnd_t changed;
static struct { int n; sem_t a, b; } pair;
static int ready;

static int work(void *unused) {
    mtx_lock(&lock);
    ready = 1;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    sem_post(&items);
    sem_post(&pair.b);
    return 0;
}

int main(void) {
    thrd_t t;
    sem_init(&pair.a, 0, 1);
    thrd_create(&t, work, 0);
    mtx_lock(&lock);
    while (!ready) cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    sem_wait(&items);
    sem_wait(&pair.a);
    sem_wait(&pair.b);
    thrd_join(t, 0);
    printf("%d\n", ready);
    return 0;
}
