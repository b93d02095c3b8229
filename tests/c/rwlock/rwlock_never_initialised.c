//@ property: lock-misuse verdict: unsafe line: 8
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_rwlock_t *rw = malloc(sizeof *rw);
    pthread_rwlock_wrlock(rw);
    pthread_rwlock_unlock(rw);
    free(rw);
    return 0;
}
