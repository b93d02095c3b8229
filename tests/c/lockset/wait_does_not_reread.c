//@ property: assertion,data-race,deadlock,misuse,memory,division-by-zero verdict: safe
//@ property: assertion verdict: unsafe line: 19
// What a thread knew of the counter before it waited is used after it: others have counted meanwhile.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int n, ready;

static void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    int before = n;
    while (!ready)
        pthread_cond_wait(&changed, &m);
    if (n < 5)
        n++;
    assert(n - before <= 1);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    return 0;
}

//@ known: lockset deadlock unknown(unproved)
