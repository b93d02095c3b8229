//@ property: lock-misuse verdict: unsafe line: 10
#include <pthread.h>

static pthread_spinlock_t s;

int main(void)
{
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_destroy(&s);
    pthread_spin_lock(&s);
    return 0;
}
