//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 1
// lazy01.c repaired: the sum may be 3, and never more.
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
    assert(data <= 3);
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
