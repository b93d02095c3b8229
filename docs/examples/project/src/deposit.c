#include <bank/account.h>

/* Each file has a function of this name. */
static void change(int typeof) /* an ordinary name in ISO C */
{
    pthread_mutex_lock(&lock);
    balance += typeof;
    pthread_mutex_unlock(&lock);
}

void *deposit(void *unused)
{
    change(STEP);
    return unused;
}
