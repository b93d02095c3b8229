//@ property: memory,assertion,deadlock verdict: safe
// When main returns the program ends, and no thread runs any more: its variable is there for them all.
#include <pthread.h>

static void *writer(void *given)
{
    *(int *)given = 1;
    return 0;
}

int main(void)
{
    int x;
    pthread_t thread;
    pthread_create(&thread, 0, writer, &x);
    return 0;
}
