//@ property: all verdict: safe
//@ property: assertion verdict: unsafe line: 38
//@ bounds: unwind 1 rounds 2
// One thread fills a string and another allocates it. They run in parallel, so the first may find nothing to fill.
// bigshot_p in table 1 of Inverso et al. (CAV 2014), there with unwind 1 and 2 rounds.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *name;

static void *fill(void *arg)
{
    pthread_mutex_lock(&lock);
    if (name)
        strcpy(name, "Bigshot");
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *allocate(void *arg)
{
    pthread_mutex_lock(&lock);
    name = calloc(8, 1);
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
