// The owner does not wait for the thread that still reads. FIXED: it does.
#include <pthread.h>
#include <stdlib.h>

static void *reader(void *argument)
{
    int *value = argument;
    int copy = *value;
    (void)copy;
    return 0;
}

int main(void)
{
    pthread_t thread;
    int *value = malloc(sizeof *value);
    *value = 1;
    pthread_create(&thread, 0, reader, value);
#ifdef FIXED
    pthread_join(thread, 0);
    free(value);
#else
    free(value);
    pthread_join(thread, 0);
#endif
    return 0;
}
