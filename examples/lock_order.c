// Transfers lock the account they take from, then the one they give to. Two transfers in opposite
// directions each hold what the other waits for.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account checking = { PTHREAD_MUTEX_INITIALIZER, 100 };
static struct account savings = { PTHREAD_MUTEX_INITIALIZER, 100 };

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
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
    return 0;
}
