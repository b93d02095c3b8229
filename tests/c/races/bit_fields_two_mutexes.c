//@ property: all verdict: safe
//@ run: gcc
// A field of width zero makes two memory locations; each has its mutex.
#include <pthread.h>

static pthread_mutex_t left_mutex = PTHREAD_MUTEX_INITIALIZER, right_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned left : 4;
    unsigned : 0;
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
