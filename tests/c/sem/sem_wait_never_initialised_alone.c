//@ property: lock-misuse verdict: unsafe line: 8
// No thread was started, and the count is indeterminate: that `main` waits for ever is one choice of it.
#include <semaphore.h>

int main(void)
{
    sem_t sem;
    sem_wait(&sem);
    return 0;
}
