//@ property: assertion,deadlock,lock-misuse,data-race verdict: safe
// A byte beside a mutex is not part of it, wherever the mutex lies.
#include <assert.h>
#include <pthread.h>

static struct __attribute__((packed)) {
    char c;
    pthread_mutex_t m;
} s = {0, PTHREAD_MUTEX_INITIALIZER};
static int x;

static void *add(void *arg)
{
    pthread_mutex_lock(&s.m);
    x++;
    pthread_mutex_unlock(&s.m);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    pthread_mutex_lock(&s.m);
    s.c = 1;
    x++;
    pthread_mutex_unlock(&s.m);
    pthread_join(thread, 0);
    assert(x == 2);
    return 0;
}
