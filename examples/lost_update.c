// Two workers count the same events. Each reads the counter, adds one and writes it back; if both read
// before either writes, one event is lost.
#include <assert.h>
#include <pthread.h>

static int events;

static void *worker(void *unused)
{
    (void)unused;
    events++;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(events == 2);
    return 0;
}
