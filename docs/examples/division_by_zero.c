// The average of no samples. FIXED: it is asked for only if there are any.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum, samples;

static void *sample(void *unused)
{
    (void)unused;
    sum += 10;
    samples++;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, sample, 0);
    int count = samples, average = 0;
#ifdef FIXED
    if (count > 0)
#endif
        average = sum / count;
    pthread_join(thread, 0);
    return average > 10;
}
