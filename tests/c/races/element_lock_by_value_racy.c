//@ property: data-race verdict: unsafe line: 14
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The number of the lock is looked at before the element is moved to another one. Line 14 races with itself.
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static _Atomic int home;
static int item;

static void *work(void *unused)
{
    int at = home;
    pthread_mutex_lock(&lock[at]);
    item++;
    pthread_mutex_unlock(&lock[at]);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    home = 1;
    work(0);
    pthread_join(thread, 0);
    return 0;
}
