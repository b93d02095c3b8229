//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 31
//@ bounds: unwind 1 rounds 1
// Two threads add 1 and 2 under a mutex, and the third claims that the sum stays below 3. lazy01 in table 1 of Inverso
// et al. (CAV 2014), there with unwind 1 and 1 round.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add_one(void *arg)
{
    pthread_mutex_lock(&lock);
    data++;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *add_two(void *arg)
{
    pthread_mutex_lock(&lock);
    data += 2;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *look(void *arg)
{
    pthread_mutex_lock(&lock);
    assert(data < 3);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t one, two, looker;
    pthread_create(&one, 0, add_one, 0);
    pthread_create(&two, 0, add_two, 0);
    pthread_create(&looker, 0, look, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(looker, 0);
    return 0;
}
