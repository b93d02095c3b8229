//@ property: deadlock verdict: unsafe line: 14
// Main is alone, holds one of two locks at every point of its round, and waits for what nobody sets.
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void wait_until_done(void)
{
    int seen;
    do {
        pthread_mutex_lock(&second);
        pthread_mutex_unlock(&first);
        seen = done;
        pthread_mutex_lock(&first);
        pthread_mutex_unlock(&second);
    } while (!seen);
}

int main(void)
{
    pthread_mutex_lock(&first);
    wait_until_done();
    pthread_mutex_unlock(&first);
    return 0;
}

//@ known: order deadlock unknown(unsupported)
