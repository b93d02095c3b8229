// Both sides think that they are the last. FIXED: one atomic step decides.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int users = 2;
static int *data;

static void *leave(void *unused)
{
    (void)unused;
#ifdef FIXED
    if (--users == 0)
        free(data);
#else
    --users;
    if (users == 0)
        free(data);
#endif
    return 0;
}

int main(void)
{
    pthread_t thread;
    data = malloc(sizeof *data);
    pthread_create(&thread, 0, leave, 0);
    leave(0);
    pthread_join(thread, 0);
    return 0;
}
