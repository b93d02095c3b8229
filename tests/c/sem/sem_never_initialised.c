//@ property: lock-misuse verdict: unsafe line: 7
#include <semaphore.h>

int main(void)
{
    sem_t s;
    sem_post(&s);
    return 0;
}
