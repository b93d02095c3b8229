//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
//@ run: gcc
// Bytes of a synchronisation object that are written over make it a new one.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pooled {
    pthread_once_t once;
    pthread_mutex_t mutex;
    int value;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct pooled object;
static int calls;

static void count(void)
{
    calls++;
}

int main(void)
{
    pthread_once(&once, count);
    pthread_once(&once, count);
    once = (pthread_once_t)PTHREAD_ONCE_INIT;
    pthread_once(&once, count);
    assert(calls == 2);
    for (int i = 0; i < 2; i++) {
        memset(&object, 0, sizeof object);
        pthread_once(&object.once, count);
    }
    assert(calls == 4);
    for (int i = 0; i < 2; i++) {
        object = (struct pooled){.mutex = PTHREAD_MUTEX_INITIALIZER, .value = i};
        pthread_mutex_lock(&object.mutex);
        object.value++;
    }
    assert(object.value == 2);
    return 0;
}
