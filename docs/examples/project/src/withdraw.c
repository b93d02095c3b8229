#include "bank/account.h"

static void change(int by)
{
#ifdef USE_LOCK
    pthread_mutex_lock(&lock);
#endif
    balance -= by;
#ifdef USE_LOCK
    pthread_mutex_unlock(&lock);
#endif
}

void *withdraw(void *unused)
{
    change(STEP);
    return unused;
}
