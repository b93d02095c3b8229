// use_after_free.c repaired: the value before the decrement says who was last.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct request {
    atomic_int references;
    int size;
};

static void drop(struct request *request)
{
    if (atomic_fetch_sub(&request->references, 1) == 1)
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
