//@ property: assertion,data-race,deadlock,misuse,memory verdict: safe
// The return of main ends the program: nothing is said about its frame.
#include <pthread.h>

int main(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&m);
    return 0;
}
