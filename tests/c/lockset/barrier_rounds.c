//@ property: data-race verdict: unsafe
// Two threads at a time read between the waits of another one; the second two have not waited when it writes.
#include <pthread.h>

static pthread_barrier_t barrier;
static int x;

static void *reader(void *unused)
{
    int y = x;
    pthread_barrier_wait(&barrier);
    return y ? unused : 0;
}

static void *writer(void *unused)
{
    pthread_barrier_wait(&barrier);
    x = 1;
    pthread_barrier_wait(&barrier);
    return unused;
}

static void run(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, reader, 0);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}

int main(void)
{
    pthread_t t;
    pthread_barrier_init(&barrier, 0, 4);
    pthread_create(&t, 0, writer, 0);
    for (int i = 0; i < 2; i++)
        run();
    return 0;
}
