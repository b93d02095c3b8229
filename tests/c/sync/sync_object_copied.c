//@ unsupported: 12 copy of a synchronisation object
// What a copy of a mutex is, POSIX leaves open; of one that is held it would be held, too.
#include <pthread.h>

struct pair {
    pthread_mutex_t mutex;
} a = {PTHREAD_MUTEX_INITIALIZER}, b;

int main(void)
{
    pthread_mutex_lock(&a.mutex);
    b = a;
    pthread_mutex_lock(&b.mutex);
    return 0;
}
