//@ property: lock-misuse verdict: unsafe line: 10
//@ model: pthread_spin_lock pthread_spin_unlock
// There is no static initialiser for spin locks: zero is one that is held.
#include <pthread.h>

static pthread_spinlock_t s;

int main(void)
{
    pthread_spin_lock(&s);
    pthread_spin_unlock(&s);
    return 0;
}
