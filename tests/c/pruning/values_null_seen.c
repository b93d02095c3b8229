//@ property: null-deref verdict: unsafe
// A pointer that is more than null only later is followed.
#include <pthread.h>

static _Atomic int x;
static _Atomic int *_Atomic place;

static void *look(void *arg)
{
    x = 2;
    return place ? arg : 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    *place = 1;
    place = &x;
    pthread_join(a, 0);
    return 0;
}
