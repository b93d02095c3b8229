//@ property: all verdict: safe
//@ model: strtok_r
// strtok_r keeps it where the caller says.
#include <pthread.h>
#include <string.h>

static char mine[] = "a", yours[] = "b";

static void *other(void *unused)
{
    char *rest;
    (void)unused;
    strtok_r(yours, " ", &rest);
    return 0;
}

int main(void)
{
    pthread_t a;
    char *rest;
    pthread_create(&a, 0, other, 0);
    strtok_r(mine, " ", &rest);
    pthread_join(a, 0);
    return 0;
}
