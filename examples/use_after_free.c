// A request is shared by two threads and freed by the last one to let go of it. Each drops its reference
// atomically, but then asks again how many are left: both may see none and free it, or look into a
// request that is already gone.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct request {
    atomic_int references;
    int size;
};

static void drop(struct request *request)
{
    request->references--;
    if (request->references == 0)
        free(request);
}

static void *handler(void *argument)
{
    drop(argument);
    return 0;
}

int main(void)
{
    struct request *request = malloc(sizeof *request);
    request->references = 2;
    request->size = 512;
    pthread_t thread;
    pthread_create(&thread, 0, handler, request);
    drop(request);
    pthread_join(thread, 0);
    return 0;
}
