// Frame objects that another thread may still point to.
#include <pthread.h>
#include <assert.h>

static int *volatile where;
static int ok;

static void show(void) {
    int local = 4;
    where = &local;
    ok = 1;
}

static void *t(void *a) {
    if (ok) return (void *)(long)*where;
    return 0;
}

int main(void) {
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    show();
    int arr[2];
    {
        int in = 3;
        where = &in;
    }
    pthread_join(p, 0);
    arr[0] = 1;
    return arr[0] + *where;
}
