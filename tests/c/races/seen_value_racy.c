//@ property: data-race verdict: unsafe line: 31
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Only a thread that has seen the other one begin races with it. Lines 15 and 31 race.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int stage, data;

static void *follow(void *unused)
{
    pthread_mutex_lock(&mutex);
    int seen = stage;
    pthread_mutex_unlock(&mutex);
    if (seen == 1)
        data++;
    return unused;
}

static void set_stage(void)
{
    pthread_mutex_lock(&mutex);
    stage = 1;
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, follow, 0);
    set_stage();
    data = 1;
    pthread_join(thread, 0);
    return 0;
}
