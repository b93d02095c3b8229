// Two threads that give way to each other for ever. FIXED: only one of them does.
#include <pthread.h>

static pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER, to = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void *forth(void *arg)
{
    pthread_mutex_lock(&from);
    while (pthread_mutex_trylock(&to) != 0) {
        pthread_mutex_unlock(&from);
        pthread_mutex_lock(&from);
    }
    moved++;
    pthread_mutex_unlock(&to);
    pthread_mutex_unlock(&from);
    return arg;
}

static void *back(void *arg)
{
    pthread_mutex_lock(&to);
#ifdef FIXED
    pthread_mutex_lock(&from);
#else
    while (pthread_mutex_trylock(&from) != 0) {
        pthread_mutex_unlock(&to);
        pthread_mutex_lock(&to);
    }
#endif
    moved--;
    pthread_mutex_unlock(&from);
    pthread_mutex_unlock(&to);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, forth, 0);
    pthread_create(&two, 0, back, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
