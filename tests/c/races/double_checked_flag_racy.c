//@ property: data-race verdict: unsafe line: 16
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The flag of the first check is plain. Lines 12, 15, 16 and 20 race.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ready;
static int object;

static void *use(void *unused)
{
    if (!ready) {
        pthread_mutex_lock(&mutex);
        if (!ready) {
            object = 42;
            ready = 1;
        }
        pthread_mutex_unlock(&mutex);
    }
    return object == 42 ? unused : &object;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    use(0);
    pthread_join(thread, 0);
    return 0;
}
