//@ property: all verdict: safe
//@ run: gcc
// Both accounts are locked, the smaller number first.
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int balance;
} account[2] = {{PTHREAD_MUTEX_INITIALIZER, 5}, {PTHREAD_MUTEX_INITIALIZER, 5}};

static void transfer(int from, int to)
{
    pthread_mutex_lock(&account[from < to ? from : to].lock);
    pthread_mutex_lock(&account[from < to ? to : from].lock);
    account[from].balance--;
    account[to].balance++;
    pthread_mutex_unlock(&account[to].lock);
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
