//@ property: lock-misuse verdict: unsafe line: 11
//@ property: assertion,data-race,deadlock,memory verdict: safe
// A mutex that has been destroyed is destroyed again; it has to be made anew first.
#include <pthread.h>

int main(void)
{
    pthread_mutex_t m;
    pthread_mutex_init(&m, 0);
    pthread_mutex_destroy(&m);
    pthread_mutex_destroy(&m);
    pthread_mutex_init(&m, 0);
    pthread_mutex_destroy(&m);
    return 0;
}
