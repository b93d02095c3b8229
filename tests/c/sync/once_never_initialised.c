//@ property: lock-misuse verdict: unsafe line: 10
#include <pthread.h>
#include <stdlib.h>

static void nothing(void) {}

int main(void)
{
    pthread_once_t *once = malloc(sizeof *once);
    pthread_once(once, nothing);
    free(once);
    return 0;
}
