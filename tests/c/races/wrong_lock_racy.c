//@ property: data-race verdict: unsafe line: 15
//@ property: assertion,deadlock,lock-misuse,memory verdict: safe
// The lock of one account does not protect the other one. Lines 14 and 15 race.
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int balance;
} account[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};

static void transfer(int from, int to)
{
    pthread_mutex_lock(&account[from].lock);
    account[from].balance--;
    account[to].balance++;
    pthread_mutex_unlock(&account[from].lock);
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
