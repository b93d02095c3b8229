// An early return that forgets the lock, so that the next call locks it again. FIXED: it lets go.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static int take(void)
{
    pthread_mutex_lock(&lock);
    if (stock == 0) {
#ifdef FIXED
        pthread_mutex_unlock(&lock);
#endif
        return 0;
    }
    stock--;
    pthread_mutex_unlock(&lock);
    return 1;
}

int main(void)
{
    take();
    take();
    take();
    return 0;
}
