//@ property: data-race verdict: unsafe line: 13
// The value of the second record is read before its thread is joined. Lines 13 and 29 race.
#include <pthread.h>
#include <stdlib.h>

struct job {
    pthread_t thread;
    int value;
};

static void *work(void *arg)
{
    ((struct job *)arg)->value = 1;
    return 0;
}

static struct job *start(void)
{
    struct job *job = malloc(sizeof *job);
    job->value = 0;
    pthread_create(&job->thread, 0, work, job);
    return job;
}

int main(void)
{
    struct job *one = start(), *two = start();
    pthread_join(one->thread, 0);
    int sum = one->value + two->value;
    pthread_join(two->thread, 0);
    free(one);
    free(two);
    return sum != 2;
}
