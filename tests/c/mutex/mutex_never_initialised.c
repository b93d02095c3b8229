//@ property: lock-misuse verdict: unsafe line: 15
// Memory from malloc is no mutex.
#include <pthread.h>
#include <stdlib.h>

struct account {
    int balance;
    pthread_mutex_t lock;
};

int main(void)
{
    struct account *account = malloc(sizeof *account);
    account->balance = 0;
    pthread_mutex_lock(&account->lock);
    account->balance++;
    pthread_mutex_unlock(&account->lock);
    free(account);
    return 0;
}
