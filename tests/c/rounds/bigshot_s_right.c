//@ property: all verdict: safe
//@ bounds: unwind 1 rounds 2
// bigshot_s.c repaired: main waits for the thread that fills the string.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *name;

static void *allocate(void *arg)
{
    name = calloc(8, 1);
    return arg;
}

static void *fill(void *arg)
{
    pthread_mutex_lock(&lock);
    strcpy(name, "Bigshot");
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t allocator, filler;
    pthread_create(&allocator, 0, allocate, 0);
    pthread_join(allocator, 0);
    pthread_create(&filler, 0, fill, 0);
    pthread_join(filler, 0);
    pthread_mutex_lock(&lock);
    assert(name[0] == 'B');
    pthread_mutex_unlock(&lock);
    free(name);
    return 0;
}
