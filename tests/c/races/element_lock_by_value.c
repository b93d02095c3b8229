//@ property: all verdict: safe
//@ run: gcc
// The lock of an element is found by a number that nobody changes meanwhile.
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static _Atomic int home;
static int item;

static void *work(void *unused)
{
    int at = home;
    pthread_mutex_lock(&lock[at]);
    item++;
    pthread_mutex_unlock(&lock[at]);
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
