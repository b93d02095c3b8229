// lock_order.c repaired: the account with the lower number is locked first, whichever way the money goes.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int number, balance;
};

static struct account checking = { PTHREAD_MUTEX_INITIALIZER, 1, 100 };
static struct account savings = { PTHREAD_MUTEX_INITIALIZER, 2, 100 };

static void transfer(struct account *from, struct account *to, int amount)
{
    struct account *first = from->number < to->number ? from : to;
    struct account *second = first == from ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *save(void *unused)
{
    (void)unused;
    transfer(&checking, &savings, 10);
    return 0;
}

static void *spend(void *unused)
{
    (void)unused;
    transfer(&savings, &checking, 20);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, save, 0);
    pthread_create(&b, 0, spend, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(checking.balance + savings.balance == 200);
    return 0;
}
