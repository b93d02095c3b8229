//@ property: deadlock verdict: unsafe line: 12
//@ property: assertion,data-race,lock-misuse,memory verdict: safe
// Two transfers in opposite directions each hold what the other one needs. Blocked in lines 12 and 30.
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[2] = {5, 5};

static void transfer(int from, int to)
{
    pthread_mutex_lock(&lock[from]);
    pthread_mutex_lock(&lock[to]);
    balance[from]--;
    balance[to]++;
    pthread_mutex_unlock(&lock[to]);
    pthread_mutex_unlock(&lock[from]);
}

static void *there(void *unused)
{
    transfer(0, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, there, 0);
    transfer(1, 0);
    pthread_join(thread, 0);
    return 0;
}
