//@ property: data-race verdict: unsafe line: 25
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// Adjacent bit-fields are one memory location: a mutex for each protects none. Lines 15 and 25 race.
#include <pthread.h>

static pthread_mutex_t left_mutex = PTHREAD_MUTEX_INITIALIZER, right_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned left : 4;
    unsigned right : 4;
} fields;

static void *set_left(void *unused)
{
    pthread_mutex_lock(&left_mutex);
    fields.left = 1;
    pthread_mutex_unlock(&left_mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, set_left, 0);
    pthread_mutex_lock(&right_mutex);
    fields.right = 2;
    pthread_mutex_unlock(&right_mutex);
    pthread_join(thread, 0);
    return 0;
}
