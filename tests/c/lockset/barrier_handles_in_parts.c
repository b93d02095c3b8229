//@ property: data-race verdict: unsafe
// An array has room for three handles that lie apart, though not for three whole gaps: three threads wait at a barrier beside main.
#include <pthread.h>

struct slot {
    pthread_t handle;
    long gap;
};

static pthread_t handles[5];
static pthread_barrier_t barrier;
static int x;

static void *reader(void *unused)
{
    int y = x;
    pthread_barrier_wait(&barrier);
    return y ? unused : 0;
}

int main(void)
{
    pthread_barrier_init(&barrier, 0, 3);
    long i = 0;
    for (int k = 0; k < 3; k++) {
        pthread_create(&((struct slot *)handles)[i].handle, 0, reader, 0);
        i++;
    }
    pthread_barrier_wait(&barrier);
    x = 1;
    return 0;
}
