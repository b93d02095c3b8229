//@ property: all verdict: safe
//@ property: data-race verdict: unsafe
//@ model: strtok
// strtok keeps where it stands in one variable for all threads, even if their texts differ.
#include <pthread.h>
#include <string.h>

static char mine[] = "a", yours[] = "b";

static void *other(void *unused)
{
    (void)unused;
    strtok(yours, " ");
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, other, 0);
    strtok(mine, " ");
    pthread_join(a, 0);
    return 0;
}
