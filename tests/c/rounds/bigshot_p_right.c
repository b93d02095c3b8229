//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 2
// bigshot_p.c repaired: the thread that fills the string waits until it is allocated.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t allocated = PTHREAD_COND_INITIALIZER;
static char *name;

static void *fill(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!name)
        pthread_cond_wait(&allocated, &lock);
    strcpy(name, "Bigshot");
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *allocate(void *arg)
{
    pthread_mutex_lock(&lock);
    name = calloc(8, 1);
    pthread_cond_signal(&allocated);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t filler, allocator;
    pthread_create(&filler, 0, fill, 0);
    pthread_create(&allocator, 0, allocate, 0);
    pthread_join(filler, 0);
    pthread_join(allocator, 0);
    assert(name[0] == 'B');
    free(name);
    return 0;
}
