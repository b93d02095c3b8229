//@ property: assertion verdict: unsafe line: 39
// Main releases what the polling thread holds, or is released by it: it passes each stage only with one more round of the
// other thread, so the rounds count although they leave no trace.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *poll_flag(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&mutex);
        int seen = done;
        pthread_mutex_unlock(&mutex);
        if (seen)
            return arg;
    }
}

static void stage(void)
{
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    // Only a foreign unlock lets this one pass.
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, poll_flag, 0);
    stage();
    stage();
    stage();
    done = 1;
    assert(pthread_join(thread, 0) != 0 || !done);
    return 0;
}

//@ known: order assertion unknown(loop-bound)
