//@ property: data-race verdict: unsafe
// The string that is printed is written meanwhile: the text is not made, but the string is read.
#include <pthread.h>
#include <stdio.h>

static char name[4] = "abc";

static void *worker(void *arg)
{
    (void)arg;
    name[1] = 'x';
    return 0;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    printf("%d %.2f: %s\n", 12, 1.5, name);
    pthread_join(a, 0);
    return 0;
}
