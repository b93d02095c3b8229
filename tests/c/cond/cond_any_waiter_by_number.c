//@ property: assertion verdict: unsafe line: 33
//@ property: data-race,deadlock,lock-misuse,memory verdict: safe
// Which of the waiters a signal wakes is open: not the one that was started first.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, first_out = -1;

static void *wait(void *arg) {
    int number = (int)(long)arg;
    pthread_mutex_lock(&m);
    waiting++;
    pthread_cond_wait(&c, &m);
    if (first_out < 0)
        first_out = number;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, wait, (void *)i);
    pthread_mutex_lock(&m);
    if (waiting == 2) {
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
        for (int i = 0; i < 2; i++)
            pthread_join(t[i], 0);
        assert(first_out == 0);
    }
    return 0;
}
