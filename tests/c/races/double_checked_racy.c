//@ property: data-race verdict: unsafe line: 17
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The object is shown before it is complete: who sees it at the first check uses it too early. Lines 17 and
// 26 race.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int object;
static int *_Atomic shown;

static int *get(void)
{
    if (!shown) {
        pthread_mutex_lock(&mutex);
        if (!shown) {
            shown = &object;
            object = 42;
        }
        pthread_mutex_unlock(&mutex);
    }
    return shown;
}

static void *use(void *unused)
{
    int seen = *get();
    return seen == 7 ? &object : unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    use(0);
    pthread_join(thread, 0);
    return 0;
}
