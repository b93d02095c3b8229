//@ property: assertion verdict: unsafe line: 19
//@ property: lock-misuse verdict: safe
// A thread that writes without the lock gets in between two reads of one who holds it.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int value;

static void *look(void *arg)
{
    pthread_mutex_lock(&mutex);
    int a = value;
    int b = value;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    int c = value;
    pthread_mutex_unlock(&mutex);
    assert(a == b || c != 2);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    value = 1;
    pthread_mutex_lock(&mutex);
    value = 2;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
