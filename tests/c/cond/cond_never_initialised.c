//@ property: lock-misuse verdict: unsafe line: 9
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_cond_t *c = malloc(sizeof *c);
    if (c)
        pthread_cond_broadcast(c);
    free(c);
    return 0;
}
