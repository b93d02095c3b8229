//@ unsupported: 28 control depends on addresses
// The id of a thread that was joined may be given to another one, whoever did it.
#include <pthread.h>

static pthread_t first;

static void *nothing(void *arg)
{
    return arg;
}

static void *joins(void *arg)
{
    pthread_join(first, 0);
    return arg;
}

int main(void)
{
    pthread_t joiner, second, copy;
    pthread_create(&copy, 0, nothing, 0);
    first = copy;
    pthread_create(&joiner, 0, joins, 0);
    pthread_create(&second, 0, nothing, 0);
    int same = copy == second;
    pthread_join(joiner, 0);
    pthread_join(second, 0);
    if (same)
        return 1;
    return 0;
}
