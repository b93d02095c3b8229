// An object of main with a lock that is held when main returns, and one that points to a block.
#include <pthread.h>
#include <stdlib.h>

static void *t(void *a) {
    pthread_mutex_lock(a);
    return 0;
}

int main(void) {
    struct {
        pthread_mutex_t m;
        int *p;
    } s;
    int *arr[2];
    pthread_t p;
    s.p = 0;
    arr[1] = malloc(5);
    pthread_mutex_init(&s.m, 0);
    pthread_mutex_lock(&s.m);
    pthread_create(&p, 0, t, &s.m);
    return 0;
}
