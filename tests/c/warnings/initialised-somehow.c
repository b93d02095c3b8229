//@ property: all verdict: safe
//@ run: gcc
// An init call may touch each of these objects, directly or through a pointer: the standard error stays empty. A POSIX
// mutex or condition variable in static storage needs none, and an object that is never used gets no warning.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <threads.h>

static sem_t direct, chosen, list[2], unused;
static mtx_t lock;
static cnd_t changed;
static pthread_mutex_t posix;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int (*start)(cnd_t *) = cnd_init;

static void make(sem_t *s) { sem_init(s, 0, 1); }

int main(int argc, char **argv) {
    sem_t *s = argc > 5 ? &direct : &chosen;
    sem_init(&direct, 0, 0);
    make(s);
    for (int i = 0; i < 2; i++) make(&list[i]);
    mtx_t *m = &lock;
    mtx_init(m, mtx_plain);
    start(&changed);
    sem_wait(&chosen);
    sem_post(&direct);
    sem_wait(&list[1]);
    mtx_lock(&lock);
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    pthread_mutex_lock(&posix);
    pthread_cond_signal(&cond);
    pthread_mutex_unlock(&posix);
    printf("%d\n", sem_trywait(&direct));
    return 0;
}
